import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `A year without the agent` {
  /// Tea at 11 in Berlin each day, with a reminder five minutes before it.
  private let daily = component(
    "tea", "DTSTART;TZID=Europe/Berlin:20261101T110000", "DURATION:PT30M", "SUMMARY:Tea",
    "RRULE:FREQ=DAILY", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT5M",
    "END:VALARM")

  /// Lets a year pass, and an agent come back.
  private func comeBack(_ agent: AgentUnderTest) throws {
    agent.clock.advance(to: try Timestamp(text: "2027-11-21T12:00:00Z"))
    try agent.start()
    // A look tells of some, and asks for the next at once.
    agent.clock.deliver()
  }

  private func due(_ agent: AgentUnderTest) -> [String] {
    agent.signals("ReminderDue").map {
      Timestamp(seconds: $0.arguments[4].asInteger ?? 0).description
    }
  }

  @Test func `one digest tells of a daily series what is not too old, and counts the others`()
    throws
  {
    let (agent, server) = try agentWithServer()
    try agent.importComponents(daily)
    // What was told before is not counted again, answered or not.
    try agent.advance(to: "2026-11-21T12:00:00Z")
    _ = try agent.call(Contract.reminders, "DismissAll")
    try agent.settleNotifications()
    #expect(due(agent) == ["2026-11-21T09:55:00Z"])
    agent.stop()
    agent.takeSignals()
    let before = server.shown.count
    try comeBack(agent)
    try agent.wait(for: "the digest") { server.shown.count > before }
    try agent.settleNotifications()
    // Of the 365 days since, the last is told: its reminder is two hours old.
    #expect(due(agent) == ["2027-11-21T09:55:00Z"])
    #expect(agent.signals("ReminderDue")[0].arguments[5]["missed"] == .boolean(true))
    #expect(agent.signals("ReminderDue")[0].arguments[5]["late"] == .uint32(7500))
    #expect(server.shown.dropFirst(before).map(\.summary) == ["365 reminders while you were away"])
    #expect(
      server.shown.last?.body == "11:00  Tea (over)\n"
        + "364 are too old to be shown (calctl reminders --missed)")
    #expect(try agent.pending().count == 1)
    #expect(agent.changes(of: "PendingReminders") == [.uint32(1)])
    // In the ledger they are told apart, and the last is behind them.
    let rows = try agent.call(Contract.reminders, "Why", [.string("tea"), .string("")])[0].asArray
    let past = (rows ?? []).filter { $0["due"]?.asInteger ?? 0 <= agent.clock.now.seconds }
    #expect(past.last?["state"] == .string("delivered"))
    let closed = past.filter { $0["state"] == .string("closed") }
    #expect(!closed.isEmpty && closed.allSatisfy { $0["reason"] == .string("missed") })
  }

  @Test func `it is told once, and the next day is as ever`() throws {
    let (agent, server) = try agentWithServer()
    try agent.importComponents(daily)
    agent.stop()
    try comeBack(agent)
    try agent.wait(for: "the digest") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["366 reminders while you were away"])
    agent.takeSignals()
    agent.stop()
    try agent.start()
    try agent.settleNotifications()
    #expect(due(agent) == [])
    // The digest stays in its place, silently, with what waits and what it counts.
    #expect(server.shown.dropFirst().map(\.summary) == ["365 reminders while you were away"])
    #expect(
      server.shown.last?.body == "still pending: Tea\n"
        + "365 are too old to be shown (calctl reminders --missed)")
    #expect(server.shown.last?.replaces == 1 && server.shown.last?.isSilent == true)
    #expect(server.open == [1])
    try agent.advance(to: "2027-11-22T10:00:00Z")
    try agent.settleNotifications()
    #expect(due(agent) == ["2027-11-22T09:55:00Z"])
    #expect(agent.signals("ReminderDue")[0].arguments[5]["missed"] == .boolean(false))
  }
}
