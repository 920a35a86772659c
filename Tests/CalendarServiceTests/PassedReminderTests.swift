import CalendarBus
import DBus
import TestSupport
import Testing

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
    // What is over, or going on, is no matter of reminders; of what repeats others come.
    ("DTSTART:20261121T075900Z\r\nDTEND:20261121T090000Z", ":-PT15M", false),
    ("DTSTART:20261121T080500Z\r\nRRULE:FREQ=DAILY", ":-PT15M", false),
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

  @Test func `are told of the calendar's own, and once for all`() throws {
    let agent = try AgentUnderTest(now: Self.now)
    _ = try agent.call(
      Contract.calendars, "Update",
      [.string("personal"), .row([("reminders", .strings(["15m"]))])])
    let many = (0..<12).map { component("e\($0)", "SUMMARY:E\($0)", "DTSTART:20261121T080500Z") }
    let names = (0..<10).map { "\"E\($0)\" (e\($0))" }.joined(separator: ", ")
    #expect(
      try told(agent, many.joined()) == [
        "0:0 passed-reminders: 12 events that are still ahead have reminders that have passed, and will not ring: "
          + "\(names) and 2 more"
      ])
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
}
