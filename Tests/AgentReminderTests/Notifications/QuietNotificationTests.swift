import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

@Suite struct `What could not be shown before quiet time` {
  private func prepared(
    quietHours: String? = nil, later: PendingReplies.Later? = nil
  ) throws -> (AgentUnderTest, NotificationServer) {
    let agent = try AgentUnderTest(
      notifications: true, quietHours: quietHours, notificationsLater: later)
    let server = try NotificationServer(agent)
    try agent.settle()
    return (agent, server)
  }

  private func isTriedAgain(_ agent: AgentUnderTest) -> Bool {
    agent.agent?.notifier?.problem?.contains("tried again") ?? false
  }

  @Test func `that nothing can be told is told once it is over`() throws {
    let (agent, server) = try prepared(quietHours: "sat 9:10-9:20")
    try agent.addStandup()
    try agent.store().database.execute("PRAGMA query_only = 1")
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let problems = try agent.property("Problems").asStrings ?? []
    #expect(problems.contains { $0.hasPrefix("reminders are paused") }, "\(problems)")
    try agent.settleNotifications()
    #expect(server.shown.isEmpty)
    try agent.advance(to: "2026-11-21T08:20:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["Reminders are paused"])
  }

  @Test func `that nothing can be told is not told once more after it`() throws {
    let (agent, server) = try prepared(quietHours: "sat 9:16-9:18")
    try agent.addStandup()
    try agent.store().database.execute("PRAGMA query_only = 1")
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    for minute in 16...19 { try agent.advance(to: "2026-11-21T08:\(minute):00Z") }
    try agent.settleNotifications()
    #expect(server.shown.count == 1)
  }

  @Test func `a notification that was refused is shown once it is over`() throws {
    let laters = Laters()
    let (agent, server) = try prepared(later: laters.add)
    server.refused = ["Standup"]
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the refusal") { server.refusedCount > 0 }
    try agent.settleNotifications()
    #expect(isTriedAgain(agent))
    _ = try agent.call(Contract.calendar, "SetQuiet", [.string("10m")])
    laters.run()
    try agent.settleNotifications()
    #expect(!isTriedAgain(agent))
    #expect(server.refusedCount == 1)
    #expect(try agent.pending().map { $0["quiet"] } == [.boolean(true)])
    server.refused = []
    try agent.advance(to: "2026-11-21T08:25:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["Standup"])
    #expect(!server.shown[0].isSilent)
    #expect(agent.signals("ReminderDue").count == 1)
  }

  @Test func `a server that takes other words is not asked for what it had refused`() throws {
    let laters = Laters()
    let (agent, server) = try prepared(later: laters.add)
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    server.refused = ["Tea"]
    _ = try agent.add("Tea", at: "2026-11-21 09:20", reminders: "4m")
    try agent.advance(to: "2026-11-21T08:16:00Z")
    try agent.wait(for: "the refusal") { server.refusedCount > 0 }
    try agent.settleNotifications()
    #expect(isTriedAgain(agent))
    _ = try agent.call(Contract.calendar, "SetQuiet", [.string("14m")])
    server.refused = []
    // The words of the one on the screen are others ten minutes before its start.
    try agent.advance(to: "2026-11-21T08:20:00Z")
    try agent.wait(for: "the words") { server.shown.count == 2 }
    try agent.settleNotifications()
    #expect(!isTriedAgain(agent))
    #expect(server.shown.map(\.summary) == ["Standup", "Standup"])
    #expect(server.shown[1].isSilent)
    try agent.advance(to: "2026-11-21T08:30:00Z")
    try agent.wait(for: "the other") { server.shown.contains { $0.summary == "Tea" } }
  }

  @Test func `what a refused digest counted is counted by the next, and the problem goes`() throws {
    let laters = Laters()
    let (agent, server) = try prepared(later: laters.add)
    _ = try agent.add("Call", at: "2026-11-22 10:00", reminders: "5m")
    server.refused = ["1 reminder while you were away"]
    agent.clock.set(to: try Timestamp(text: "2026-11-25T11:00:00Z"))
    try agent.wait(for: "the refusal") { server.refusedCount > 0 }
    try agent.settleNotifications()
    #expect(isTriedAgain(agent))
    _ = try agent.call(Contract.calendar, "SetQuiet", [.string("10m")])
    laters.run()
    try agent.settleNotifications()
    #expect(!isTriedAgain(agent))
    server.refused = []
    #expect(server.refusedCount == 1)
    try agent.advance(to: "2026-11-25T11:10:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map(\.body) == ["1 is too old to be shown (calctl reminders --missed)"])
    #expect(agent.agent?.notifier?.problem == nil)
  }
}
