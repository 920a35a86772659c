import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

@Suite struct `Two reminders of one occurrence` {
  @Test func `are one notification, with a sound each, and go together`() throws {
    let (agent, server) = try AgentUnderTest.showing("15m 10m")
    try agent.advance(to: "2026-11-21T08:20:00Z")
    try agent.wait(for: "the second") { agent.signals("ReminderDue").count == 2 }
    try agent.settleNotifications()
    #expect(server.open == [1])
    #expect(server.shown.last?.replaces == 1)
    #expect(server.shown.contains { $0.replaces == 1 && !$0.isSilent })
    #expect(try agent.pending().count == 2)
    server.invoke(1, "dismiss", closes: false)
    try agent.wait(for: "the dismissals") { agent.signals("ReminderDismissed").count == 2 }
    #expect(try agent.pending() == [])
  }

  @Test func `that wait for a slow server stand for both, also after an edit`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    server.isSlow = true
    try agent.settle()
    _ = try agent.add(
      ("uid", .string("standup")), ("summary", .string("Standup")),
      ("start", .string("2026-11-21 09:30")), ("reminders", .strings(["15m", "10m", "9m"])))
    try agent.advance(to: "2026-11-21T08:21:00Z")
    try agent.editStandupOnly([("summary", .string("Planning"))])
    #expect(server.shown.count == 1)
    server.answerHeld()
    try agent.wait(for: "the words of now") { server.shown.last?.summary == "Planning" }
    try agent.settleNotifications()
    for row in try agent.pending() {
      #expect(server.open == [1])
      _ = try agent.call(Contract.reminders, "Dismiss", [try #require(row["id"])])
      try agent.settle()
    }
    #expect(server.open == [])
  }

  @Test func `that come at once are one as well`() throws {
    let (agent, server) = try AgentUnderTest.missingTwo()
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    try agent.settleNotifications()
    #expect(server.open == [1])
    server.close(1, reason: 2)
    try agent.wait(for: "the dismissals") { agent.signals("ReminderDismissed").count == 2 }
  }

  @Test func `one that is over is not taken up again as the start comes near`() throws {
    let (agent, server) = try AgentUnderTest.showing("15m 5m")
    try agent.advance(to: "2026-11-21T08:25:00Z")
    try agent.wait(for: "the second") { agent.signals("ReminderDue").count == 2 }
    try agent.settleNotifications()
    let rows = try agent.pending()
    let count = server.shown.count
    _ = try agent.call(Contract.reminders, "Dismiss", [try #require(rows[1]["id"])])
    try agent.settle()
    #expect(server.open == [1])
    // The other one has its words brought up to date all the same.
    try agent.advance(to: "2026-11-21T08:30:00Z")
    try agent.wait(for: "the words") { server.shown.count > count }
    try agent.settleNotifications()
    #expect(server.shown.last?.replaces == 1)
    _ = try agent.call(Contract.reminders, "Dismiss", [try #require(rows[0]["id"])])
    try agent.wait(for: "the end of the notification") { server.open.isEmpty }
  }

  @Test func `the second is shown where the first was refused`() throws {
    let (agent, server) = try AgentUnderTest.missingTwo(refusals: 1)
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.refusals == 0)
    #expect(server.shown.map(\.replaces) == [0])
    #expect(server.open == [1])
  }

  @Test func `the other stays when one is dismissed elsewhere`() throws {
    let (agent, server) = try AgentUnderTest.showing("15m 10m")
    try agent.advance(to: "2026-11-21T08:20:00Z")
    try agent.wait(for: "the second") { agent.signals("ReminderDue").count == 2 }
    try agent.settleNotifications()
    let rows = try agent.pending()
    _ = try agent.call(Contract.reminders, "Dismiss", [try #require(rows[1]["id"])])
    try agent.settle()
    #expect(server.open == [1])
    _ = try agent.call(Contract.reminders, "Dismiss", [try #require(rows[0]["id"])])
    try agent.wait(for: "the end of the notification") { server.open.isEmpty }
  }
}
