import DBus
import TestSupport

/// An agent that shows reminders, and the server that it shows them on.
func agentWithServer(
  capabilities: [String] = ["actions", "body", "body-markup"]
) throws -> (AgentUnderTest, NotificationServer) {
  let agent = try AgentUnderTest(notifications: true)
  let server = try NotificationServer(agent, capabilities: capabilities)
  try agent.settle()
  return (agent, server)
}

extension AgentUnderTest {
  /// Lets the standup ring, and waits until it is on the screen.
  func ringStandup(_ server: NotificationServer) throws {
    try addStandup()
    try advance(to: "2026-11-21T08:15:00Z")
    try wait(for: "the notification") { !server.shown.isEmpty }
    // So that its number has come back to the agent.
    try settle()
  }

  func state() throws -> [Value?] { try pending().map { $0["state"] } }
}
