import CalendarBus
import CalendarModel
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// What somebody does to an event whose reminder was held back.
private enum Change: CaseIterable {
  case moved, renamed, removedAndBack, hiddenAndShown

  func apply(to agent: AgentUnderTest) throws {
    func set(_ field: String, _ text: String) throws {
      _ = try agent.call(
        Contract.events, "SetField",
        ["tea", "", "", field].map(Value.string) + [.variant(.string(text))])
    }
    switch self {
    // The reminder goes along, under another name.
    case .moved: try set("start", "2026-11-21 09:29")
    case .renamed: try set("summary", "Chai")
    case .removedAndBack:
      _ = try agent.call(Contract.events, "Remove", [.string("tea"), .string(""), .string("")])
      _ = try agent.call(Contract.events, "Undo")
    case .hiddenAndShown:
      for isVisible in [false, true] {
        _ = try agent.call(
          Contract.calendars, "Update",
          [.string("personal"), .row([("visible", .boolean(isVisible))])])
      }
    }
  }
}

@Suite struct `What was held back, and its event changes` {
  /// An agent in quiet time until 8:30 UTC, in which reminders of some events at 9:30 by their clock have rung at 8:15.
  private func held(_ uids: [String]) throws -> (AgentUnderTest, NotificationServer) {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    for uid in uids {
      _ = try agent.add(
        ("uid", .string(uid)), ("summary", .string(uid)), ("start", .string("2026-11-21 09:30")),
        ("reminders", .strings(["15m"])))
    }
    _ = try agent.call(Contract.calendar, "SetQuiet", [.string("30m")])
    try agent.advance(to: "2026-11-21T08:16:00Z")
    return (agent, server)
  }

  private func ended(_ agent: AgentUnderTest, _ server: NotificationServer) throws {
    try agent.advance(to: "2026-11-21T08:30:00Z")
    try agent.wait(for: "what was held back") { !server.shown.isEmpty }
    try agent.settleNotifications()
  }

  @Test(arguments: Change.allCases)
  fileprivate func `it is shown once, and heard`(_ change: Change) throws {
    let (agent, server) = try held(["tea"])
    try change.apply(to: agent)
    try ended(agent, server)
    #expect(server.shown.map(\.summary) == [change == .renamed ? "Chai" : "tea"])
    #expect(server.shown.map(\.isSilent) == [false])
  }

  @Test(arguments: Change.allCases)
  fileprivate func `it is in the digest once, as new as the others`(_ change: Change) throws {
    let (agent, server) = try held(["tea", "call"])
    try change.apply(to: agent)
    try ended(agent, server)
    #expect(server.shown.map(\.summary) == ["2 reminders"])
    #expect(server.shown.map(\.isSilent) == [false])
    #expect(server.shown[0].body.split(separator: "\n").count == 2, "\(server.shown[0].body)")
    #expect(!server.shown[0].body.contains("still pending"))
  }

  @Test func `what was hidden until quiet time is over is shown then, and heard`() throws {
    let (agent, server) = try held(["tea"])
    func show(_ isVisible: Bool) throws {
      _ = try agent.call(
        Contract.calendars, "Update",
        [.string("personal"), .row([("visible", .boolean(isVisible))])])
    }
    try show(false)
    try agent.advance(to: "2026-11-21T08:31:00Z")
    try agent.settleNotifications()
    #expect(server.shown.isEmpty)
    try show(true)
    try agent.wait(for: "it") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["tea"])
    #expect(server.shown.map(\.isSilent) == [false])
  }
}
