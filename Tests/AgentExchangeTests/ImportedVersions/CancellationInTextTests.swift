import TestSupport
import Testing

@testable import AgentSupport

/// What METHOD:CANCEL does to an event that the same text brings, before it or behind it, near or far.
@Suite struct `A cancellation in one text with its event`: CancellationSamples {
  @Test(arguments: [false, true], [false, true])
  func `in one text with the event it counts, wherever it stands`(
    isFar: Bool, isFirst: Bool
  ) throws {
    let agent = try AgentUnderTest()
    let message = calendar(cancellation("m", 2)).cancelling
    let between = isFar ? calendar(manyOthers) : ""
    let text =
      isFirst ? message + between + calendar(meeting) : calendar(meeting) + between + message
    #expect(try agent.outcome(of: text).counts == [isFar ? 301 : 1, 0, 0, 0])
    let event = try agent.exportedText().component(with: "UID:m")
    #expect(event.contains("STATUS:CANCELLED") && event.contains("SUMMARY:Meeting"))
    // Of copies as well.
    #expect(try agent.outcome(of: text, mode: "copy").counts[0] == (isFar ? 301 : 1))
    let count = try agent.exportedText().split(separator: "STATUS:CANCELLED").count - 1
    #expect(count == 2)
  }

  @Test func `an event that was called to anew in the same text is on`() throws {
    let agent = try AgentUnderTest()
    let again = calendar(meeting.replacing("SEQUENCE:1", with: "SEQUENCE:3"))
    let message = calendar(cancellation("m", 2)).cancelling
    let line = again.lineOfNextCancellation
    #expect(
      try agent.outcome(of: again + message) == CancellationOutcome([1, 0, 0, 0], "\(line) older"))
    #expect(try !agent.exportedText().contains("STATUS:CANCELLED"))
  }

  @Test func `of what comes in by the same text and has no such occurrence that is told`() throws {
    let agent = try AgentUnderTest()
    let text = calendar(series)
    let message = calendar(
      cancellation("s", 2, "RECURRENCE-ID:20271202T080000Z"),
      cancellation("s", 2, "RECURRENCE-ID:20261202T080000Z")
    ).cancelling
    let line = text.lineOfNextCancellation
    #expect(
      try agent.outcome(of: text + message)
        == CancellationOutcome([1, 0, 0, 0], "\(line) nothing-to-cancel"))
    #expect(try agent.summaries(from: "2026-12-01", to: "2026-12-05").count == 3)
  }

  @Test func `what is here, and comes in again with its cancellation, counts as changed`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(meeting))
    let text = calendar(meeting) + calendar(cancellation("m", 2)).cancelling
    #expect(try agent.outcome(of: text) == CancellationOutcome([0, 1, 0, 0]))
    #expect(try agent.exportedText().contains("STATUS:CANCELLED"))
  }

  @Test(arguments: ["", "RECURRENCE-ID:20261203T080000Z"])
  func `a text with an event and its cancellation says nothing new the second time`(id: String)
    throws
  {
    let agent = try AgentUnderTest()
    let message = calendar(id.isEmpty ? cancellation("s", 2) : cancellation("s", 2, id)).cancelling
    let text = calendar(series, moved) + message
    #expect(try agent.outcome(of: text) == CancellationOutcome([1, 0, 0, 0]))
    let before = try agent.exportedText()
    #expect(try agent.outcome(of: text) == CancellationOutcome([0, 0, 1, 0]))
    #expect(try agent.exportedText() == before)
    // Where it was changed since, that is newer.
    let newer = (series + moved).replacing("SEQUENCE:1", with: "SEQUENCE:3")
    _ = try agent.outcome(
      of: calendar(newer.replacing("Daily", with: "Every day")), mode: "replace")
    let line = calendar(series, moved).lineOfNextCancellation
    #expect(try agent.outcome(of: text).problems.contains("\(line) older"))
  }

  @Test func `one of the same version as the event changes nothing the second time`() throws {
    let agent = try AgentUnderTest()
    let same = cancellation("m", 1).replacing("DTSTAMP:20261120", with: "DTSTAMP:20260101")
    let text = calendar(meeting) + calendar(same).cancelling
    #expect(try agent.outcome(of: text) == CancellationOutcome([1, 0, 0, 0]))
    let before = try agent.exportedText()
    #expect(before.contains("STATUS:CANCELLED"))
    #expect(try agent.outcome(of: text) == CancellationOutcome([0, 0, 1, 0]))
    #expect(try agent.exportedText() == before)
  }

  @Test(arguments: [false, true])
  func `it finds the event that the text has for another calendar, as that has it`(isHere: Bool)
    throws
  {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    if isHere { _ = try agent.outcome(of: calendar(meeting), into: "work") }
    let newer = meeting.replacing("SEQUENCE:1", with: "SEQUENCE:2")
      .replacing("SUMMARY:Meeting", with: "SUMMARY:Review")
    let message = calendar(cancellation("m", 3)).cancelling
    let counts: [Int64] = isHere ? [0, 1, 0, 0] : [1, 0, 0, 0]
    #expect(
      try agent.outcome(of: calendar(newer).named("Work") + message) == CancellationOutcome(counts))
    let event = try agent.exportedText(of: "work").component(with: "UID:m")
    #expect(event.contains("STATUS:CANCELLED") && event.contains("SUMMARY:Review"), "\(event)")
    #expect(try agent.exportedText(of: "personal").component(with: "UID:m").isEmpty)
  }

  // Read by a thread, and twice: what a zone is called there is not what it is called here.
  @Test func `zones by other names and zones that are named late place it as well`() throws {
    let agent = try AgentUnderTest()
    func daily(_ uid: String, _ start: String) -> String {
      component(uid, "DTSTART\(start)", "RRULE:FREQ=DAILY;COUNT=3")
    }
    let custom = ";TZID=Customized Time Zone:"
    let late = "X-WR-TIMEZONE:America/New_York\r\n"
    let long = component(
      "long", "DTSTART:20261201T120000Z", "DESCRIPTION:" + String(repeating: "x", count: 65_536))
    let text =
      calendar(
        zoneComponent("Customized Time Zone", "+0100"), daily("a", custom + "20261201T120000"))
      + calendar(
        zoneComponent("Customized Time Zone", "+0500"), daily("b", custom + "20261201T120000"),
        daily("f", ":20261201T120000"), late)
      + calendar(manyOthers, long)
      + calendar(
        zoneComponent("Customized Time Zone", "+0500"),
        cancellation("b", 1, "RECURRENCE-ID\(custom)20261202T120000"),
        cancellation("f", 1, "RECURRENCE-ID:20261202T120000"), "METHOD:CANCEL\r\n", late)
      // That zone has no noon at that instant.
      + calendar(
        zoneComponent("Customized Time Zone", "+0500"),
        cancellation("a", 1, "RECURRENCE-ID\(custom)20261202T120000")
      )
      .cancelling
    #expect(text.utf8.count > 65_536)
    for counts in [[304, 0, 0, 0], [0, 0, 304, 0]] as [[Int64]] {
      let outcome = try agent.outcome(of: text)
      #expect(outcome.counts == counts)
      #expect(outcome.problems.filter { $0.hasSuffix("nothing-to-cancel") }.count == 1)
      #expect(!outcome.problems.contains { $0.hasSuffix("older") })
      let all = try agent.exportedText()
      #expect(all.split(separator: "STATUS:CANCELLED").count == 3)
      let own = all.component(with: "RECURRENCE-ID;TZID=Customized Time Zone (2):20261202T120000")
      #expect(own.contains("UID:b") && own.contains("STATUS:CANCELLED"))
      let floating = all.component(with: "RECURRENCE-ID;TZID=America/New_York:20261202T120000")
      #expect(floating.contains("UID:f") && floating.contains("STATUS:CANCELLED"))
    }
  }
}
