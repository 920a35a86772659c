import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// What METHOD:CANCEL does to what is here: to an event, to occurrences of it, and in which calendars.
@Suite struct `A cancellation that is imported`: CancellationSamples {
  /// With as much of the event as programs send.
  private static let messages = [
    [
      "DTSTART:20261201T080000Z", "SUMMARY:Canceled: Meeting", "STATUS:CANCELLED",
      "TRANSP:TRANSPARENT",
    ], ["DTSTART:20261201T080000Z", "ATTENDEE:mailto:ana@example.org"], [],
  ]

  @Test(arguments: messages)
  func `it marks the event, which keeps all else`(lines: [String]) throws {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(meeting))
    let before = try agent.exportedText()
    let message = calendar(
      cancellation("m", 2, lines.joined(separator: "\r\n"))
    ).cancelling
    #expect(try agent.outcome(of: message) == CancellationOutcome([0, 1, 0, 0]))
    let after = try agent.exportedText()
    let gone = Set(before.split(separator: "\r\n")).subtracting(after.split(separator: "\r\n"))
    let new = Set(after.split(separator: "\r\n")).subtracting(before.split(separator: "\r\n"))
    #expect(gone == ["SEQUENCE:1", "DTSTAMP:20260101T000000Z"])
    #expect(
      new == [
        "SEQUENCE:2", "DTSTAMP:20261120T000000Z", "LAST-MODIFIED:20261120T000000Z",
        "STATUS:CANCELLED",
      ])
    // Once more it says nothing new; and the invitation of before brings it not back.
    #expect(try agent.outcome(of: message) == CancellationOutcome([0, 0, 1, 0]))
    #expect(
      try agent.outcome(of: calendar(meeting)) == CancellationOutcome([0, 0, 1, 0], "0 older"))
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.exportedText() == before)
  }

  @Test func `one of an occurrence leaves the others, and what that one is`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(series, moved))
    let message = calendar(
      cancellation("s", 2, "RECURRENCE-ID;TZID=Europe/Berlin:20261203T090000"),
      cancellation("s", 2, "RECURRENCE-ID:20261202T080000Z", "DTSTART:20261202T080000Z")
    ).cancelling
    #expect(try agent.outcome(of: message) == CancellationOutcome([0, 1, 0, 0]))
    #expect(try agent.summaries(from: "2026-12-01", to: "2026-12-05") == ["Daily", "Daily"])
    let text = try agent.exportedText()
    let own = text.component(with: "RECURRENCE-ID;TZID=Europe/Berlin:20261203T090000")
    #expect(own.contains("DTSTART;TZID=Europe/Berlin:20261203T090000"))
    for line in ["SUMMARY:Daily", "LOCATION:Room Ada", "X-KEPT:yes", "STATUS:CANCELLED"] {
      #expect(own.contains(Substring(line)), "\(own)")
    }
    let other = text.component(with: "RECURRENCE-ID;TZID=Europe/Berlin:20261202T090000")
    for line in ["SUMMARY:Moved", "LOCATION:Room Bo", "STATUS:CANCELLED", "SEQUENCE:2"] {
      #expect(other.contains(Substring(line)), "\(other)")
    }
    #expect(!text.component(with: "RRULE:").contains("STATUS:CANCELLED"))
    #expect(try agent.outcome(of: message) == CancellationOutcome([0, 0, 1, 0]))
  }

  @Test func `of what is not here nothing comes, and that is told with the line`() throws {
    let agent = try AgentUnderTest()
    let message = calendar(cancellation("m", 2)).cancelling
    #expect(
      try agent.outcome(of: message) == CancellationOutcome([0, 0, 0, 0], "5 nothing-to-cancel"))
    _ = try agent.outcome(of: calendar(series))
    let before = try agent.exportedText()
    #expect(
      try agent.outcome(of: message) == CancellationOutcome([0, 0, 0, 0], "5 nothing-to-cancel"))
    let occurrence = calendar(cancellation("s", 2, "RECURRENCE-ID:20271202T080000Z")).cancelling
    #expect(
      try agent.outcome(of: occurrence) == CancellationOutcome([0, 0, 1, 0], "5 nothing-to-cancel"))
    #expect(try agent.exportedText() == before)
  }

  @Test(
    arguments: [
      "", "UID:\r\n", "UID:m\r\nRECURRENCE-ID:soon\r\n",
      "UID:" + String(repeating: "m", count: 1025) + "\r\n",
    ])
  func `what does not say what it is of is refused`(lines: String) throws {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(meeting))
    let before = try agent.exportedText()
    let message = calendar("BEGIN:VEVENT\r\n\(lines)SEQUENCE:9\r\nEND:VEVENT\r\n").cancelling
    #expect(try agent.outcome(of: message).counts == [0, 0, 0, 1])
    #expect(try agent.exportedText() == before)
  }

  /// The meeting as its organizer sends it for the first time, and after a move.
  private func invitation(_ sequence: Int, _ start: String) -> String {
    component(
      "i", "SEQUENCE:\(sequence)", "SUMMARY:Invitation", "DTSTART:\(start)",
      "ORGANIZER;CN=Cy:MAILTO:Cy@Example.org", "ATTENDEE:mailto:ana@example.org")
  }

  private func request(_ sequence: Int, _ start: String) -> String {
    calendar(invitation(sequence, start))
      .replacing("VERSION:2.0\r\n", with: "VERSION:2.0\r\nMETHOD:REQUEST\r\n")
  }

  /// Source: RFC 5546 section 2.1.4.
  @Test(arguments: [[], ["ana@example.org"]])
  func `it and an update come over what an attendee changed, who does not raise SEQUENCE`(
    addresses: [String]
  ) throws {
    let agent = try AgentUnderTest(addresses: addresses)
    _ = try agent.outcome(of: request(0, "20261201T090000Z"))
    for hour in ["10", "11"] {
      try agent.update("i", "", "", ("start", .string("2026-12-01T\(hour):00:00Z")))
    }
    #expect(try agent.event("i")["sequence"] == .uint32(0))
    #expect(try agent.texts("i")[0].contains("LAST-MODIFIED:2026112"))
    // The same invitation again is older than the change.
    #expect(try agent.outcome(of: request(0, "20261201T090000Z")).counts == [0, 0, 1, 0])
    #expect(try agent.texts("i")[0].contains("DTSTART:20261201T110000Z"))

    #expect(try agent.outcome(of: request(1, "20261202T090000Z")).counts == [0, 1, 0, 0])
    #expect(try agent.texts("i")[0].contains("DTSTART:20261202T090000Z"))
    for hour in ["10", "11"] {
      try agent.update("i", "", "", ("start", .string("2026-12-02T\(hour):00:00Z")))
    }
    let message = calendar(cancellation("i", 2)).cancelling
    #expect(try agent.outcome(of: message) == CancellationOutcome([0, 1, 0, 0]))
    #expect(try agent.texts("i")[0].contains("STATUS:CANCELLED"))
  }

  /// Source: RFC 5546 section 2.1.4.
  @Test func `occurrences of another's series are changed, ended and taken out without SEQUENCE`()
    throws
  {
    let agent = try AgentUnderTest(addresses: ["ana@example.org"])
    let daily = invitation(3, "20261201T090000Z\r\nRRULE:FREQ=DAILY;COUNT=9")
    _ = try agent.outcome(of: calendar(daily))
    let noon = ("start", Value.string("12:00"))
    try agent.update("i", "20261202T090000Z", "this", noon)
    let right = try agent.update("i", "20261207T090000Z", "this-and-future", noon)
    for (day, scope) in [("03", "this"), ("05", "this-and-future")] {
      _ = try agent.call(
        Contract.events, "Remove", ["i", "202612\(day)T090000Z", scope].map(Value.string))
    }
    #expect(try agent.texts("i").count == 2)
    for text in try agent.texts("i") { #expect(text.contains("SEQUENCE:3\r\n"), "\(text)") }
    #expect(try agent.event(right)["sequence"] == .uint32(0))
  }

  @Test func `who organizes an event raises its SEQUENCE, whatever the case of the address`() throws
  {
    let agent = try AgentUnderTest(addresses: ["cy@example.org"])
    _ = try agent.outcome(of: request(4, "20261201T090000Z"))
    try agent.update("i", "", "", ("start", .string("2026-12-01T10:00:00Z")))
    #expect(try agent.event("i")["sequence"] == .uint32(5))
  }

  @Test func `an older one changes nothing but with replace, and none does with the other modes`()
    throws
  {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(meeting))
    let before = try agent.exportedText()
    let older = calendar(cancellation("m", 0)).cancelling
    #expect(try agent.outcome(of: older) == CancellationOutcome([0, 0, 1, 0], "5 older"))
    let newer = calendar(cancellation("m", 2)).cancelling
    #expect(
      try agent.outcome(of: newer, mode: "skip-existing") == CancellationOutcome([0, 0, 1, 0]))
    #expect(
      try agent.outcome(of: newer, mode: "copy")
        == CancellationOutcome([0, 0, 0, 0], "5 nothing-to-cancel"))
    #expect(try agent.exportedText() == before)
    #expect(try agent.outcome(of: older, mode: "replace") == CancellationOutcome([0, 1, 0, 0]))
    #expect(try agent.exportedText().contains("STATUS:CANCELLED"))
  }

  @Test(arguments: [false, true])
  func `METHOD may stand behind the events`(isLong: Bool) throws {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(meeting))
    let message = calendar(cancellation("m", 2, "SUMMARY:Canceled", "DTSTART:20261201T080000Z"))
    let text = (isLong ? calendar(manyOthers) : "") + message.cancellingLate
    #expect(try agent.outcome(of: text) == CancellationOutcome([isLong ? 300 : 0, 1, 0, 0]))
    let event = try agent.exportedText().component(with: "UID:m")
    #expect(event.contains("STATUS:CANCELLED") && event.contains("SUMMARY:Meeting"))
  }

  @Test func `an answer whose METHOD stands behind it leaves the event as it is`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(meeting))
    let before = try agent.exportedText()
    let answer = calendar(cancellation("m", 2, "SUMMARY:Accepted", "DTSTART:20261201T080000Z"))
      .replacing("END:VCALENDAR", with: "METHOD:REPLY\r\nEND:VCALENDAR")
    #expect(try agent.outcome(of: answer).counts == [0, 0, 1, 0])
    #expect(try agent.exportedText() == before)
  }

  @Test func `it finds the event in another calendar, if that can be written`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    _ = try agent.outcome(of: calendar(meeting), into: "work")
    let message = calendar(cancellation("m", 2)).cancelling
    #expect(
      try agent.outcome(of: message, into: "personal")
        == CancellationOutcome([0, 0, 0, 0], "5 nothing-to-cancel"))
    _ = try agent.call(
      Contract.calendars, "Update",
      [.string("work"), .row([("read-only", .boolean(true))])])
    #expect(
      try agent.outcome(of: message) == CancellationOutcome([0, 0, 0, 1], "0 read-only-calendar"))
    _ = try agent.call(
      Contract.calendars, "Update",
      [.string("work"), .row([("read-only", .boolean(false))])])
    #expect(try agent.outcome(of: message) == CancellationOutcome([0, 1, 0, 0]))
    #expect(try agent.exportedText(of: "work").contains("STATUS:CANCELLED"))
  }

  @Test func `every calendar that has the event has it cancelled`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    _ = try agent.outcome(of: calendar(meeting), into: "work")
    _ = try agent.outcome(of: calendar(meeting), into: "personal")
    let before = try agent.exportedText()
    let message = calendar(cancellation("m", 2)).cancelling
    func cancelled() throws -> [String] {
      try ["personal", "work"].filter {
        try agent.exportedText(of: $0).contains("STATUS:CANCELLED")
      }
    }
    #expect(try agent.outcome(of: message) == CancellationOutcome([0, 2, 0, 0]))
    #expect(try cancelled() == ["personal", "work"])
    #expect(try agent.outcome(of: message) == CancellationOutcome([0, 0, 2, 0]))
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.exportedText() == before)
    // A calendar that is named is the one that is meant.
    #expect(try agent.outcome(of: message.named("Work")) == CancellationOutcome([0, 1, 0, 0]))
    #expect(try cancelled() == ["work"])
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.outcome(of: message, into: "personal") == CancellationOutcome([0, 1, 0, 0]))
    #expect(try cancelled() == ["personal"])
    // What cannot be written keeps the other from nothing.
    _ = try agent.call(Contract.events, "Undo")
    _ = try agent.call(
      Contract.calendars, "Update",
      [.string("work"), .row([("read-only", .boolean(true))])])
    #expect(try agent.outcome(of: message) == CancellationOutcome([0, 1, 0, 0]))
    #expect(try cancelled() == ["personal"])
  }

  @Test func `of many occurrences the series counts once`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(series.replacing("COUNT=4", with: "COUNT=300")))
    let days = try agent.summaries(from: "2026-12-01", to: "2027-12-01").count
    #expect(days == 300)
    let start = try #require(try? CivilDate(text: "20261201"))
    let all = (0..<250).map { day in
      let date = start.adding(days: day)?.basicText ?? ""
      return cancellation("s", 2, "RECURRENCE-ID;TZID=Europe/Berlin:\(date)T090000")
    }.joined()
    #expect(try agent.outcome(of: calendar(all).cancelling) == CancellationOutcome([0, 1, 0, 0]))
    #expect(try agent.summaries(from: "2026-12-01", to: "2027-12-01").count == 50)
  }
}
