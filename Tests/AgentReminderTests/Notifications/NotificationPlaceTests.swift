import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

@Suite struct `A reminder that waits follows its event` {
  @Test func `title, place and end are those of now, in its place and without a sound`() throws {
    let (agent, server) = try AgentUnderTest.showing()
    try agent.editStandup(
      ("summary", .string("Planning")), ("location", .string("Room Bob")),
      ("end", .string("2026-11-21 11:00")))
    let row = try #require(try agent.pending().first)
    #expect(row["summary"] == .string("Planning"))
    #expect(row["location"] == .string("Room Bob"))
    #expect(row["end"] == .int64(1_795_255_200))
    #expect(server.shown.count == 2)
    let last = try #require(server.shown.last)
    #expect(last.summary == "Planning")
    #expect(last.body == "in 15 min · 09:30–11:00 · Room Bob")
    #expect(last.replaces == 1 && last.isSilent)
    #expect(server.open == [1])
    #expect(agent.signals("ReminderDue").count == 1)
    // The ledger has it, too: so it is told after a restart.
    let steps = try agent.call(Contract.reminders, "Why", [.string("standup"), .string("")])
    #expect(steps[0].asArray?.first?["summary"] == .string("Planning"))
    agent.stop()
    try agent.start()
    #expect(try agent.pending().first?["summary"] == .string("Planning"))
  }

  @Test func `an address that came with the edit is the one that is joined`() throws {
    let (agent, server) = try AgentUnderTest.showing()
    try agent.editStandup(("description", .string("https://meet.jit.si/Other")))
    #expect(server.shown.last?.actions.prefix(2) == ["join", "Join"])
    #expect(try agent.pending().first?["join-url"] == .string("https://meet.jit.si/Other"))
  }

  @Test func `one that is snoozed comes back with the words of now`() throws {
    let (agent, server) = try AgentUnderTest.showing()
    server.invoke(1, "snooze")
    try agent.wait(for: "the snooze") { !agent.signals("ReminderSnoozed").isEmpty }
    try agent.editStandup(("summary", .string("Planning")))
    #expect(server.shown.count == 1)
    #expect(try agent.pending().first?["summary"] == .string("Planning"))
    try agent.advance(to: "2026-11-21T08:25:00Z")
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    #expect(server.shown[1].summary == "Planning")
  }

  @Test func `moved a little it stays, in its place and without a sound`() throws {
    let (agent, server) = try AgentUnderTest.showing()
    try agent.advance(to: "2026-11-21T08:15:02Z")
    try agent.editStandup(("start", .string("2026-11-21 09:29")))
    let row = try #require(try agent.pending().first)
    #expect(row["start"] == .int64(1_795_249_740))
    #expect(row["state"] == .string("due"))
    #expect(server.shown.last?.body == "in 14 min · 09:29–10:29 · Room Ada")
    #expect(server.shown.last?.replaces == 1 && server.shown.last?.isSilent == true)
    #expect(server.open == [1] && server.closed == [])
    #expect(agent.signals("ReminderDue").count == 1)
    func dismissals() -> [String?] {
      agent.signals("ReminderDismissed").map { $0.arguments[2].asString }
    }
    #expect(dismissals() == ["event-moved"])
    // It hears its answer, and so does an import that moves it.
    try agent.importComponents(
      component(
        "standup", "DTSTART:20261121T082800Z", "DURATION:PT1H", "SUMMARY:Standup", "SEQUENCE:9",
        "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM"))
    try agent.settleNotifications()
    #expect(try agent.pending().map { $0["start"] } == [.int64(1_795_249_680)])
    server.invoke(1, "dismiss")
    try agent.wait(for: "the dismissal") { dismissals().last == "user" }
    #expect(try agent.pending() == [])
    #expect(server.open == [])
  }

  /// A standup every day since yesterday, of which that of today has rung.
  private func shownDaily() throws -> (AgentUnderTest, NotificationServer) {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.settle()
    _ = try agent.add(
      ("uid", .string("standup")), ("summary", .string("Standup")),
      ("start", .string("2026-11-20 09:30")), ("rrule", .string("FREQ=DAILY")),
      ("reminders", .strings(["15m", "12m"])))
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.advance(to: "2026-11-21T08:18:00Z")
    try agent.wait(for: "the second reminder") { server.shown.count == 2 }
    try agent.settleNotifications()
    return (agent, server)
  }

  // It has another name then: a uid of its own, or another recurrence ID.
  @Test(arguments: [
    ("all", "", ("start", "2026-11-20 09:29")),
    ("this-and-future", "20261121T083000Z", ("summary", "Planning")),
    ("this", "20261121T083000Z", ("start", "2026-11-21 09:29")),
  ])
  func `an occurrence that goes along stays, in its place and without a sound`(
    scope: String, occurrence: String, field: (String, String)
  ) throws {
    let (agent, server) = try shownDaily()
    try agent.advance(to: "2026-11-21T08:19:00Z")
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string("standup"), .string(occurrence), .string(scope),
        .row([(field.0, .string(field.1))]),
      ])
    try agent.settleNotifications()
    #expect(try agent.pending().count == 2)
    #expect(server.open == [1] && server.closed == [])
    #expect(server.shown.dropFirst(2).allSatisfy { $0.replaces == 1 && $0.isSilent })
    let last = try #require(server.shown.last)
    #expect(last.summary == "Planning" || last.body.hasPrefix("in 10 min · 09:29"))
    // And back again.
    _ = try agent.call(Contract.events, "Undo")
    try agent.settleNotifications()
    #expect(server.open == [1] && server.closed == [])
    #expect(server.shown.dropFirst(2).allSatisfy { $0.replaces == 1 && $0.isSilent })
    #expect(server.shown.last?.summary == "Standup")
    #expect(server.shown.last?.body.hasPrefix("in 11 min · 09:30") == true)
    // It hears its answer.
    server.invoke(1, "dismiss")
    try agent.wait(for: "the dismissal") { server.open.isEmpty }
    try agent.settle()
    #expect(try agent.pending() == [])
  }

  @Test func `undo takes the words back`() throws {
    let (agent, server) = try AgentUnderTest.showing()
    try agent.editStandup(("summary", .string("Planning")))
    _ = try agent.call(Contract.events, "Undo")
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["Standup", "Planning", "Standup"])
    #expect(try agent.pending().first?["summary"] == .string("Standup"))
  }

  @Test func `what is held back in quiet time is shown with the words of now`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    _ = try agent.call(Contract.calendar, "SetQuiet", [.string("30m")])
    _ = try agent.add(
      ("uid", .string("standup")), ("summary", .string("Standup")),
      ("start", .string("2026-11-21 09:30")), ("reminders", .strings(["15m"])))
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.editStandup(("summary", .string("Planning")))
    try agent.advance(to: "2026-11-21T08:30:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    #expect(server.shown.map(\.summary) == ["Planning"])
  }

  @Test func `a digest has the words of now`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.settle()
    for number in 1...6 {
      _ = try agent.add(
        ("uid", .string(number == 1 ? "standup" : "call-\(number)")),
        ("summary", .string("Call \(number)")),
        ("start", .string("2026-11-21 10:00")), ("reminders", .strings(["5m"])))
    }
    try agent.advance(to: "2026-11-21T08:55:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    try agent.editStandup(("summary", .string("Planning")))
    #expect(server.shown.count == 2)
    #expect(server.shown[1].replaces == 1 && server.shown[1].isSilent)
    #expect(server.shown[1].body.contains("Planning"))
    #expect(!server.shown[1].body.contains("Call 1"))
  }

  @Test func `a digest stays when what it stands for goes along`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.settle()
    _ = try agent.add(
      ("uid", .string("standup")), ("summary", .string("Standup")),
      ("start", .string("2026-11-21 10:00")), ("end", .string("2026-11-21 19:00")),
      ("rrule", .string("FREQ=HOURLY;COUNT=7")), ("reminders", .strings(["5m"])))
    agent.stop()
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T16:00:00Z"))
    try agent.start()
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    try agent.editStandup(("start", .string("2026-11-21 09:59")))
    #expect(try agent.pending().count == 7)
    #expect(server.shown.map(\.replaces) == [0, 1])
    #expect(server.shown[1].isSilent)
    #expect(server.open == [1] && server.closed == [])
    server.invoke(1, "dismiss")
    try agent.wait(for: "the dismissal") { server.open.isEmpty }
    try agent.settle()
    #expect(try agent.pending() == [])
  }

  @Test func `what one edit changes of many in a digest goes out once`() throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.settle()
    _ = try agent.add(
      ("uid", .string("standup")), ("summary", .string("Standup")),
      ("start", .string("2026-11-21 10:00")), ("rrule", .string("FREQ=HOURLY;COUNT=7")),
      ("reminders", .strings(["5m"])))
    agent.stop()
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T16:00:00Z"))
    try agent.start()
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    try agent.editStandup(("summary", .string("Planning")))
    #expect(server.shown.map(\.replaces) == [0, 1])
    #expect(server.shown[1].body.contains("Planning"))
    #expect(!server.shown[1].body.contains("Standup"))
  }
}

@Suite struct `An agent that is started anew` {
  @Test func `shows what is on the screen in its place, and hears its answer`() throws {
    let (agent, server) = try AgentUnderTest.showing()
    try agent.vanish()
    try agent.start()
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    try agent.settle()
    #expect(server.shown[1].replaces == 1 && server.shown[1].isSilent)
    #expect(server.open == [1])
    server.invoke(1, "dismiss", closes: false)
    try agent.wait(for: "the dismissal") { !agent.signals("ReminderDismissed").isEmpty }
    try agent.settle()
    #expect(try agent.pending() == [])
    #expect(server.open == [])
  }

  @Test func `leaves it on the screen as it stops`() throws {
    let (agent, server) = try AgentUnderTest.showing()
    agent.stop()
    #expect(server.open == [1])
    try agent.start()
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    try agent.settle()
    #expect(server.open == [1])
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(agent.onlyReminder())])
    try agent.wait(for: "the end of the notification") { server.open.isEmpty }
  }

  @Test func `goes by no number of another server`() throws {
    let (agent, first) = try AgentUnderTest.showing()
    try agent.vanish()
    try first.quit(agent)
    let second = try NotificationServer(agent)
    try agent.start()
    try agent.wait(for: "the notification") { !second.shown.isEmpty }
    try agent.settle()
    #expect(second.shown.map(\.replaces) == [0])
  }

  @Test func `goes by no number of a server of the same name on another bus`() throws {
    let (agent, server) = try AgentUnderTest.showing()
    try agent.vanish()
    let kept = try #require(agent.files.read("run/notifications"))
    let words = String(decoding: kept, as: UTF8.self).split(separator: " ", maxSplits: 1)
    try #require(words.first?.utf8.count == 32)
    try agent.files.write(
      String(repeating: "0", count: 32) + " \(words[1])", to: "run/notifications", mode: 0o600)
    try agent.start()
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    #expect(server.shown[1].replaces == 0)
  }

  @Test func `takes away what wants nothing any more`() throws {
    let (agent, server) = try AgentUnderTest.showing()
    let kept = try #require(agent.files.read("run/notifications"))
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(agent.onlyReminder())])
    try agent.settle()
    agent.stop()
    // As if it had died between the ledger and the screen.
    try agent.files.write(
      String(decoding: kept, as: UTF8.self), to: "run/notifications", mode: 0o600)
    let closed = server.closed.count
    try agent.start()
    try agent.wait(for: "the end of the notification") { server.closed.count > closed }
    #expect(server.closed.last == 1)
  }

  @Test func `says that the list of shown notifications could not be read or removed`() throws {
    let agent = try AgentUnderTest(start: false, notifications: true)
    let server = try NotificationServer(agent)
    try agent.files.makeDirectory("run/notifications")
    try agent.start()
    #expect(
      agent.log.count { $0.contains("the list of shown notifications could not be read") } == 1)
    try server.quit(agent)
    try agent.wait(for: "the line") {
      agent.log.contains { $0.contains("the list of shown notifications could not be removed") }
    }
  }

  @Test func `makes the folder again in which it writes down the numbers`() throws {
    let (agent, server) = try AgentUnderTest.showing()
    _ = try Subprocess.run("rm", ["-r", agent.files.file("run")])
    _ = try agent.add("Tea", at: "2026-11-21 09:20", reminders: "4m")
    try agent.advance(to: "2026-11-21T08:16:00Z")
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    try agent.settleNotifications()
    try agent.vanish()
    try agent.start()
    try agent.settleNotifications()
    // The next agent knows both, and takes them over.
    #expect(Set(server.shown.dropFirst(2).map(\.replaces)) == [1, 2])
    #expect(server.open == [1, 2])
  }

  @Test func `takes nothing from a folder that others may write to`() throws {
    let (agent, _) = try AgentUnderTest.showing()
    let kept = try #require(agent.files.read("run/notifications"))
    agent.stop()
    setMode(agent.files.file("run"), 0o777)
    var lines: [String] = []
    let file = NotificationFile(
      path: agent.files.file("run/notifications"),
      log: Log(marksPriority: false) { lines.append($0) })
    let server = String(decoding: kept.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    #expect(file.read(of: server).isEmpty)
    #expect(lines.count == 1)
    #expect(lines.first?.contains("run cannot be used: others may write to it (mode 777)") ?? false)
  }

  @Test func `does not wait for a FIFO in the place of the numbers, and replaces it`() throws {
    let agent = try AgentUnderTest(start: false, notifications: true)
    let server = try NotificationServer(agent)
    try SpecialFile.fifo.make(at: agent.files.file("run/notifications"))
    try agent.start()
    #expect(agent.log.contains { $0.contains("run/notifications cannot be used: it is a named") })
    try agent.ringStandup(server)
    #expect(agent.files.read("run/notifications")?.isEmpty == false)
  }

  /// An agent that cannot write down what falls due, and says so since 9:15.
  private func failing() throws -> (AgentUnderTest, NotificationServer) {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.settle()
    _ = try agent.add("Standup", at: "2026-11-21 09:30", reminders: "15m")
    try agent.store().database.execute("PRAGMA query_only = 1")
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.map(\.summary) == ["Reminders are paused"])
    return (agent, server)
  }

  @Test func `takes away that nothing can be told as it stops`() throws {
    let (agent, server) = try failing()
    agent.stop()
    try agent.wait(for: "its end") { server.open.isEmpty }
    let kept = String(decoding: try #require(agent.files.read("run/notifications")), as: UTF8.self)
    #expect(kept.split(separator: "\n").count == 1, "\(kept)")
  }

  @Test func `takes away that nothing could be told before it, where all can`() throws {
    let (agent, server) = try failing()
    let kept = try #require(agent.files.read("run/notifications"))
    try agent.vanish()
    // As if it had been killed.
    try agent.files.write(kept, to: "run/notifications")
    try agent.start()
    try agent.wait(for: "the reminder") { server.shown.last?.summary == "Standup" }
    try agent.settleNotifications()
    #expect(server.open == [2])
  }

  /// An agent, started anew, on whose screen a digest of so many events was, some of which have been dismissed since.
  private func startedAnew(
    _ count: Int, dismissed: Int = 0
  ) throws -> (AgentUnderTest, NotificationServer) {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    try agent.settle()
    for number in 1...count {
      _ = try agent.add("Call \(number)", at: "2026-11-21 10:00", reminders: "5m")
    }
    try agent.advance(to: "2026-11-21T08:55:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settleNotifications()
    for reminder in try agent.pending().prefix(dismissed) {
      _ = try agent.call(Contract.reminders, "Dismiss", [try #require(reminder["id"])])
    }
    try agent.settleNotifications()
    let shown = server.shown.count
    try agent.vanish()
    try agent.start()
    try agent.wait(for: "the notification") { server.shown.count > shown }
    try agent.settleNotifications()
    #expect(server.shown.count == shown + 1)
    return (agent, server)
  }

  @Test(arguments: [0, 2])
  func `a digest stays one, also with few left`(dismissed: Int) throws {
    let (_, server) = try startedAnew(6, dismissed: dismissed)
    #expect(server.shown.last?.replaces == 1 && server.shown.last?.isSilent == true)
    #expect(server.shown.last?.summary == "\(6 - dismissed) reminders")
    #expect(server.open == [1])
  }

  @Test(arguments: [["New"], ["New", "Newer"]])
  func `a digest that counts what was too old does so still`(titles: [String]) throws {
    let agent = try AgentUnderTest(notifications: true)
    let server = try NotificationServer(agent)
    for day in 22...27 { _ = try agent.add("Old", at: "2026-11-\(day) 10:00", reminders: "5m") }
    for title in titles {
      _ = try agent.add(title, at: "2026-12-10 10:00", reminders: "5m")
    }
    try agent.settle()
    agent.stop()
    agent.clock.set(to: try Timestamp(text: "2026-12-10T09:00:00Z"))
    try agent.start()
    try agent.wait(for: "the digest") { !server.shown.isEmpty }
    try agent.settleNotifications()
    #expect(server.shown.last?.body.contains("6 are too old") == true)
    let shown = server.shown.count
    try agent.vanish()
    try agent.start()
    try agent.wait(for: "the digest") { server.shown.count > shown }
    try agent.settleNotifications()
    #expect(server.shown.last?.body.contains("6 are too old") == true)
    #expect(server.shown.last?.isSilent == true)
    #expect(server.open.count == 1)
  }
}
