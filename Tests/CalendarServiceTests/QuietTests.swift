import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Reminders
import TestSupport
import Testing

@testable import CalendarService

extension AgentUnderTest {
  fileprivate func setQuiet(_ until: String) throws -> Int64 {
    try call(Contract.calendar, "SetQuiet", [.string(until)])[0].asInteger ?? -1
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
    #expect(try agent.setQuiet("forever") == .max)
    #expect(try agent.setQuiet("") == 0)
    #expect(try agent.setQuiet("off") == 0)
    try agent.settle()
    #expect(
      agent.changes(of: "QuietUntil")
        == [1_795_255_200, .max, 0].map(Value.int64))
  }

  @Test func `it ends by itself, at its instant`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.setQuiet("2h")
    try agent.advance(to: "2026-11-21T10:00:00Z")
    #expect(try agent.property("QuietUntil") == .int64(0))
    #expect(agent.changes(of: "QuietUntil").last == .int64(0))
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

  @Test func `what is pending says that it is held back, until it is shown`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.addStandup()
    _ = try agent.add("Tea", at: "2026-11-21 09:05", reminders: "0m")
    try agent.advance(to: "2026-11-21T08:10:00Z")
    _ = try agent.setQuiet("2h")
    try agent.advance(to: "2026-11-21T08:20:00Z")
    func quiet() throws -> [Value?] {
      let page = try agent.call(Contract.reminders, "PendingPage", [.uint32(0), .string("")])
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
      let answer = try agent.call(Contract.reminders, "PendingPage", [.uint32(3), .string(cursor)])
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
    let scheduler = try #require(agent.agent?.runningScheduler)
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
