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

@Suite struct `Notifications` {
  @Test func `a reminder is shown once, until somebody has seen it`() throws {
    let (agent, server) = try agentWithServer()
    try agent.ringStandup(server)
    #expect(
      server.shown == [
        NotificationServer.Shown(
          id: 1, replaces: 0, summary: "Standup", body: "in 15 min · 09:30–10:30 · Room Ada",
          actions: ["snooze", "Snooze 10 min", "dismiss", "Dismiss"], urgency: 2, timeout: 0,
          isSilent: false)
      ])
    #expect(agent.signals("ReminderDue")[0].arguments[5]["notified"] == .boolean(true))
    try agent.advance(to: "2026-11-21T09:00:00Z")
    #expect(server.shown.count { $0.replaces == 0 } == 1)
  }

  @Test func `it says what it is: urgent, of a kind and of a program, with a sound and an icon`()
    throws
  {
    let (agent, server) = try agentWithServer()
    try agent.ringStandup(server)
    #expect(server.icon == "appointment-soon")
    #expect(
      server.hints
        == .row([
          ("urgency", .byte(2)), ("category", .string("x-datebook.reminder")),
          ("desktop-entry", .string("org.datebook.Calendar")),
          ("sound-name", .string("alarm-clock-elapsed")),
        ]))
  }

  @Test(arguments: [
    (["body-markup"], "R&D <b>Lab</b>", "R&amp;D &lt;b&gt;Lab&lt;/b&gt;"),
    (["body"], "R&D <b>Lab</b>", "R&D <b>Lab</b>"),
  ])
  func `the body is escaped where it is markup, the summary never`(
    capabilities: [String], location: String, body: String
  ) throws {
    let (agent, server) = try agentWithServer(capabilities: capabilities)
    _ = try agent.add(
      ("summary", .string("<i>Q&A</i>")), ("start", .string("2026-11-21 09:10")),
      ("location", .string(location)), ("reminders", .strings(["5m"])))
    try agent.advance(to: "2026-11-21T08:05:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    #expect(server.shown[0].summary == "<i>Q&A</i>")
    #expect(server.shown[0].body == "in 5 min · 09:10–10:10 · " + body)
  }

  @Test func `a server without actions gets none`() throws {
    let (agent, server) = try agentWithServer(capabilities: ["body"])
    try agent.ringStandup(server)
    #expect(server.shown[0].actions == [])
    // notify-osd would show a dialog in its place if it were not to expire.
    #expect(server.shown[0].timeout == -1)
  }

  // GNOME Shell's helper does: what was to be shown again after the shell had started anew was not.
  @Test func `a server that has its name before its object is asked again`() throws {
    let agent = try AgentUnderTest(notifications: true)
    _ = try agent.add("Standup", at: "2026-11-21 09:30", reminders: "15m")
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let server = try NotificationServer(agent, isReady: false)
    try agent.settle()
    server.becomeReady()
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    #expect(server.shown.map(\.summary) == ["Standup"])
  }

  @Test func `a server may take its time, and what it shows then is heard of`() throws {
    let (agent, server) = try agentWithServer()
    server.isSlow = true
    try agent.ringStandup(server)
    // It was given up after 25 seconds, and nobody knew what came up after that.
    #expect(!agent.givesUp)
    server.answerHeld()
    try agent.settle()
    server.invoke(1, "snooze")
    try agent.wait(for: "the snooze") { !agent.signals("ReminderSnoozed").isEmpty }
    // One that goes away ends the wait.
    server.isSlow = true
    try agent.advance(to: "2026-11-21T08:25:00Z")
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    try server.quit(agent)
    try agent.settle()
    let next = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !next.shown.isEmpty }
  }

  @Test func `a server that does not answer is a problem until it does`() throws {
    let (agent, server, laters) = try hanging()
    let notifier = try #require(agent.agent?.notifier)
    #expect(notifier.problem == nil)
    laters.run()
    let problems = try agent.property("Problems").asStrings ?? []
    #expect(
      problems.contains {
        $0.hasPrefix("no notification: the server has not answered for")
      }, "\(problems)")
    #expect(agent.log.count { $0.contains("the notification server does not answer") } == 1)
    server.answerHeld()
    try agent.settleNotifications()
    #expect(notifier.problem == nil)
    #expect(server.shown.count == 1)
    #expect(laters.bodies.isEmpty)
  }

  @Test func `a server that never answers is no problem once another has its place`() throws {
    let (agent, first, laters) = try hanging()
    let notifier = try #require(agent.agent?.notifier)
    laters.run()
    #expect(notifier.problem != nil)
    try first.giveUpName(agent)
    let second = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !second.shown.isEmpty }
    try agent.settle()
    #expect(notifier.problem == nil)
    // Nothing is waited for: nothing will be a problem again.
    #expect(notifier.isIdle && laters.bodies.isEmpty)
    withExtendedLifetime(first) {}
  }

  /// An agent whose server has been asked to show the standup, and does not answer; and what is done about
  /// that later.
  private func hanging() throws -> (AgentUnderTest, NotificationServer, Laters) {
    let laters = Laters()
    let agent = try AgentUnderTest(notifications: true, notificationsLater: laters.add)
    let server = try NotificationServer(agent)
    try agent.settle()
    server.isSlow = true
    try agent.ringStandup(server)
    return (agent, server, laters)
  }

  @Test(arguments: [true, false])
  func `Snooze puts it off, and it comes back`(closes: Bool) throws {
    let (agent, server) = try agentWithServer()
    try agent.ringStandup(server)
    server.invoke(1, "snooze", closes: closes)
    try agent.wait(for: "the snooze") { !agent.signals("ReminderSnoozed").isEmpty }
    try agent.settle()
    #expect(try agent.state() == [.string("snoozed")])
    #expect(server.open == [])
    #expect(agent.signals("ReminderDismissed").count == 0)
    try agent.advance(to: "2026-11-21T08:25:00Z")
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    #expect(server.shown[1].body == "in 5 min · 09:30–10:30 · Room Ada")
  }

  @Test(arguments: ["dismiss", "default"], [true, false])
  func `Dismiss and a click on it mean that it was seen`(action: String, closes: Bool) throws {
    let (agent, server) = try agentWithServer()
    try agent.ringStandup(server)
    server.invoke(1, action, closes: closes)
    try agent.wait(for: "the dismissal") { !agent.signals("ReminderDismissed").isEmpty }
    try agent.settle()
    #expect(try agent.pending() == [])
    #expect(server.open == [])
    #expect(agent.signals("ReminderDismissed").count == 1)
  }

  @Test func `a notification is asked to close once when it is answered`() throws {
    let (agent, server) = try agentWithServer()
    try agent.ringStandup(server)
    server.invoke(1, "snooze", closes: false)
    try agent.wait(for: "the snooze") { !agent.signals("ReminderSnoozed").isEmpty }
    try agent.settle()
    #expect(server.closed == [1])
  }

  @Test func `what cannot be written down is not told, and that is told once`() throws {
    let (agent, server) = try agentWithServer()
    try agent.addStandup()
    try agent.store().database.execute("PRAGMA query_only = 1")
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    let problems = try agent.property("Problems").asStrings ?? []
    #expect(problems.contains { $0.hasPrefix("reminders are paused") }, "\(problems)")
    for minute in 16...19 { try agent.advance(to: "2026-11-21T08:\(minute):00Z") }
    #expect(server.shown.map(\.summary) == ["Reminders are paused"])
    #expect(server.shown[0].actions == ["dismiss", "Dismiss"])
    #expect(agent.signals("ReminderDue").isEmpty)
    try agent.store().database.execute("PRAGMA query_only = 0")
    try agent.advance(to: "2026-11-21T08:25:00Z")
    try agent.wait(for: "the reminder") { server.shown.count == 2 }
    try agent.settle()
    #expect(server.open == [2])
    let told = agent.signals("ReminderDue").map { $0.arguments[5]["late"] }
    // It is tried again at 8:20:15.
    #expect(told == [.uint32(315)])
    #expect(
      try agent.property("Problems").asStrings?.contains { $0.hasPrefix("reminders") } == false)
  }

  @Test func `a disk that takes what is small and no reminder is told of once`() throws {
    let (agent, server) = try agentWithServer()
    for number in 1...10 {
      _ = try agent.add(
        ("summary", .string("Call \(number)")), ("start", .string("2026-11-21 09:30")),
        ("location", .string(String(repeating: "x", count: 2000))),
        ("reminders", .strings(["15m"])))
    }
    let database = try agent.store().database
    // As long as it is now and no longer; what fits into a page that is there is written.
    try database.execute("PRAGMA max_page_count = 1")
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    for minute in 16...18 {
      // A call tries whether there is room.
      _ = try agent.call(Contract.calendar, "Today")
      #expect(try agent.property("State") == .string("ready"))
      try agent.settleNotifications()
      try agent.advance(to: "2026-11-21T08:\(minute):00Z")
      #expect(try agent.property("State") == .string("read-only"))
    }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["Reminders are paused"])
    #expect(server.closed == [])
    try database.execute("PRAGMA max_page_count = 100000")
    try agent.advance(to: "2026-11-21T08:25:00Z")
    try agent.wait(for: "the reminder") { server.shown.count == 2 }
    try agent.settleNotifications()
    #expect(server.open == [2])
  }

  @Test(arguments: ["snooze", "dismiss", "location", nil])
  func `an answer that cannot be written brings it back`(action: String?) throws {
    let (agent, server) = try agentWithServer()
    try agent.ringStandup(server)
    try agent.store().database.execute("PRAGMA query_only = 1")
    if let action { server.invoke(1, action) } else { server.close(1, reason: 2) }
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    try agent.settle()
    #expect(server.open == [2])
    #expect(try agent.state() == [.string("due")])
    try agent.store().database.execute("PRAGMA query_only = 0")
    server.invoke(2, "snooze")
    try agent.wait(for: "the snooze") { !agent.signals("ReminderSnoozed").isEmpty }
    try agent.settle()
    #expect(try agent.state() == [.string("snoozed")])
    #expect(server.open == [])
  }

  /// 1 expired, 2 by a person, 3 by a call, 4 undefined.
  @Test(arguments: [(1, false), (2, true), (3, false), (4, false)] as [(UInt32, Bool)])
  func `only a person who closes it has seen it`(reason: UInt32, isSeen: Bool) throws {
    let (agent, server) = try agentWithServer()
    try agent.ringStandup(server)
    server.close(1, reason: reason)
    try agent.settle()
    try agent.settle()
    #expect(try agent.pending().isEmpty == isSeen)
  }

  @Test func `actions of others' notifications and unknown actions mean nothing`() throws {
    let (agent, server) = try agentWithServer()
    try agent.ringStandup(server)
    server.emit("ActionInvoked", [.uint32(7), .string("dismiss")])
    server.emit("ActionInvoked", [.uint32(1), .string("launch")])
    server.emit("NotificationClosed", [.uint32(7), .uint32(2)])
    try agent.settle()
    try agent.settle()
    #expect(try agent.state() == [.string("due")])
  }

  @Test func `an answer on the bus takes the notification away`() throws {
    let (agent, server) = try agentWithServer()
    try agent.ringStandup(server)
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(agent.onlyReminder())])
    try agent.wait(for: "the end of the notification") { server.open.isEmpty }
    #expect(server.closed == [1])
  }

  @Test func `an answer before the notification is up takes it away all the same`() throws {
    let (agent, server) = try agentWithServer()
    try agent.addStandup()
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T08:15:00Z"))
    // The server has not been asked what it can do yet.
    try agent.dismissAtOnce("Standup")
    try agent.settle()
    try agent.settle()
    #expect(server.open == [])
  }

  @Test func `an answer while the notification goes up takes it away all the same`() throws {
    let (agent, server) = try agentWithServer()
    _ = try agent.add("Tea", at: "2026-11-21 09:05", reminders: "4m")
    try agent.advance(to: "2026-11-21T08:01:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    // What it can do is known by now: the next one goes out at once.
    try agent.addStandup()
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T08:15:00Z"))
    try agent.dismissAtOnce("Standup")
    try agent.wait(for: "the second notification") { server.shown.count { $0.replaces == 0 } == 2 }
    try agent.wait(for: "its end") { server.open == [1] }
  }

  @Test func `an event that is removed takes its notification along`() throws {
    let (agent, server) = try agentWithServer()
    try agent.ringStandup(server)
    _ = try agent.call(
      Contract.events, "Remove", [.string("standup"), .string(""), .string("")])
    try agent.wait(for: "the end of the notification") { server.open.isEmpty }
  }

  @Test func `a server that comes later shows what nobody has seen, once`() throws {
    let agent = try AgentUnderTest(notifications: true)
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    #expect(agent.signals("ReminderDue").count == 1)
    #expect(agent.signals("ReminderDue")[0].arguments[5]["notified"] == .boolean(false))
    let server = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    #expect(server.shown.map(\.summary) == ["Standup"])
    #expect(agent.signals("ReminderDue").count == 1)
  }

  @Test func `a server that is replaced shows it again`() throws {
    let (agent, first) = try agentWithServer()
    try agent.ringStandup(first)
    try first.quit(agent)
    try agent.settle()
    let second = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !second.shown.isEmpty }
    try agent.settle()
    #expect(second.shown.map(\.summary) == ["Standup"])
    #expect(agent.signals("ReminderDue").count == 1)
  }

  @Test func `the late answer of one that was replaced is not that of the other`() throws {
    let (agent, first) = try agentWithServer()
    _ = try agent.add("Tea", at: "2026-11-21 09:05", reminders: "4m")
    try agent.advance(to: "2026-11-21T08:01:00Z")
    try agent.wait(for: "the notification") { !first.shown.isEmpty }
    try agent.settleNotifications()
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(agent.onlyReminder())])
    first.isSlow = true
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the second notification") { first.shown.last?.summary == "Standup" }
    try first.giveUpName(agent)
    let second = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !second.shown.isEmpty }
    // It is number 2 here, and number 1 there.
    first.answerHeld()
    try agent.settleNotifications()
    try agent.advance(to: "2026-11-21T08:20:00Z")
    try agent.wait(for: "the words of now") { second.shown.count == 2 }
    #expect(second.shown.map(\.replaces) == [0, 1])
    #expect(second.open == [1])
  }

  @Test func `what one could do that was replaced says nothing of the other`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let first = try NotificationServer(agent, capabilities: ["body"])
    first.hidesCapabilities = true
    try agent.settle()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the question") { first.isAskedInVain }
    try first.giveUpName(agent)
    let second = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !second.shown.isEmpty }
    first.answerHeld()
    try agent.settleNotifications()
    _ = try agent.add("Tea", at: "2026-11-21 09:20", reminders: "4m")
    try agent.advance(to: "2026-11-21T08:16:00Z")
    try agent.wait(for: "the other") { second.shown.count == 2 }
    #expect(second.shown.allSatisfy { !$0.actions.isEmpty })
  }

  @Test func `a server that the bus starts for it shows it once`() throws {
    let bus = try PrivateBus(services: [
      "org.freedesktop.Notifications.service":
        "[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=/bin/sleep 30\n"
    ])
    let agent = try AgentUnderTest(notifications: true, bus: bus)
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    #expect(agent.signals("ReminderDue")[0].arguments[5]["notified"] == .boolean(true))
    // It takes the name that the bus is waiting for, and gets the call that waits.
    let server = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.count == 1)
  }

  @Test func `without a server the signal goes out and one warning is logged`() throws {
    let agent = try AgentUnderTest(notifications: true)
    try agent.addStandup()
    _ = try agent.add("Tea", at: "2026-11-21 09:45", reminders: "5m")
    try agent.advance(to: "2026-11-21T09:00:00Z")
    #expect(agent.signals("ReminderDue").count == 2)
    #expect(agent.log.filter { $0.contains("no notification can be shown") }.count == 1)
  }

  @Test func `settings can leave it to others`() throws {
    let agent = try AgentUnderTest()
    let server = try NotificationServer(agent)
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    #expect(server.shown.count == 0)
    #expect(agent.signals("ReminderDue")[0].arguments[5]["notified"] == .boolean(false))
  }

  @Test func `it is shown again after a restart, without the signal`() throws {
    let (agent, server) = try agentWithServer()
    try agent.ringStandup(server)
    agent.stop()
    try agent.start()
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    try agent.settle()
    #expect(agent.signals("ReminderDue").count == 1)
  }
}
