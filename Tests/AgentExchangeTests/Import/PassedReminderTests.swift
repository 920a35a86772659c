import CalendarBus
import CalendarModel
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// What an import says of reminders that have passed, of events that have not.
@Suite struct `Reminders that an import comes too late for` {
  /// In Berlin, at nine o'clock.
  private static let now = "2026-11-21T08:00:00Z"

  private func alarm(_ trigger: String) -> String {
    "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER\(trigger)\r\nEND:VALARM"
  }

  private func told(_ agent: AgentUnderTest, _ text: String, mode: String = "") throws -> [String] {
    try agent.importTelling(calendar(text), mode: mode).problems.filter {
      $0.contains("passed-reminders")
    }
  }

  private let one = ["0:0 passed-reminders: its reminder has passed, and will not ring"]

  @Test(arguments: [
    // A moment is as good as one that counts from the start.
    ("DTSTART:20261121T080500Z", ":-PT15M", true),
    ("DTSTART:20261125T080000Z", ";VALUE=DATE-TIME:20261121T075959Z", true),
    ("DTSTART;VALUE=DATE:20261122", ":-P1D", true),
    ("DTSTART;TZID=America/New_York:20261121T040500", ":-P1W", true),
    // This very second is still to come.
    ("DTSTART:20261121T081500Z", ":-PT15M", false),
    ("DTSTART:20261121T080500Z", ":-PT1M", false),
    ("DTSTART:20261121T080500Z\r\nSTATUS:CANCELLED", ":-PT15M", false),
    // What is over, or going on, is no matter of reminders.
    ("DTSTART:20261121T075900Z\r\nDTEND:20261121T090000Z", ":-PT15M", false),
  ])
  func `are told where the event is ahead`(time: String, trigger: String, isTold: Bool) throws {
    let agent = try AgentUnderTest(now: Self.now)
    let event = component("a", time, alarm(trigger))
    #expect(try told(agent, event) == (isTold ? one : []))
    // What was told, or has rung, is not told again.
    #expect(try told(agent, event, mode: "replace") == [])
    #expect(
      try told(agent, event.replacing("DTSTAMP", with: "SUMMARY:A\r\nDTSTAMP"), mode: "replace")
        == [])
  }

  @Test func `where another one is still to ring that is not said of it`() throws {
    let agent = try AgentUnderTest(now: Self.now)
    let event = component("a", "DTSTART:20261121T080500Z", alarm(":-PT15M"), alarm(":-PT1M"))
    #expect(
      try told(agent, event)
        == ["0:0 passed-reminders: one of its reminders has passed, and will not ring"])
  }

  @Test(arguments: [
    ("DTSTART:20261121T080500Z\r\nRRULE:FREQ=DAILY", ":-PT15M", true),
    // However long ago it began, and how late it is in its day.
    ("DTSTART:19900101T080500Z\r\nRRULE:FREQ=DAILY", ":-PT15M", true),
    ("DTSTART;TZID=America/New_York:19900101T040500\r\nRRULE:FREQ=DAILY", ":-P1D", true),
    ("DTSTART;VALUE=DATE:19901122\r\nRRULE:FREQ=YEARLY", ":-P1D", true),
    ("DTSTART:19900101T080500Z\r\nRRULE:FREQ=DAILY", ":-PT5M", false),
    ("DTSTART:19900101T075900Z\r\nRRULE:FREQ=DAILY", ":-PT15M", false),
    ("DTSTART:20261122T080500Z\r\nRRULE:FREQ=DAILY", ":-PT15M", false),
    ("DTSTART:19900101T080500Z\r\nRRULE:FREQ=DAILY;COUNT=3", ":-PT15M", false),
    (
      "DTSTART:19900101T080500Z\r\nRRULE:FREQ=DAILY\r\nEXDATE:20261121T080500Z", ":-PT15M", false
    ),
    ("DTSTART:19900101T080500Z\r\nRRULE:FREQ=DAILY", ";VALUE=DATE-TIME:20261121T075959Z", false),
  ])
  func `are told of what repeats where its next occurrence is ahead`(
    time: String, trigger: String, isTold: Bool
  ) throws {
    let agent = try AgentUnderTest(now: Self.now)
    let event = component("a", time, alarm(trigger))
    let words = "its reminder has passed for its next occurrence, and will not ring"
    #expect(try told(agent, event) == (isTold ? ["0:0 passed-reminders: \(words)"] : []))
    #expect(
      try told(agent, event.replacing("DTSTAMP", with: "SUMMARY:A\r\nDTSTAMP"), mode: "replace")
        == [])
  }

  @Test(arguments: [
    // What is behind the next one is no matter yet.
    (":-P14D", "X-NOTE:1", false), ("", ":-P2D", true), ("", ":-PT1H", false),
    (":-P14D", ":-P2D", true),
    // What does not take place is not the next one.
    (":-P14D", "STATUS:CANCELLED", true), (":-P5D", "STATUS:CANCELLED", false),
  ])
  func `are those of the next occurrence, also of one that was changed`(
    ofAll: String, ofNext: String, isTold: Bool
  ) throws {
    let agent = try AgentUnderTest(now: Self.now)
    let weekly = component(
      "a", "DTSTART:20261115T080000Z", "RRULE:FREQ=WEEKLY",
      ofAll.isEmpty ? "X-NOTE:1" : alarm(ofAll))
    let next = component(
      "a", "RECURRENCE-ID:20261122T080000Z", "DTSTART:20261122T100000Z",
      ofNext.hasPrefix(":") ? alarm(ofNext) : ofNext)
    let words = "its reminder has passed for its next occurrence, and will not ring"
    #expect(try told(agent, weekly + next) == (isTold ? ["0:0 passed-reminders: \(words)"] : []))
  }

  @Test func `are told of the calendar's own, and once for all`() throws {
    let agent = try AgentUnderTest(now: Self.now)
    _ = try agent.call(
      Contract.calendars, "Update",
      [.string("personal"), .row([("reminders", .strings(["15m"]))])])
    let many = (0..<12).map { component("e\($0)", "SUMMARY:E\($0)", "DTSTART:20261121T080500Z") }
    let names = (0..<10).map { "\"E\($0)\" (e\($0))" }.joined(separator: ", ")
    #expect(
      try told(agent, many.joined()) == [
        "0:0 passed-reminders: 12 future events have reminders that have passed, and will not ring: "
          + "\(names) and 2 more"
      ])
    let two = ["x", "y"].map { component($0, "DTSTART:19900101T080500Z\r\nRRULE:FREQ=DAILY") }
    #expect(
      try told(agent, two.joined()) == [
        "0:0 passed-reminders: 2 future events have reminders that have passed, and will not ring "
          + "(for a series, those of its next occurrence): x, y"
      ])
  }

  /// A short text is read here, a long one by a thread.
  @Test(arguments: [1, CalendarReadingThread.leastOctets])
  func `are told of those of a calendar that a folder becomes, whose others ring`(octets: Int)
    throws
  {
    let agent = try AgentUnderTest(now: Self.now, newCalendars: .usual)
    let events = [
      component("a", "DTSTART:20261121T080500Z", "X-NOTE:" + String(repeating: "x", count: octets)),
      component("b", "DTSTART:20261121T120000Z"),
    ]
    // What stands behind its events has the text read again.
    let path = try agent.files.write(calendar(events.joined() + "METHOD:PUBLISH\r\n"), to: "a.ics")
    let answer = try agent.finishImport(
      agent.beginImport(try .opening(path), ("name", .string("Work"))))
    #expect(ImportAnswer(answer).counts == [2, 0, 0, 0])
    let rows = answer[1].asArray ?? []
    let passed = rows.filter { $0["problem"] == .string("passed-reminders") }
    #expect(passed.map { $0["uid"] } == [.string("a")])
    try agent.advance(to: "2026-11-21T11:45:00Z")
    #expect(try agent.pending().map { $0["uid"]?.asString ?? "?" } == ["b"])
  }

  @Test func `are told of what comes over something that has rung at another time`() throws {
    let agent = try AgentUnderTest(now: Self.now)
    func event(_ time: String, _ sequence: Int) -> String {
      component("a", "SEQUENCE:\(sequence)", "DTSTART:20261121T\(time)Z", alarm(":-PT15M"))
    }
    #expect(try told(agent, event("120000", 0)) == [])
    #expect(try told(agent, event("081000", 1)) == one)
    // One that waits goes along with the event.
    #expect(try told(agent, event("082000", 2)) == [])
    try agent.advance(to: "2026-11-21T08:05:00Z")
    #expect(try agent.pending().count == 1)
    #expect(try told(agent, event("081500", 3)) == [])
  }

  @Test func `of a series that becomes one event its occurrence there has rung, and no other`()
    throws
  {
    let agent = try AgentUnderTest(now: Self.now)
    func event(_ time: String, _ sequence: Int, _ rule: String = "") -> String {
      component("a", "SEQUENCE:\(sequence)", "DTSTART:\(time)\(rule)", alarm(":-PT15M"))
    }
    let daily = event("19900101T080500Z", 0, "\r\nRRULE:FREQ=DAILY")
    #expect(try told(agent, daily).count == 1)
    #expect(try told(agent, event("20261121T080500Z", 1)) == [])
    #expect(try told(agent, daily, mode: "replace") == [])
    #expect(try told(agent, event("20261121T081000Z", 1)) == one)
  }

  @Test func `are told before a thousand other things`() throws {
    let agent = try AgentUnderTest(now: Self.now)
    // Of each of these is told that what is here is newer.
    func old(_ sequence: Int) -> String {
      (0..<1001).map {
        component(
          "o\($0)", "SEQUENCE:\(sequence)", "SUMMARY:\(sequence)", "DTSTART:20270121T080500Z")
      }.joined()
    }
    #expect(try told(agent, old(1)) == [])
    let text = old(0) + component("a", "DTSTART:20261121T080500Z", alarm(":-PT15M"))
    #expect(try told(agent, text) == one)
  }
}
