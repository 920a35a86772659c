import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// What an import answers: added, updated, skipped, failed; and the words of the problems.
  fileprivate func take(
    _ text: String, mode: String = ""
  ) throws -> (counts: [Int64], problems: [String]) {
    let (counts, problems) = try importing(text, mode: mode)
    return (counts, problems.map { $0["problem"]?.asString ?? "" })
  }
}

/// Source: RFC 5546 section 3.2.4.
@Suite struct `A day that is added to a series` {
  private let series = calendar(
    component(
      "s", "SEQUENCE:1", "SUMMARY:Daily", "DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY;COUNT=3"))
  private func addition(_ lines: String...) -> String {
    component(
      "s",
      (["SEQUENCE:2", "SUMMARY:More", "DTSTART:20261210T120000Z"] + lines)
        .joined(separator: "\r\n"))
  }

  @Test(arguments: ["merge", "replace"])
  func `it takes nothing of what is there, and is told`(mode: String) throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(series)
    let before = try agent.exportedText()
    let outcome = try agent.take(message("ADD", addition()), mode: mode)
    #expect(outcome.counts == [0, 0, 1, 0])
    #expect(outcome.problems == ["method-ignored", "added-day"])
    #expect(try agent.exportedText() == before)
  }

  @Test func `beside its series in one text it counts for nothing`() throws {
    for isFirst in [true, false] {
      let agent = try AgentUnderTest()
      let added = message("ADD", addition())
      #expect(try agent.take(isFirst ? added + series : series + added).counts == [1, 0, 0, 0])
      #expect(try agent.summaries(from: "2026-12-01", to: "2027-01-01").count == 3, "\(isFirst)")
    }
  }

  @Test func `of a series that is not there it is read as it stands`() throws {
    let agent = try AgentUnderTest()
    let outcome = try agent.take(message("ADD", addition()))
    #expect(outcome.counts == [1, 0, 0, 0])
    #expect(outcome.problems == ["method-ignored"])
    #expect(try agent.summaries(from: "2026-12-01", to: "2027-01-01") == ["More"])
  }

  @Test func `one with a RECURRENCE-ID is a changed occurrence`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(series)
    let changed = message("ADD", addition("RECURRENCE-ID:20261202T090000Z"))
    #expect(try agent.take(changed).counts == [0, 1, 0, 0])
    #expect(
      try agent.summaries(from: "2026-12-01", to: "2027-01-01") == ["Daily", "Daily", "More"])
  }
}

/// A feed of which each download has a DTSTAMP of its own.
///
/// Source: RFC 5545 section 3.8.7.2.
@Suite struct `A feed that says with METHOD when it was made` {
  private func event(_ stamp: String, _ lines: String...) -> String {
    "BEGIN:VEVENT\r\nUID:f\r\nDTSTAMP:\(stamp)\r\nDTSTART:20261201T090000Z\r\n"
      + lines.map { $0 + "\r\n" }.joined() + "END:VEVENT\r\n"
  }
  /// Before the agent's clock, and long after it.
  private let first = "20261101T080000Z"
  private let later = "20270101T080000Z"

  @Test(arguments: ["PUBLISH", "publish"])
  func `what was changed here stays, and that is told`(method: String) throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(message(method, event(first, "SUMMARY:Theirs")))
    try agent.update("f", "", "", ("summary", .string("Mine")))
    try agent.update("f", "", "", ("reminders", .strings(["PT5M"])))
    for summary in ["Theirs", "Theirs anew"] {
      let outcome = try agent.take(message(method, event(later, "SUMMARY:\(summary)")))
      #expect(outcome.counts == [0, 0, 1, 0])
      #expect(outcome.problems.last == "older")
    }
    #expect(try agent.event("f")["summary"] == .string("Mine"))
    #expect(try agent.event("f")["reminders"]?.asStrings == ["PT5M"])
  }

  // Source: RFC 5546 section 2.1.5.
  @Test func `of a request it is the order`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(message("REQUEST", event(first, "SUMMARY:Theirs")))
    try agent.update("f", "", "", ("summary", .string("Mine")))
    #expect(try agent.take(message("REQUEST", event(later, "SUMMARY:Anew"))).counts[1] == 1)
    #expect(try agent.event("f")["summary"] == .string("Anew"))
  }

  @Test func `of a changed occurrence that is added, too`() throws {
    let agent = try AgentUnderTest()
    let rule = "RRULE:FREQ=DAILY;COUNT=3"
    _ = try agent.take(message("REQUEST", event(first, "SUMMARY:Theirs", rule)))
    try agent.update("f", "20261202T090000Z", "this", ("summary", .string("Mine")))
    _ = try agent.take(
      message("ADD", event(later, "RECURRENCE-ID:20261202T090000Z", "SUMMARY:Anew")))
    #expect(try agent.summaries(from: "2026-12-01", to: "2026-12-04").contains("Anew"))
  }

  @Test func `so does an occurrence that was changed here`() throws {
    let agent = try AgentUnderTest()
    let rule = "RRULE:FREQ=DAILY;COUNT=3"
    _ = try agent.take(message("PUBLISH", event(first, "SUMMARY:Theirs", rule)))
    try agent.update("f", "20261202T090000Z", "this", ("summary", .string("Mine")))
    _ = try agent.take(message("PUBLISH", event(later, "SUMMARY:Anew", rule)))
    #expect(
      try agent.summaries(from: "2026-12-01", to: "2026-12-04") == ["Anew", "Mine", "Anew"])
  }

  @Test func `a change of its own comes over, by SEQUENCE or LAST-MODIFIED`() throws {
    for line in ["SEQUENCE:1", "LAST-MODIFIED:20270101T080000Z"] {
      let agent = try AgentUnderTest()
      _ = try agent.take(message("PUBLISH", event(first, "SUMMARY:Theirs")))
      try agent.update("f", "", "", ("summary", .string("Mine")))
      let outcome = try agent.take(message("PUBLISH", event(later, "SUMMARY:Anew", line)))
      #expect(outcome.counts == [0, 1, 0, 0], "\(line)")
      #expect(try agent.event("f")["summary"] == .string("Anew"), "\(line)")
    }
  }

  @Test func `what nobody has changed here follows it`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(message("PUBLISH", event(first, "SUMMARY:Theirs")))
    #expect(try agent.take(message("PUBLISH", event(later, "SUMMARY:Theirs"))).counts[2] == 1)
    let outcome = try agent.take(message("PUBLISH", event(later, "SUMMARY:Anew")))
    #expect(outcome.counts == [0, 1, 0, 0] && outcome.problems.isEmpty)
    #expect(try agent.event("f")["summary"] == .string("Anew"))
    // An older download stays out.
    #expect(try agent.take(message("PUBLISH", event(first, "SUMMARY:Old"))).problems == ["older"])
  }

  @Test func `METHOD may stand behind the events`() throws {
    let agent = try AgentUnderTest()
    func feed(_ stamp: String, _ summary: String) -> String {
      calendar(event(stamp, "SUMMARY:\(summary)"))
        .replacing("END:VCALENDAR", with: "METHOD:PUBLISH\r\nEND:VCALENDAR")
    }
    _ = try agent.take(feed(first, "Theirs"))
    try agent.update("f", "", "", ("summary", .string("Mine")))
    #expect(try agent.take(feed(later, "Theirs")).counts == [0, 0, 1, 0])
    #expect(try agent.event("f")["summary"] == .string("Mine"))
  }

  @Test func `without METHOD DTSTAMP is when the event was changed`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(calendar(event(first, "SUMMARY:Theirs")))
    try agent.update("f", "", "", ("summary", .string("Mine")))
    #expect(try agent.take(calendar(event(later, "SUMMARY:Anew"))).counts == [0, 1, 0, 0])
  }
}

@Suite struct `What is told of a METHOD` {
  private static let whole = "its events are read as they are"
  private static let answer =
    "it answers an invitation, and is no version of the event: nothing is changed"

  @Test(arguments: [
    ("PUBLISH", nil), ("REQUEST", whole), ("X-NEW", whole), ("REPLY", answer), ("COUNTER", answer),
    ("REFRESH", answer), ("DECLINECOUNTER", answer),
    ("ADD", "it adds occurrences to series; where a series is missing, they are events"),
  ])
  func `it says what that does`(method: String, remark: String?) throws {
    let agent = try AgentUnderTest()
    let text = message(method, component("m", "DTSTART:20261201T090000Z"))
    if remark == Self.answer {
      _ = try agent.importing(calendar(component("m", "DTSTART:20261201T090000Z")))
    }
    #expect(
      try agent.importTelling(text).problems.filter { !$0.contains(" answer: ") }
        == (remark.map { ["3:8 method-ignored: METHOD \(method): \($0)"] } ?? []))
  }

  @Test func `it is told once, however many calendars of a text have it`() throws {
    let agent = try AgentUnderTest()
    let text = ["a", "b", "c"].map { uid in
      message(uid == "b" ? "X-NEW" : "REQUEST", component(uid, "DTSTART:20261201T090000Z"))
    }.joined()
    let told = try agent.importTelling(text).problems
    #expect(told.map { $0.prefix { $0 != ":" } } == ["3", "13"])
    #expect(told.allSatisfy { $0.contains("method-ignored: METHOD ") })
  }

  @Test func `each that a text has is told, also where another does the same`() throws {
    let agent = try AgentUnderTest()
    let event = component("m", "DTSTART:20261201T090000Z")
    _ = try agent.importing(calendar(event))
    let methods = ["X-NEW", "X-OTHER", "x-new", "REPLY", "COUNTER", "CANCEL", "REPLY", "cancel"]
    let text = methods.map { message($0, event) }.joined()
    let told = try agent.importTelling(text).problems.filter { $0.contains(": METHOD ") }
    #expect(
      told.map { $0.split(separator: " ")[1...3].joined(separator: " ") } == [
        "method-ignored: METHOD X-NEW:", "method-ignored: METHOD X-OTHER:",
        "method-ignored: METHOD REPLY:", "method-ignored: METHOD COUNTER:",
        "cancellation: METHOD CANCEL:",
      ])
  }
}

/// Source: RFC 5546 sections 3.2.3, 3.2.6 and 3.2.8.
@Suite struct `An answer without a start` {
  @Test(arguments: ["REPLY", "REFRESH", "DECLINECOUNTER"], [true, false])
  func `it is told as the answer that it is, and breaks nothing`(
    method: String, isThere: Bool
  ) throws {
    let agent = try AgentUnderTest()
    if isThere { _ = try agent.take(calendar(component("m", "DTSTART:20261201T090000Z"))) }
    let before = try agent.exportedText()
    let answer = message(
      method, component("m", "ORGANIZER:mailto:cy@example.org", "ATTENDEE:mailto:bob@example.org"))
    let outcome = try agent.take(answer)
    #expect(outcome.counts == (isThere ? [0, 0, 1, 0] : [0, 0, 0, 1]))
    #expect(outcome.problems.sorted() == ["answer", "method-ignored"])
    #expect(try agent.exportedText() == before)
  }

  @Test func `an event without a start is broken all the same`() throws {
    let agent = try AgentUnderTest()
    let outcome = try agent.take(message("REQUEST", component("m", "SUMMARY:Meeting")))
    #expect(outcome.counts == [0, 0, 0, 1])
    #expect(outcome.problems.contains("missing-dtstart"))
  }
}
