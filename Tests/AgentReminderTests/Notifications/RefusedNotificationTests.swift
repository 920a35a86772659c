import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Reminders
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

@Suite struct `A notification that is refused` {
  private func notificationProblems(_ agent: AgentUnderTest) throws -> [String] {
    try agent.property("Problems").asStrings?.filter { $0.contains("notification") } ?? []
  }

  @Test func `is asked for again, and is a problem until it is shown`() throws {
    let (agent, server) = try agentWithServer()
    server.refusals = 2
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the first refusal") { server.refusedCount > 0 }
    try agent.settle()
    #expect(
      try notificationProblems(agent)
        == ["no notification: too many notifications; it is tried again soon"])
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    #expect(server.shown.map(\.summary) == ["Standup"])
    #expect(!server.shown[0].isSilent)
    #expect(try notificationProblems(agent) == [])
    #expect(agent.log.filter { $0.contains("no notification can be shown") }.count == 1)
    #expect(agent.signals("ReminderDue").count == 1)
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(agent.onlyReminder())])
    try agent.wait(for: "the end of the notification") { server.open.isEmpty }
  }

  @Test func `is no problem where the server only wants it later`() throws {
    let (agent, server) = try agentWithServer()
    server.refused = ["Standup"]
    server.refusal = DBusError(
      "org.freedesktop.Notifications.Error.ExcessNotificationGeneration",
      "Created too many similar notifications in quick succession")
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the refusal") { server.refusedCount > 0 }
    try agent.settle()
    #expect(try notificationProblems(agent) == [])
    server.refused = []
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    #expect(server.shown.map(\.summary) == ["Standup"])
    #expect(!agent.log.contains { $0.contains("no notification can be shown") })
  }

  @Test func `is one where the server wants it later at first, and then has another reason`() throws
  {
    let (agent, server) = try agentWithServer()
    server.refused = ["Standup"]
    server.refusal = DBusError(NotificationRetry.tooManyAtOnce, "Created too many")
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the first refusal") { server.refusedCount == 1 }
    server.refusal = DBusError(.failed, "no display")
    try agent.wait(for: "the second") { server.refusedCount == 2 }
    try agent.settle()
    #expect(
      try notificationProblems(agent)
        == ["no notification: no display; it is tried again soon"])
    #expect(agent.log.filter { $0.contains("no notification can be shown") }.count == 1)
    server.refused = []
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    #expect(try notificationProblems(agent) == [])
  }

  @Test func `is one where the server goes on refusing it`() throws {
    let (agent, server) = try agentWithServer()
    server.refusals = NotificationRetry.patience
    server.refusal = DBusError(NotificationRetry.tooManyAtOnce, "Created too many")
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    #expect(agent.log.filter { $0.contains("no notification can be shown") }.count == 1)
    #expect(try notificationProblems(agent) == [])
  }

  @Test func `keeps no other from being shown, and is asked for again with the next`() throws {
    let (agent, server) = try agentWithServer()
    server.refused = ["Standup"]
    try agent.addStandup()
    _ = try agent.add("Tea", at: "2026-11-21 09:20", reminders: "4m")
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.advance(to: "2026-11-21T08:16:00Z")
    try agent.wait(for: "the other") { !server.shown.isEmpty }
    try agent.wait(for: "another refusal") { server.refusedCount > 1 }
    try agent.settle()
    #expect(server.shown.map(\.summary) == ["Tea"])
    #expect(
      try notificationProblems(agent)
        == [
          "the server refuses 1 notification, but shows others: too many notifications; it is "
            + "tried again soon"
        ])
    server.refused = []
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    try agent.settle()
    #expect(server.shown.map(\.summary) == ["Tea", "Standup"])
    #expect(try notificationProblems(agent) == [])
  }

  @Test func `is not asked for once its reminder is dismissed`() throws {
    let (agent, server) = try agentWithServer()
    server.refused = ["Standup"]
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the refusal") { server.refusedCount > 0 }
    try agent.settle()
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(agent.onlyReminder())])
    server.refused = []
    _ = try agent.add("Tea", at: "2026-11-21 09:20", reminders: "4m")
    try agent.advance(to: "2026-11-21T08:16:00Z")
    try agent.wait(for: "the other") { !server.shown.isEmpty }
    try agent.settle()
    #expect(server.shown.map(\.summary) == ["Tea"])
  }

  @Test func `is asked for again of the server that the bus starts after one that crashed`() throws
  {
    let bus = try PrivateBus(services: [
      "org.freedesktop.Notifications.service": """
      [D-BUS Service]
      Name=org.freedesktop.Notifications
      Exec=/bin/sh -c 'dbus-send --bus="$DBUS_STARTER_ADDRESS" --type=signal / test.Server.Started; exec sleep 30'

      """
    ])
    let agent = try AgentUnderTest(notifications: true, bus: bus)
    var isStarted = false
    let watch = try agent.client.subscribe(
      MatchRule(interface: "test.Server", member: "Started")
    ) { _ in isStarted = true }
    let first = try NotificationServer(agent)
    try agent.settle()
    try agent.addStandup()
    first.isSlow = true
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "what is asked for") { !first.shown.isEmpty }
    try first.quit(agent)
    // Nobody but the agent asks for a server.
    try agent.wait(for: "another server") { isStarted }
    let second = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !second.shown.isEmpty }
    for _ in 0..<2 { try agent.settle() }
    #expect(second.shown.map(\.summary) == ["Standup"])
    withExtendedLifetime(watch) {}
  }
}
