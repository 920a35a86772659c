import CalendarBus
import CivilTime
import DBus
import TestSupport

@testable import CalendarService

extension AgentUnderTest {
  func editStandup(_ pairs: (String, Value)...) throws {
    try editStandupOnly(pairs)
    try settleNotifications()
  }

  /// Waits for no notification.
  func editStandupOnly(_ pairs: [(String, Value)]) throws {
    _ = try call(
      Contract.events, "Update",
      [.string("standup"), .string(""), .string("all"), .row(pairs)])
    try settle()
  }

  /// An agent that shows the standup's reminder, since 9:15.
  static func showing(_ reminders: String = "15m") throws -> (AgentUnderTest, NotificationServer) {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.settle()
    _ = try agent.add(
      ("uid", .string("standup")), ("summary", .string("Standup")),
      ("start", .string("2026-11-21 09:30")), ("location", .string("Room Ada")),
      ("reminders", .strings(reminders.split(separator: " ").map(String.init))))
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    return (agent, server)
  }

  /// An agent that was off while two reminders of the standup fell due, and is started anew.
  ///
  /// - Parameter refusals: how many notifications the server refuses.
  static func missingTwo(refusals: Int = 0) throws -> (AgentUnderTest, NotificationServer) {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    server.refusals = refusals
    try agent.settle()
    _ = try agent.add(
      ("summary", .string("Standup")), ("start", .string("2026-11-21 09:30")),
      ("reminders", .strings(["15m", "14m"])))
    agent.stop()
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T08:17:00Z"))
    try agent.start()
    return (agent, server)
  }
}
