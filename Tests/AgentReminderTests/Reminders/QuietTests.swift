import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Reminders
import TestSupport
import Testing
import Widgets

@testable import AgentSupport
@testable import CalendarService

extension AgentUnderTest {
  fileprivate func setQuiet(_ until: String) throws -> Int64 {
    try call(Contract.calendar, "SetQuiet", [.string(until)])[0].asInteger ?? -1
  }

  /// Adds events at half past nine, by their titles, with reminders.
  fileprivate func add(_ events: KeyValuePairs<String, [String]>) throws {
    for (title, reminders) in events {
      _ = try add(
        ("summary", .string(title)), ("start", .string("2026-11-21 09:30")),
        ("reminders", .strings(reminders)))
    }
  }

  fileprivate var toldQuiet: [Value?] {
    signals("ReminderDue").map { $0.arguments[5]["quiet"] }
  }
}

@Suite struct `Quiet time on the bus` {
  @Test func `it is set by a length, a moment or a word, and told when it differs`() throws {
    let agent = try AgentUnderTest()
    #expect(try agent.property("QuietUntil") == .int64(0))
    #expect(try agent.setQuiet("2h") == 1_795_255_200)
    #expect(try agent.setQuiet("2026-11-21 11:00") == 1_795_255_200)
    // The midnight in Berlin that the day ends with.
    #expect(try agent.setQuiet("24:00") == 1_795_302_000)
    #expect(try agent.setQuiet("forever") == .max)
    #expect(try agent.setQuiet("") == 0)
    #expect(try agent.setQuiet("off") == 0)
    try agent.settle()
    #expect(
      agent.changes(of: "QuietUntil")
        == [1_795_255_200, 1_795_302_000, .max, 0].map(Value.int64))
  }

  @Test func `it ends by itself, at its instant`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.setQuiet("2h")
    try agent.advance(to: "2026-11-21T10:00:00Z")
    #expect(try agent.property("QuietUntil") == .int64(0))
    #expect(agent.changes(of: "QuietUntil").last == .int64(0))
  }

  @Test func `bars hear of it by the snapshot`() throws {
    let agent = try AgentUnderTest()
    func snapshot() throws -> SnapshotV1 {
      try SnapshotV1(json: try agent.call(Contract.calendar, "Snapshot")[0].asString ?? "")
    }
    #expect(try snapshot().quietUntil == nil)
    let heard = agent.signals("SnapshotChanged").count
    let end = try agent.setQuiet("2h")
    #expect(try snapshot().quietUntil?.seconds == end)
    #expect(try snapshot().nextChange.seconds <= end)
    #expect(agent.signals("SnapshotChanged").count > heard)
    try agent.advance(to: "2026-11-21T10:00:00Z")
    #expect(try snapshot().quietUntil == nil)
    _ = try agent.setQuiet("forever")
    #expect(try snapshot().quietUntil == .latest)
  }

  @Test func `it outlives the agent`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.setQuiet("2h")
    agent.stop()
    try agent.start()
    #expect(try agent.property("QuietUntil") == .int64(1_795_255_200))
  }

  @Test func `reminders are signalled as quiet, and one digest is shown at the end`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.addStandup()
    _ = try agent.add("Tea", at: "2026-11-21 10:30", reminders: "15m")
    _ = try agent.setQuiet("2h")
    try agent.advance(to: "2026-11-21T09:59:59Z")
    #expect(agent.toldQuiet == [.boolean(true), .boolean(true)])
    #expect(
      agent.signals("ReminderDue").map { $0.arguments[5]["notified"] }
        == [.boolean(false), .boolean(false)])
    #expect(server.shown.isEmpty)
    try agent.advance(to: "2026-11-21T10:00:00Z")
    try agent.wait(for: "the digest") { !server.shown.isEmpty }
    #expect(server.shown.map(\.summary) == ["2 reminders"])
    #expect(agent.toldQuiet.count == 2)
  }

  /// An agent on whose screen the standup is since 8:15 UTC. It is quiet until 8:30, and the standup's other reminder,
  /// at 8:20, and that of the tea, at 8:25, are held back.
  private func quietWithStandup() throws -> (AgentUnderTest, NotificationServer) {
    let (agent, server) = try AgentUnderTest.showing("15m 10m")
    _ = try agent.add("Tea", at: "2026-11-21 09:40", reminders: "15m")
    _ = try agent.setQuiet("15m")
    return (agent, server)
  }

  @Test func `what is on the screen of an event goes into the digest that tells of it`() throws {
    let (agent, server) = try quietWithStandup()
    try agent.advance(to: "2026-11-21T08:25:00Z")
    try agent.settleNotifications()
    try agent.advance(to: "2026-11-21T08:30:00Z")
    try agent.wait(for: "the digest") { server.shown.contains { $0.summary == "2 reminders" } }
    try agent.settleNotifications()
    #expect(server.open.count == 1)
    let digest = try #require(server.shown.last)
    #expect(digest.body == "09:30  Standup (now)\n09:40  Tea")
    // One answer is that of all of it.
    server.invoke(digest.id, "dismiss")
    try agent.wait(for: "the dismissals") { agent.signals("ReminderDismissed").count == 3 }
    #expect(try agent.pending() == [])
  }

  @Test
  func `what is on the screen since before it stays there over a restart, and is not shown again`()
    throws
  {
    let (agent, server) = try AgentUnderTest.showing()
    for title in ["Tea", "Call"] {
      _ = try agent.add(title, at: "2026-11-21 09:40", reminders: "15m")
    }
    _ = try agent.setQuiet("15m")
    try agent.advance(to: "2026-11-21T08:25:00Z")
    agent.stop()
    try agent.start()
    try agent.settleNotifications()
    let again = server.shown.dropFirst()
    #expect(again.allSatisfy { $0.isSilent && $0.replaces == 1 }, "\(again)")
    #expect(server.open == [1])
    try agent.advance(to: "2026-11-21T08:30:00Z")
    try agent.wait(for: "the digest") { server.shown.contains { $0.summary == "2 reminders" } }
    try agent.settleNotifications()
    #expect(server.open.count == 2)
    #expect(
      server.shown.last { $0.summary == "2 reminders" }?.body
        == "09:40  Call\n09:40  Tea")
  }

  @Test func `a digest stays whole over a restart in quiet time`() throws {
    let (agent, server) = try AgentUnderTest.showing()
    _ = try agent.setQuiet("15m")
    for title in ["Tea", "Call"] {
      _ = try agent.add(title, at: "2026-11-21 09:40", reminders: "15m")
    }
    try agent.advance(to: "2026-11-21T08:30:00Z")
    try agent.wait(for: "the digest") { server.shown.contains { $0.summary == "2 reminders" } }
    try agent.settleNotifications()
    _ = try agent.setQuiet("15m")
    let (count, open) = (server.shown.count, server.open)
    // The other is that of an event from before both.
    #expect(open.count == 2)
    agent.stop()
    try agent.start()
    try agent.settleNotifications()
    #expect(server.shown.dropFirst(count).allSatisfy { $0.isSilent && $0.replaces == 1 })
    #expect(server.open == open)
  }

  @Test func `what rang before it is no part of its digest where the agent was started anew`()
    throws
  {
    let agent = try AgentUnderTest(notifications: true)
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    for title in ["Tea", "Call"] {
      _ = try agent.add(title, at: "2026-11-21 09:40", reminders: "15m")
    }
    _ = try agent.setQuiet("15m")
    try agent.advance(to: "2026-11-21T08:25:00Z")
    agent.stop()
    // The quiet time ends while no agent runs.
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T08:40:00Z"))
    try agent.start()
    try agent.settle()
    let server = try NotificationServer(agent)
    try agent.wait(for: "a notification") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary).sorted() == ["2 reminders", "Standup"])
  }

  @Test func `new words that are under way then do not come up beside the digest`() throws {
    let (agent, server) = try quietWithStandup()
    server.isSlow = true
    for minute in [20, 25, 30] {
      try agent.advance(to: "2026-11-21T08:\(minute):00Z")
      try agent.settle()
    }
    server.isSlow = false
    server.answerHeld()
    try agent.wait(for: "the digest") { server.shown.contains { $0.summary == "2 reminders" } }
    try agent.settleNotifications()
    let digests = server.shown.filter { $0.summary == "2 reminders" }.map(\.id)
    #expect(server.open == Set(digests))
    #expect(server.open.count == 1)
  }

  @Test func `what of an event rings as it ends takes the rest of it along, with a sound`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.add(["Standup": ["15m", "5m"], "Tea": ["14m"], "Call": ["13m"]])
    _ = try agent.setQuiet("2026-11-21 09:25")
    try agent.advance(to: "2026-11-21T08:24:00Z")
    #expect(server.shown.isEmpty)
    try agent.advance(to: "2026-11-21T08:25:00Z")
    try agent.wait(for: "both") { server.open.count == 2 }
    try agent.settleNotifications()
    let digest = try #require(server.shown.first { $0.summary == "2 reminders" })
    #expect(!digest.body.contains("Standup"))
    let standup = try #require(server.shown.last { $0.summary == "Standup" })
    #expect(!standup.isSilent)
    #expect(server.open == [digest.id, standup.id])
    server.invoke(standup.id, "dismiss")
    try agent.wait(for: "the dismissals") { agent.signals("ReminderDismissed").count == 2 }
    #expect(try agent.pending().map { $0["summary"] } == [.string("Tea"), .string("Call")])
  }

  @Test func `what was held back comes with a sound, also in the place of what is there`() throws {
    let (agent, server) = try AgentUnderTest.showing("15m 10m")
    _ = try agent.setQuiet("7m")
    try agent.advance(to: "2026-11-21T08:20:00Z")
    try agent.settleNotifications()
    let count = server.shown.count
    try agent.advance(to: "2026-11-21T08:22:00Z")
    try agent.wait(for: "the second") { server.shown.count > count }
    try agent.settleNotifications()
    #expect(server.shown.last?.replaces == 1)
    #expect(server.shown.last?.isSilent == false)
    #expect(server.open == [1])
  }

  @Test func `what rings of an event after the digest has a notification of its own`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.add(["Standup": ["15m", "5m"], "Tea": ["14m"]])
    _ = try agent.setQuiet("2026-11-21 09:20")
    try agent.advance(to: "2026-11-21T08:20:00Z")
    try agent.wait(for: "the digest") { server.open.count == 1 }
    try agent.settleNotifications()
    try agent.advance(to: "2026-11-21T08:25:00Z")
    try agent.wait(for: "the second") { server.open.count == 2 }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["2 reminders", "Standup"])
    #expect(server.shown.map(\.isSilent) == [false, false])
  }

  @Test func `what is pending says that it is held back, until it is shown`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.addStandup()
    _ = try agent.add("Tea", at: "2026-11-21 09:05", reminders: "0m")
    try agent.advance(to: "2026-11-21T08:10:00Z")
    _ = try agent.setQuiet("2h")
    try agent.advance(to: "2026-11-21T08:20:00Z")
    func quiet() throws -> [Value?] {
      let page = try agent.call(Contract.reminders, "Pending", [.uint32(0), .string("")])
      let marks = try agent.pending().map { $0["quiet"] }
      #expect(page[0].asArray?.map { $0["quiet"] } == marks)
      return marks
    }
    // The first was shown before it was quiet.
    #expect(try quiet() == [nil, .boolean(true)])
    try agent.advance(to: "2026-11-21T10:10:00Z")
    try agent.wait(for: "the standup") { server.shown.contains { $0.summary == "Standup" } }
    #expect(try quiet() == [nil, nil])
  }

  @Test func `weekly hours are quiet, and end for once by hand`() throws {
    let agent = try AgentUnderTest(
      notifications: true, quietHours: "mon-fri 22:00-7:00, sat 8:00-12:00")
    let server = try NotificationServer(agent)
    // Saturday, 9:00 in Berlin.
    #expect(try agent.property("QuietUntil") == .int64(1_795_258_800))
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:20:00Z")
    #expect(agent.toldQuiet == [.boolean(true)])
    #expect(server.shown.isEmpty)
    #expect(try agent.setQuiet("") == 0)
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    #expect(server.shown.map(\.summary) == ["Standup"])
    agent.takeSignals()
    try agent.advance(to: "2026-11-23T21:00:00Z")
    #expect(agent.changes(of: "QuietUntil") == [.int64(1_795_500_000)])
    let rows = try agent.call(Contract.reminders, "Upcoming", [.uint32(1)])
    #expect(rows[0].asArray?.isEmpty == true)
  }

  @Test func `what is to come says whether it will be quiet then`() throws {
    let agent = try AgentUnderTest(quietHours: "22:00-7:00")
    _ = try agent.add("Tea", at: "2026-11-21 15:00", reminders: "15m")
    _ = try agent.add("Night", at: "2026-11-21 23:00", reminders: "15m")
    let rows = try agent.call(Contract.reminders, "Upcoming", [.uint32(0)])[0].asArray ?? []
    #expect(rows.map { $0["quiet"] } == [.boolean(false), .boolean(true)])
  }
}

@Suite struct `Many reminders on the bus` {
  @Test func `pages have all of them, each once`() throws {
    let agent = try AgentUnderTest()
    for number in 0..<7 {
      _ = try agent.add("Tea \(number)", at: "2026-11-21 10:00", reminders: "15m")
    }
    try agent.advance(to: "2026-11-21T09:00:00Z")
    var cursor = ""
    var found: [String] = []
    repeat {
      let answer = try agent.call(Contract.reminders, "Pending", [.uint32(3), .string(cursor)])
      found += (answer[0].asArray ?? []).map { $0["summary"]?.asString ?? "" }
      cursor = answer[1].asString ?? ""
    } while !cursor.isEmpty
    #expect(found == (0..<7).map { "Tea \($0)" })
  }

  @Test func `all are put off or dismissed at once, and it is said how many`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    _ = try agent.add("Tea", at: "2026-11-21 11:30", reminders: "2h")
    try agent.advance(to: "2026-11-21T09:00:00Z")
    // The standup began at 8:30.
    #expect(
      try agent.call(Contract.reminders, "SnoozeAll", [.string("start")]) == [.uint32(1)])
    #expect(try agent.pending().map { $0["state"] } == [.string("due"), .string("snoozed")])
    #expect(try agent.call(Contract.reminders, "SnoozeAll", [.string("end")]) == [.uint32(1)])
    #expect(try agent.call(Contract.reminders, "SnoozeAll", [.string("5m")]) == [.uint32(0)])
    #expect(try agent.call(Contract.reminders, "DismissAll") == [.uint32(2)])
    #expect(try agent.call(Contract.reminders, "DismissAll") == [.uint32(0)])
  }

  @Test func `thousands are dismissed while others are answered`() throws {
    let agent = try AgentUnderTest()
    let scheduler = try #require(agent.agent?.reminders.scheduler)
    let due = agent.clock.now
    let span = TimeSpan(start: due, end: due.adding(seconds: 3600))
    let reminders = (0..<3000).map { number in
      Reminder(
        key: ReminderKey(
          calendar: CalendarID("personal"), uid: EventUID("e\(number)"), recurrenceID: "",
          alarm: "1", trigger: due),
        summary: "e\(number)", location: "", joinURL: "", span: span, isAllDay: false,
        isPrivate: false, state: .delivered, due: due, snoozes: 0, isMissed: false)
    }
    try agent.store().record(reminders, at: due)
    scheduler.reopen(reminders)
    for (member, arguments) in [("SnoozeAll", [Value.string("1h")]), ("DismissAll", [])] {
      let slow = try agent.begin(
        .call(
          Contract.busName, Contract.path, Contract.reminders, MemberName(unchecked: member),
          arguments))
      let quick = try agent.begin(
        .call(Contract.busName, Contract.path, "org.freedesktop.DBus.Peer", "Ping"))
      try agent.wait(for: "the quick answer") { quick.result != nil }
      #expect(slow.result == nil, "\(member)")
      try agent.wait(for: "the slow answer") { slow.result != nil }
      #expect(try slow.values() == [.uint32(3000)], "\(member)")
    }
    #expect(try agent.store().pendingReminders().isEmpty)
  }

  @Test func `a snooze does not lead beyond the end of time`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.call(Contract.reminders, "Test")
    for text in ["P9000Y", "3000000d"] {
      let id = try agent.onlyReminder()
      let refused = try agent.refusal(
        Contract.reminders, "Snooze", [.string(id), .string(text)])
      #expect(refused.name.text == CallError.Kind.invalidTime.rawValue, "\(refused)")
    }
  }

  @Test func `two tests in one second have names of their own`() throws {
    let agent = try AgentUnderTest()
    let first = try agent.call(Contract.reminders, "Test")
    let second = try agent.call(Contract.reminders, "Test")
    #expect(first != second)
    // Also where the agent has been started anew within the second.
    agent.stop()
    try agent.start()
    let third = try agent.call(Contract.reminders, "Test")
    #expect(third != first && third != second)
    #expect(try agent.pending().count == 3)
  }

  @Test func `a test is told, pending and dismissed as others are`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.settle()
    let answer = try agent.call(Contract.reminders, "Test")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    #expect(server.shown.map(\.summary) == ["Test reminder"])
    #expect(answer == [.string(try agent.onlyReminder())])
    #expect(agent.signals("ReminderDue").map { $0.arguments[1] } == [.string("datebook-test")])
    _ = try agent.call(Contract.reminders, "Dismiss", answer)
    #expect(try agent.pending().isEmpty)
  }
}

@Suite struct `The setting quiet-hours` {
  @Test func `it has hours of the week`() {
    let (read, faults) = Configuration.read(
      "[reminders]\nquiet-hours = mon-fri 22:00-7:00, sat-sun 23:00-9:00\n")
    #expect(faults.isEmpty)
    #expect(read.quietHours.parts.count == 2)
  }

  @Test func `what is none is refused, and none are in force`() {
    let (read, faults) = Configuration.read("[reminders]\nquiet-hours = at night\n")
    #expect(faults.map(\.line) == [2])
    #expect(read.quietHours.parts.isEmpty)
  }
}
