import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `How urgent a notification is` {
  /// Has a standup ring that begins at a minute past nine.
  private func ring(_ agent: AgentUnderTest, _ server: NotificationServer, at minute: Int) throws {
    _ = try agent.add("Standup \(minute)", at: "2026-11-21 09:\(minute)", reminders: "0s")
    try agent.advance(to: "2026-11-21T08:\(minute):00Z")
    try agent.settleNotifications()
  }

  @Test func `the setting says it`() throws {
    for (settings, urgency) in [("", 2), ("urgency = critical", 2), ("urgency = normal", 1)] {
      let agent = try AgentUnderTest(notifications: true, settings: "[reminders]\n\(settings)\n")
      let server = try NotificationServer(agent)
      try agent.settle()
      try ring(agent, server, at: 30)
      #expect(server.shown.map(\.urgency) == [Int64(urgency)])
    }
  }

  @Test func `a word that is none is a fault`() {
    let (read, faults) = Configuration.read("[reminders]\nurgency = low\n")
    #expect(read.urgency == .critical)
    #expect(
      faults.map(\.description) == ["line 2: urgency: \"low\" is not critical or normal"])
  }

  @Test func `a server that says that it is not to disturb gets nothing critical`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent, isInhibited: true)
    try agent.settle()
    try ring(agent, server, at: 10)
    server.isInhibited = false
    try agent.wait(for: "word of it") { agent.agent?.notifier?.isInhibited == false }
    try ring(agent, server, at: 20)
    server.isInhibited = true
    try agent.wait(for: "word of it") { agent.agent?.notifier?.isInhibited == true }
    try ring(agent, server, at: 30)
    #expect(server.shown.filter { $0.replaces == 0 }.map(\.urgency) == [1, 2, 1])
    // Of the next one it is not known.
    try server.quit(agent)
    let next = try NotificationServer(agent)
    try agent.wait(for: "the notifications") { next.shown.count == 3 }
    #expect(next.shown.map(\.urgency) == [2, 2, 2])
  }
}
