import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

@Suite struct `Events that go to another calendar` {
  private func prepared() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    try agent.store().put(
      calendar: CalendarInfo(id: CalendarID("work"), name: "Work", color: EventColor.palette[1]),
      now: agent.clock.now)
    try agent.addStandup()
    try agent.addDailyYoga()
    return agent
  }

  private func move(_ agent: AgentUnderTest, _ uids: [String], _ calendar: String) throws {
    _ = try agent.call(Contract.events, "Move", [.strings(uids), .string(calendar)])
  }

  @Test func `they keep their uids and everything else`() throws {
    let agent = try prepared()
    try agent.update("yoga", "20261123T090000Z", "this", ("start", .string("15:00")))
    let (before, texts) = (try agent.listing(), try agent.texts("yoga"))
    try agent.settle()
    agent.takeSignals()
    try move(agent, ["yoga", "standup", "yoga"], "work")
    #expect(try agent.event("yoga")["calendar"] == .string("work"))
    #expect(try agent.event("standup")["calendar"] == .string("work"))
    #expect(try agent.listing() == before)
    #expect(try agent.texts("yoga") == texts)
    try agent.settle()
    let signal = try #require(agent.signals("EventsChanged").first)
    #expect(signal.arguments[1] == .strings(["personal", "work"]))
    #expect(signal.arguments[2] == .strings(["yoga", "standup"]))
    try move(agent, ["yoga"], "")
    #expect(try agent.event("yoga")["calendar"] == .string("personal"))
  }

  @Test func `a reminder to come rings from the new calendar, and one that rang goes along`() throws
  {
    let agent = try prepared()
    try move(agent, ["standup"], "work")
    try agent.advance(to: "2026-11-21T08:20:00Z")
    #expect(try agent.pending().map { $0["calendar"] } == [.string("work")])
    try agent.settle()
    agent.takeSignals()
    try move(agent, ["standup"], "personal")
    try agent.settle()
    #expect(try agent.pending().map { $0["calendar"] } == [.string("personal")])
    #expect(agent.signals("ReminderDue").isEmpty)
    #expect(
      agent.signals("ReminderDismissed").map { $0.arguments[2] } == [.string("event-removed")])
  }

  @Test func `a uid that is there already moves none of them`() throws {
    let agent = try prepared()
    _ = try agent.call(
      Contract.events, "Add",
      [
        .string("work"),
        .row([
          ("uid", .string("standup")), ("summary", .string("Other")), ("start", .string("today")),
        ]),
      ])
    let error = try agent.refusal(
      Contract.events, "Move", [.strings(["yoga", "standup"]), .string("work")])
    #expect(error.name.text == CallError.Kind.conflict.rawValue)
    #expect(error.message.contains("standup"))
    #expect(try agent.event("yoga")["calendar"] == .string("personal"))
    #expect(try agent.property("Revision") == .uint64(4))
  }
}
