import CalendarBus
import DBus
import TestSupport
import Testing

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
}
