import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// What an answer costs is counted in instances that are walked over.
@Suite struct `What comes next` {
  @Test func `after empty weeks it costs what is wanted, not all that comes`() throws {
    let agent = try AgentUnderTest()
    // The index files what has a zone some hours wider than it is, and days are passed by.
    var components = (0..<300).map { number in
      component(
        "talk-\(number)",
        "DTSTART;TZID=America/New_York:2027031\(number % 9)T\(10 + number % 8)0000",
        "RRULE:FREQ=DAILY;COUNT=2", "SUMMARY:Talk \(number)")
    }
    components += (0..<20).map { number in
      component("day-\(number)", "DTSTART;VALUE=DATE:20270301", "SUMMARY:Day \(number)")
    }
    try agent.importComponents(components.joined())
    let cache = try #require(agent.agent).cache
    let before = cache.walked
    let rows = try agent.call(Contract.calendar, "Next", [.uint32(1)])[0].asArray ?? []
    #expect(rows.first?["start-text"] == .string("2027-03-10T10:00:00-05:00"))
    #expect(cache.walked - before < 200)
  }

  @Test(arguments: [";COUNT=300", "", ";UNTIL=20500101T000000Z"])
  func `of many that go on for years, only those are looked at that have begun`(
    end: String
  ) throws {
    let agent = try AgentUnderTest()
    let components = (0..<400).map { number in
      component(
        "talk-\(number)",
        "DTSTART;TZID=Europe/Berlin:2035\(10 + number % 3)\(10 + number % 17)T\(10 + number % 8)0000",
        "RRULE:FREQ=WEEKLY\(end)", "SUMMARY:Talk \(number)")
    }
    // What has begun already, what is passed by, and what an exception has put before its series.
    let others = [
      component(
        "old", "DTSTART:20200101T090000Z", "RRULE:FREQ=YEARLY;BYMONTH=1", "EXDATE:20350101T090000Z"),
      component("days", "DTSTART;VALUE=DATE:20340101", "RRULE:FREQ=DAILY;INTERVAL=2"),
      component(
        "talk-0", "RECURRENCE-ID;TZID=Europe/Berlin:20351010T100000",
        "DTSTART;TZID=Europe/Berlin:20350901T100000", "SUMMARY:Moved"),
    ]
    try agent.importComponents((components + others).joined())
    let cache = try #require(agent.agent).cache
    func next(_ count: UInt32, of calendars: String...) throws -> (starts: [String], steps: Int) {
      let before = cache.walked
      let rows = try agent.call(Contract.calendar, "Next", [.uint32(count)])[0].asArray ?? []
      return (rows.map { $0["start-text"]?.asString ?? "" }, cache.walked - before)
    }
    let first = try next(1)
    #expect(first.starts == ["2027-01-01T09:00:00Z"])
    _ = try agent.call(Contract.events, "Remove", ["old", "", "all"].map(Value.string))
    let second = try next(2)
    // Of the others of that day the first is at eleven.
    #expect(second.starts == ["2035-09-01T10:00:00+02:00", "2035-10-10T11:00:00+02:00"])
    #expect(second.steps < 200, "\(second.steps)")
  }
}
