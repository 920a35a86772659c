import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Reminders
import TestSupport
import Testing

@testable import CalendarService
@testable import CalendarStore

/// An agent that shows reminders, and the server that it shows them on.
private func prepared(
  capabilities: [String] = ["actions", "body", "body-markup"]
) throws -> (AgentUnderTest, NotificationServer) {
  let agent = try AgentUnderTest(notifications: true)
  let server = try NotificationServer(agent, capabilities: capabilities)
  try agent.settle()
  return (agent, server)
}

extension AgentUnderTest {
  /// Lets the standup ring, and waits until it is on the screen.
  fileprivate func ringStandup(_ server: NotificationServer) throws {
    try addStandup()
    try advance(to: "2026-11-21T08:15:00Z")
    try wait(for: "the notification") { !server.shown.isEmpty }
    // So that its number has come back to the agent.
    try settle()
  }

  fileprivate func state() throws -> [Value?] { try pending().map { $0["state"] } }
}

@Suite struct `Notifications` {
  @Test func `a reminder is shown once, until somebody has seen it`() throws {
    let (agent, server) = try prepared()
    try agent.ringStandup(server)
    #expect(
      server.shown == [
        NotificationServer.Shown(
          id: 1, replaces: 0, summary: "Standup", body: "Within 15 min, 09:30 – 10:30 · Room Ada",
          actions: [
            "snooze", "Snooze 10 min", "dismiss", "Dismiss", "location", "Open location",
          ], urgency: 2, timeout: 0, isSilent: false)
      ])
    #expect(agent.signals("ReminderDue")[0].arguments[5]["notified"] == .boolean(true))
    try agent.advance(to: "2026-11-21T09:00:00Z")
    #expect(server.shown.count { $0.replaces == 0 } == 1)
  }

  @Test func `it says what it is: urgent, of a kind and of a program, with a sound and an icon`()
    throws
  {
    let (agent, server) = try prepared()
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
    let (agent, server) = try prepared(capabilities: capabilities)
    _ = try agent.add(
      ("summary", .string("<i>Q&A</i>")), ("start", .string("2026-11-21 09:10")),
      ("location", .string(location)), ("reminders", .strings(["5m"])))
    try agent.advance(to: "2026-11-21T08:05:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    #expect(server.shown[0].summary == "<i>Q&A</i>")
    #expect(server.shown[0].body == "Within 5 min, 09:10 – 10:10 · " + body)
  }

  @Test func `a server without actions gets none`() throws {
    let (agent, server) = try prepared(capabilities: ["body"])
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
    let (agent, server) = try prepared()
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
        $0.hasPrefix("no notification can be shown: the server has not answered for")
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
    let (agent, server) = try prepared()
    try agent.ringStandup(server)
    server.invoke(1, "snooze", closes: closes)
    try agent.wait(for: "the snooze") { !agent.signals("ReminderSnoozed").isEmpty }
    try agent.settle()
    #expect(try agent.state() == [.string("snoozed")])
    #expect(server.open == [])
    #expect(agent.signals("ReminderDismissed").count == 0)
    try agent.advance(to: "2026-11-21T08:25:00Z")
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    #expect(server.shown[1].body == "Within 5 min, 09:30 – 10:30 · Room Ada")
  }

  @Test(arguments: ["dismiss", "default"], [true, false])
  func `Dismiss and a click on it mean that it was seen`(action: String, closes: Bool) throws {
    let (agent, server) = try prepared()
    try agent.ringStandup(server)
    server.invoke(1, action, closes: closes)
    try agent.wait(for: "the dismissal") { !agent.signals("ReminderDismissed").isEmpty }
    try agent.settle()
    #expect(try agent.pending() == [])
    #expect(server.open == [])
    #expect(agent.signals("ReminderDismissed").count == 1)
  }

  @Test func `a notification is asked to close once when it is answered`() throws {
    let (agent, server) = try prepared()
    try agent.ringStandup(server)
    server.invoke(1, "snooze", closes: false)
    try agent.wait(for: "the snooze") { !agent.signals("ReminderSnoozed").isEmpty }
    try agent.settle()
    #expect(server.closed == [1])
  }

  @Test func `what cannot be written down is not told, and that is told once`() throws {
    let (agent, server) = try prepared()
    try agent.addStandup()
    try agent.store().database.execute("PRAGMA query_only = 1")
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    let problems = try agent.property("Problems").asStrings ?? []
    #expect(problems.contains { $0.hasPrefix("reminders are not told") }, "\(problems)")
    for minute in 16...19 { try agent.advance(to: "2026-11-21T08:\(minute):00Z") }
    #expect(server.shown.map(\.summary) == ["Reminders cannot be told"])
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
    let (agent, server) = try prepared()
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
    #expect(server.shown.map(\.summary) == ["Reminders cannot be told"])
    #expect(server.closed == [])
    try database.execute("PRAGMA max_page_count = 100000")
    try agent.advance(to: "2026-11-21T08:25:00Z")
    try agent.wait(for: "the reminder") { server.shown.count == 2 }
    try agent.settleNotifications()
    #expect(server.open == [2])
  }

  @Test(arguments: ["snooze", "dismiss", "location", nil])
  func `an answer that cannot be written brings it back`(action: String?) throws {
    let (agent, server) = try prepared()
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
    let (agent, server) = try prepared()
    try agent.ringStandup(server)
    server.close(1, reason: reason)
    try agent.settle()
    try agent.settle()
    #expect(try agent.pending().isEmpty == isSeen)
  }

  @Test func `actions of others' notifications and unknown actions mean nothing`() throws {
    let (agent, server) = try prepared()
    try agent.ringStandup(server)
    server.emit("ActionInvoked", [.uint32(7), .string("dismiss")])
    server.emit("ActionInvoked", [.uint32(1), .string("launch")])
    server.emit("NotificationClosed", [.uint32(7), .uint32(2)])
    try agent.settle()
    try agent.settle()
    #expect(try agent.state() == [.string("due")])
  }

  @Test func `an answer on the bus takes the notification away`() throws {
    let (agent, server) = try prepared()
    try agent.ringStandup(server)
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(agent.onlyReminder())])
    try agent.wait(for: "the end of the notification") { server.open.isEmpty }
    #expect(server.closed == [1])
  }

  @Test func `an answer before the notification is up takes it away all the same`() throws {
    let (agent, server) = try prepared()
    try agent.addStandup()
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T08:15:00Z"))
    // The server has not been asked what it can do yet.
    try agent.dismissAtOnce("Standup")
    try agent.settle()
    try agent.settle()
    #expect(server.open == [])
  }

  @Test func `an answer while the notification goes up takes it away all the same`() throws {
    let (agent, server) = try prepared()
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
    let (agent, server) = try prepared()
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
    let (agent, first) = try prepared()
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
    let (agent, first) = try prepared()
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
    let (agent, server) = try prepared()
    try agent.ringStandup(server)
    agent.stop()
    try agent.start()
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    try agent.settle()
    #expect(agent.signals("ReminderDue").count == 1)
  }
}

@Suite struct `A notification that is refused` {
  private func notificationProblems(_ agent: AgentUnderTest) throws -> [String] {
    try agent.property("Problems").asStrings?.filter { $0.contains("notification") } ?? []
  }

  @Test func `is asked for again, and is a problem until it is shown`() throws {
    let (agent, server) = try prepared()
    server.refusals = 2
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the first refusal") { server.refusedCount > 0 }
    try agent.settle()
    #expect(
      try notificationProblems(agent)
        == ["no notification can be shown: too many notifications; that is tried again soon"])
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

  @Test func `keeps no other from being shown, and is asked for again with the next`() throws {
    let (agent, server) = try prepared()
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
          "a notification is refused by the server, which shows others: too many notifications; that "
            + "is tried again soon"
        ])
    server.refused = []
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    try agent.settle()
    #expect(server.shown.map(\.summary) == ["Tea", "Standup"])
    #expect(try notificationProblems(agent) == [])
  }

  @Test func `is not asked for once its reminder is dismissed`() throws {
    let (agent, server) = try prepared()
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

@Suite struct `A digest` {
  /// So many reminders fell due while the agent did not run.
  private func missed(_ count: Int) throws -> (AgentUnderTest, NotificationServer) {
    let (agent, server) = try prepared()
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
    #expect(server.shown[0].body.hasPrefix("09:56  Call 1 &lt;b&gt;, 10:01 (over)\n09:57  "))
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
    #expect(server.shown[1].body == "3 are too old to be shown")
    // It is told once.
    try server.quit(agent)
    let second = try NotificationServer(agent)
    try agent.wait(for: "the notification") { !second.shown.isEmpty }
    for _ in 0..<2 { try agent.settle() }
    #expect(second.shown.map(\.summary) == ["Standup"])
  }

  @Test func `those of a moment that nobody missed are only counted`() throws {
    let (agent, server) = try prepared()
    for number in 1...6 {
      _ = try agent.add("Call \(number)", at: "2026-11-21 10:00", reminders: "5m")
    }
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T08:55:00Z"))
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    #expect(server.shown.map(\.summary) == ["6 reminders"])
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
    let (agent, server) = try prepared()
    for (count, day) in [22, 26].enumerated() {
      try missForDays(agent, day)
      try agent.wait(for: "the notification") { server.shown.count == count + 1 }
      try agent.settle()
    }
    #expect(server.open == [1, 2])
    #expect(server.shown.map(\.body) == ["1 is too old to be shown", "1 is too old to be shown"])
    #expect(server.shown.map(\.actions) == [["dismiss", "Dismiss"], ["dismiss", "Dismiss"]])
    server.invoke(1, "dismiss", closes: false)
    try agent.wait(for: "its end") { server.open == [2] }
    // What counts for one goes with it.
    _ = try agent.add("Call", at: "2026-12-01 10:00", reminders: "5m")
    agent.clock.set(to: try Timestamp(text: "2026-12-04T11:00:00Z"))
    try agent.wait(for: "the third") { server.open == [2, 3] }
    #expect(agent.agent?.teller?.tooOld.count == 2)
  }

  @Test func `what it counts that is too old stays in its words, and is counted once`() throws {
    let (agent, server) = try prepared()
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
    #expect(server.shown[0].body.contains("2 are too old to be shown"))
    let first = try #require(try agent.pending().first?["uid"])
    _ = try agent.call(
      Contract.events, "Update",
      [first, .string(""), .string("all"), .row([("summary", .string("Planning"))])])
    try agent.wait(for: "the words of now") { server.shown.count == 2 }
    try agent.settleNotifications()
    #expect(server.shown[1].body.contains("2 are too old to be shown"))
    #expect(server.shown[1].body.contains("Planning"))
    #expect(counted == [2])
  }

  @Test func `thousands are answered, and told as over, some at a time`() throws {
    let (agent, server) = try prepared()
    try agent.importComponents(
      (0..<3000).map {
        component(
          "call-\($0)", "DTSTART:20261121T090000Z", "SUMMARY:Call", "BEGIN:VALARM",
          "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT5M", "END:VALARM")
      }.joined())
    try agent.advance(to: "2026-11-21T08:55:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    let running = try #require(agent.agent)
    let scheduler = try running.scheduler()
    running.answered(.snooze(scheduler.pending.map(\.id), step: 0), activationToken: nil)
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
    running.answered(.dismiss(scheduler.pending.map(\.id)), activationToken: nil)
    #expect(1...2800 ~= scheduler.pendingCount)
    try agent.wait(for: "the answers") { scheduler.pendingCount == 0 }
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
