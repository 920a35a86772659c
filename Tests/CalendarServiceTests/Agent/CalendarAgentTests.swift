import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `The end of an agent` {
  @Test func `none of its parts outlives it`() throws {
    let test = try AgentUnderTest()
    _ = try test.add("Tea", at: "2026-11-21 16:00")
    _ = try test.call(Contract.events, "Undo")
    _ = try test.call(Contract.calendar, "Snapshot")
    try test.settle()
    let agent = try #require(test.agent)
    weak let storage = agent.storage
    weak let store = agent.storage.current
    weak let server = agent.server
    weak let changes = agent.changes
    weak let reminders = agent.reminders
    weak let clock = agent.agentClock
    weak let snapshot = agent.snapshot
    #expect(storage != nil && store != nil)
    _ = consume agent
    test.stop()
    #expect(test.agent == nil)
    #expect(storage == nil)
    #expect(store == nil)
    #expect(server == nil)
    #expect(changes == nil)
    #expect(reminders == nil)
    #expect(clock == nil)
    #expect(snapshot == nil)
  }
}
