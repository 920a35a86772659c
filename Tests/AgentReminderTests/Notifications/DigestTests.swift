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

@Suite struct `A digest` {
  /// So many reminders fell due while the agent did not run.
  private func missed(_ count: Int) throws -> (AgentUnderTest, NotificationServer) {
    let (agent, server) = try agentWithServer()
    for number in 1...count {
      _ = try agent.add("Call \(number) <b>", at: "2026-11-21 10:0\(number)", reminders: "5m")
    }
    agent.stop()
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T11:00:00Z"))
    try agent.start()
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    return (agent, server)
  }

  @Test func `five are shown one by one`() throws {
    let (agent, server) = try missed(5)
    try agent.wait(for: "all of them") { server.shown.count == 5 }
    #expect(server.shown.map(\.summary) == (1...5).map { "Call \($0) <b>" })
  }

  @Test func `six are one notification, and a signal each`() throws {
    let (agent, server) = try missed(6)
    #expect(server.shown.map(\.summary) == ["6 reminders while you were away"])
    #expect(server.shown[0].body.hasPrefix("10:01  Call 1 &lt;b&gt; (over)\n10:02  "))
    #expect(server.shown[0].actions.suffix(2) == ["dismiss", "Dismiss all 6"])
    #expect(agent.signals("ReminderDue").count == 6)
    #expect(try agent.pending().count == 6)
  }

  @Test func `what is too old is counted by a server that comes later`() throws {
    let agent = try AgentUnderTest(notifications: true)
    for number in 1...3 {
      _ = try agent.add("Call \(number)", at: "2026-11-21 10:0\(number)", reminders: "5m")
    }
    _ = try agent.add("Standup", at: "2026-12-01 09:30", reminders: "15m")
    agent.stop()
    agent.clock.advance(to: try Timestamp(text: "2026-12-01T08:20:00Z"))
    try agent.start()
    try agent.settle()
    let server = try NotificationServer(agent)
    try agent.wait(for: "the notifications") { server.shown.count == 2 }
    #expect(server.shown.map(\.summary) == ["Standup", "3 reminders while you were away"])
    #expect(server.shown[1].body == "3 are too old to be shown (calctl reminders --missed)")
    // It is told once.
    try server.quit(agent)
    let second = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !second.shown.isEmpty }
    for _ in 0..<2 { try agent.settle() }
    #expect(second.shown.map(\.summary) == ["Standup"])
  }

  @Test func `of what quiet time held back a server that comes later has one, too`() throws {
    let agent = try AgentUnderTest(notifications: true, quietHours: "sat 9:50-10:10")
    for number in 1...2 {
      _ = try agent.add("Call \(number)", at: "2026-11-21 10:0\(number)", reminders: "5m")
    }
    try agent.advance(to: "2026-11-21T09:00:00Z")
    agent.stop()
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T09:20:00Z"))
    try agent.start()
    try agent.settle()
    let server = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.count == 1)
    #expect(server.shown.first?.summary.hasPrefix("2 reminders") ?? false)
    #expect(server.shown.map(\.isSilent) == [false])
  }

  @Test func `what fell due before there was a server is new to it, and was missed`() throws {
    let agent = try AgentUnderTest(notifications: true)
    for number in 1...6 {
      _ = try agent.add("Call \(number)", at: "2026-11-21 10:0\(number)", reminders: "5m")
      try agent.advance(to: "2026-11-21T08:5\(5 + min(number, 4)):00Z")
    }
    try agent.advance(to: "2026-11-21T09:20:00Z")
    let server = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    #expect(server.shown.map(\.summary) == ["6 reminders while you were away"])
    #expect(server.shown.map(\.isSilent) == [false])
    // One that comes in its place shows them again, and says nothing of that.
    try server.quit(agent)
    let second = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !second.shown.isEmpty }
    try agent.settle()
    #expect(second.shown.map(\.summary) == ["6 reminders"])
  }

  @Test func `what was seen is not new to another server, also where one between showed nothing`()
    throws
  {
    let (agent, first) = try agentWithServer()
    for number in 1...8 {
      _ = try agent.add("Call \(number)", at: "2026-11-21 10:0\(number)", reminders: "5m")
    }
    try agent.advance(to: "2026-11-21T08:57:00Z")
    try agent.wait(for: "the first two") { first.shown.count == 2 }
    try agent.settleNotifications()
    try first.quit(agent)
    try agent.advance(to: "2026-11-21T09:20:00Z")
    let second = try NotificationServer(agent)
    second.isSlow = true
    try agent.wait(for: "what is asked for") { !second.shown.isEmpty }
    #expect(second.shown.map(\.summary) == ["6 reminders while you were away"])
    // It dies before it answers.
    try second.quit(agent)
    let third = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !third.shown.isEmpty }
    try agent.settleNotifications()
    #expect(third.shown.map(\.summary) == ["6 reminders while you were away"])
  }

  @Test func `those of a moment that nobody missed are only counted`() throws {
    let (agent, server) = try agentWithServer()
    for number in 1...6 {
      _ = try agent.add("Call \(number)", at: "2026-11-21 10:00", reminders: "5m")
    }
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T08:55:00Z"))
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    #expect(server.shown.map(\.summary) == ["6 reminders"])
  }

  @Test func `it says that events begin and end, silently, as long as it is there`() throws {
    let (agent, server) = try agentWithServer()
    for number in 1...6 {
      _ = try agent.add("Call \(number)", at: "2026-11-21 1\(number / 6):00", reminders: "5m")
    }
    agent.clock.set(to: try Timestamp(text: "2026-11-21T09:58:00Z"))
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map { $0.body.hasSuffix("11:00  Call 6") } == [true])
    try agent.advance(to: "2026-11-21T10:00:00Z")
    try agent.wait(for: "the words of now") { server.shown.count == 2 }
    try agent.settleNotifications()
    #expect(server.shown[1].body.hasSuffix("11:00  Call 6 (now)"))
    #expect(server.shown[1].body.contains("10:00  Call 1 (over)"))
    #expect(server.shown[1].isSilent)
    #expect(server.shown[1].summary == server.shown[0].summary)
    #expect(server.open == [1])
    // What was answered is not brought up to date.
    server.invoke(1, "dismiss")
    try agent.wait(for: "the answers") { agent.signals("ReminderDismissed").count == 6 }
    try agent.advance(to: "2026-11-21T11:00:00Z")
    try agent.settleNotifications()
    #expect(server.shown.count == 2)
  }

  @Test func `it counts one less where one of them is answered elsewhere, silently`() throws {
    let (agent, server) = try missed(7)
    let ids = try
      (agent.call(Contract.reminders, "Pending", [.uint32(0), .string("")])[0].asArray ?? [])
      .compactMap { $0["id"]?.asString }
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(ids[0])])
    _ = try agent.call(Contract.reminders, "Snooze", [ids[1], "1h"].map(Value.string))
    try agent.wait(for: "what is left") { server.shown.last?.summary.hasPrefix("5 ") ?? false }
    let last = try #require(server.shown.last)
    #expect(last.replaces == 1 && last.isSilent)
    #expect(!last.body.contains("Call 1 ") && !last.body.contains("Call 2 "), "\(last.body)")
    #expect(last.body.contains("Call 3 "))
    // Of all at once nothing is left to be counted.
    let count = server.shown.count
    for id in ids.dropFirst(2) { _ = try agent.call(Contract.reminders, "Dismiss", [.string(id)]) }
    try agent.wait(for: "its end") { server.open.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.dropFirst(count).allSatisfy { $0.replaces == 1 && $0.isSilent })
    #expect(server.open.isEmpty)
  }

  @Test func `where thousands of it go at once, bit by bit, none is left on the screen`() throws {
    let (agent, server) = try agentWithServer()
    try agent.importCalls(3000)
    try agent.advance(to: "2026-11-21T08:55:00Z")
    try agent.wait(for: "the notification") {
      server.shown.contains { $0.summary == "3000 reminders" }
    }
    try agent.settleNotifications()
    _ = try agent.call(
      Contract.calendars, "SetVisible", [.string("personal"), .boolean(false)])
    try agent.wait(for: "what is told") { agent.signals("ReminderDismissed").count == 3000 }
    try agent.wait(for: "its end") { server.open.isEmpty }
    try agent.settleNotifications()
    #expect(server.open.isEmpty && !server.shown.contains { $0.summary.hasPrefix("0 ") })
  }

  @Test func `Snooze puts all of them off`() throws {
    let (agent, server) = try missed(6)
    server.invoke(1, "snooze")
    try agent.wait(for: "the snoozes") { agent.signals("ReminderSnoozed").count == 6 }
    #expect(try agent.state().allSatisfy { $0 == .string("snoozed") })
  }

  /// Lets one more be missed for so long that it is not told.
  private func missForDays(_ agent: AgentUnderTest, _ day: Int) throws {
    _ = try agent.add("Call \(day)", at: "2026-11-\(day) 10:00", reminders: "5m")
    agent.clock.set(to: try Timestamp(text: "2026-11-\(day + 3)T11:00:00Z"))
    try agent.settle()
  }

  @Test func `what was missed before there was a server is counted when one comes, once`() throws {
    let agent = try AgentUnderTest(notifications: true)
    try missForDays(agent, 22)
    agent.stop()
    try agent.start()
    let server = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    #expect(server.shown.map(\.summary) == ["1 reminder while you were away"])
    agent.stop()
    try agent.start()
    try agent.settle()
    #expect(server.shown.count == 1)
  }

  @Test func `two of what was missed stand beside each other, and have nothing to be snoozed`()
    throws
  {
    let (agent, server) = try agentWithServer()
    for (count, day) in [22, 26].enumerated() {
      try missForDays(agent, day)
      try agent.wait(for: "the notification") { server.shown.count == count + 1 }
      try agent.settle()
    }
    #expect(server.open == [1, 2])
    let body = "1 is too old to be shown (calctl reminders --missed)"
    #expect(server.shown.map(\.body) == [body, body])
    #expect(server.shown.map(\.actions) == [["dismiss", "Dismiss"], ["dismiss", "Dismiss"]])
    server.invoke(1, "dismiss", closes: false)
    try agent.wait(for: "its end") { server.open == [2] }
    // What counts for one goes with it.
    _ = try agent.add("Call", at: "2026-12-01 10:00", reminders: "5m")
    agent.clock.set(to: try Timestamp(text: "2026-12-04T11:00:00Z"))
    try agent.wait(for: "the third") { server.open == [2, 3] }
    #expect(agent.agent?.reminders.presenter.tooOld.count == 2)
  }

  @Test func `what it counts that is too old stays in its words, and is counted once`() throws {
    let (agent, server) = try agentWithServer()
    for number in 1...6 {
      _ = try agent.add("Call \(number)", at: "2026-11-30 10:0\(number)", reminders: "5m")
    }
    for day in [22, 23] { _ = try agent.add("Call", at: "2026-11-\(day) 10:00", reminders: "5m") }
    agent.stop()
    agent.clock.advance(to: try Timestamp(text: "2026-11-30T11:00:00Z"))
    server.refusals = 1
    try agent.start()
    let notifier = try #require(agent.agent?.notifier)
    let tell = try #require(notifier.onTooOldShown)
    var counted: [Int] = []
    notifier.onTooOldShown = {
      counted.append($0)
      tell($0)
    }
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown[0].body.contains("2 are too old to be shown (calctl reminders --missed)"))
    let first = try #require(try agent.pending().first?["uid"])
    _ = try agent.call(
      Contract.events, "Update",
      [first, .string(""), .string("all"), .row([("summary", .string("Planning"))])])
    try agent.wait(for: "the words of now") { server.shown.count == 2 }
    try agent.settleNotifications()
    #expect(server.shown[1].body.contains("2 are too old to be shown (calctl reminders --missed)"))
    #expect(server.shown[1].body.contains("Planning"))
    #expect(counted == [2])
  }

  @Test func `thousands are answered, and told as over, some at a time`() throws {
    let (agent, server) = try agentWithServer()
    try agent.importCalls(3000)
    try agent.advance(to: "2026-11-21T08:55:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    let running = try #require(agent.agent)
    let scheduler = try running.reminders.openScheduler()
    running.reminders.answered(.snooze(scheduler.pending.map(\.id), step: 0), activationToken: nil)
    #expect(200..<3000 ~= scheduler.pending.count { $0.state == .snoozed })
    try agent.wait(for: "the snoozes") { agent.signals("ReminderSnoozed").count == 3000 }
    #expect(Set(scheduler.pending.map(\.due)).count == 1)
    _ = try agent.call(
      Contract.calendars, "SetVisible", [.string("personal"), .boolean(false)])
    #expect(scheduler.pendingCount == 0)
    #expect(200..<3000 ~= agent.signals("ReminderDismissed").count)
    try agent.wait(for: "the signals") { agent.signals("ReminderDismissed").count == 3000 }
    _ = try agent.call(
      Contract.calendars, "SetVisible", [.string("personal"), .boolean(true)])
    running.reminders.answered(.dismiss(scheduler.pending.map(\.id)), activationToken: nil)
    // The signals of those that came back may take their turn before.
    var sawSome = false
    try agent.wait(for: "the answers") {
      if 1...2800 ~= scheduler.pendingCount { sawSome = true }
      return scheduler.pendingCount == 0
    }
    #expect(sawSome)
  }

  @Test func `one that was dismissed on the bus stays so when the rest are snoozed`() throws {
    let (agent, server) = try missed(6)
    let first = try #require(try agent.pending()[0]["id"])
    _ = try agent.call(Contract.reminders, "Dismiss", [first])
    #expect(server.open == [1])
    server.invoke(1, "snooze")
    try agent.wait(for: "the snoozes") { agent.signals("ReminderSnoozed").count == 5 }
    try agent.settle()
    #expect(try agent.pending().count == 5)
  }

  @Test func `the notification goes with the last of them`() throws {
    let (agent, server) = try missed(6)
    for row in try agent.pending() {
      #expect(server.open == [1])
      _ = try agent.call(Contract.reminders, "Dismiss", [try #require(row["id"])])
    }
    try agent.wait(for: "the end of the notification") { server.open.isEmpty }
  }
}
