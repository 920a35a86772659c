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

@Suite struct `Reminders that come back` {
  /// What was told since signals were taken: "Dismissed ID", "Returned ID state former".
  private func heard(_ agent: AgentUnderTest) throws -> [String] {
    try agent.settle()
    return agent.signals.compactMap { signal in
      let member = signal.member.text
      guard member.hasPrefix("Reminder"),
        let id = signal.arguments.first?.asString
      else { return nil }
      let words = ["state", "former-id"].compactMap { signal.arguments.last?[$0]?.asString }
      return ([String(member.dropFirst(8)), id] + (member == "ReminderReturned" ? words : []))
        .joined(separator: " ")
    }
  }

  private func rung() throws -> (AgentUnderTest, id: String) {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    agent.takeSignals()
    return (agent, id)
  }

  @Test func `a removal that is taken back is told, with all that ReminderDue says`() throws {
    let (agent, id) = try rung()
    try agent.advance(to: "2026-11-21T08:16:00Z")
    _ = try agent.call(
      Contract.events, "Remove", [.string("standup"), .string(""), .string("")])
    _ = try agent.call(Contract.events, "Undo")
    #expect(try heard(agent) == ["Dismissed \(id)", "Returned \(id) due"])
    #expect(
      agent.signals("ReminderReturned").map(\.arguments) == [
        [
          .string(id), .string("standup"), .string("Standup"), .int64(1_795_249_800),
          .int64(1_795_248_900),
          .row([
            ("calendar", .string("personal")), ("location", .string("Room Ada")),
            ("end", .int64(1_795_253_400)), ("all-day", .boolean(false)), ("late", .uint32(60)),
            ("missed", .boolean(false)), ("snoozes", .uint32(0)), ("quiet", .boolean(false)),
            ("notified", .boolean(false)), ("state", .string("due")),
          ]),
        ]
      ])
  }

  @Test
  func `what was put off until a moment that has passed as its event moves is told as due alone`()
    throws
  {
    let (agent, id) = try rung()
    _ = try agent.call(Contract.reminders, "Snooze", [.string(id), .string("start")])
    try agent.advance(to: "2026-11-21T08:29:50Z")
    agent.takeSignals()
    _ = try agent.call(
      Contract.events, "SetField",
      ["standup", "", "", "start"].map(Value.string) + [.variant(.string("2026-11-21 09:29"))])
    let moved = try agent.onlyReminder()
    #expect(moved != id)
    #expect(try heard(agent) == ["Due \(moved)", "Dismissed \(id)"])
  }

  @Test func `what fell due while its event was away is told late, as due`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:14:00Z")
    _ = try agent.call(
      Contract.events, "Remove", [.string("standup"), .string(""), .string("")])
    try agent.advance(to: "2026-11-21T08:20:00Z")
    agent.takeSignals()
    _ = try agent.call(Contract.events, "Undo")
    // The clock wakes at once for what is past.
    try agent.advance(to: "2026-11-21T08:20:00Z")
    let id = try agent.onlyReminder()
    #expect(try heard(agent) == ["Due \(id)"])
    #expect(agent.signals("ReminderDue").map { $0.arguments.last?["late"] } == [.uint32(300)])
  }

  @Test func `of the days while its event was away what is too old is missed`() throws {
    let agent = try AgentUnderTest()
    try agent.add(
      ("uid", .string("yoga")), ("summary", .string("Yoga")),
      ("start", .string("2026-11-21 09:30")), ("rrule", .string("FREQ=DAILY")),
      ("reminders", .strings(["15m"])))
    _ = try agent.call(
      Contract.events, "Remove", [.string("yoga"), .string(""), .string("all")])
    try agent.advance(to: "2026-11-23T08:20:00Z")
    _ = try agent.call(Contract.events, "Undo")
    // The clock wakes at once for what is past.
    try agent.advance(to: "2026-11-23T08:20:00Z")
    #expect(agent.signals("ReminderDue").map { $0.arguments.last?["late"] } == [.uint32(300)])
    // A day is how late it may be.
    let story = try agent.call(Contract.reminders, "Why", ["yoga", ""].map(Value.string))[0]
    #expect(
      (story.asArray ?? []).compactMap { $0["state"]?.asString }
        .filter { !["due", "planned"].contains($0) } == ["closed", "closed", "delivered"])
    #expect(
      (story.asArray ?? []).compactMap { $0["reason"]?.asString } == ["missed", "missed"])
  }

  @Test
  func `what is too old of an occurrence that comes back is counted as all that was missed is`()
    throws
  {
    let (agent, server) = try agentWithServer()
    try agent.add(
      ("uid", .string("yoga")), ("summary", .string("Yoga")),
      ("start", .string("2026-11-21 09:30")), ("rrule", .string("FREQ=DAILY")),
      ("reminders", .strings(["15m"])))
    _ = try agent.call(
      Contract.events, "Remove",
      ["yoga", "20261122T083000Z", "this"].map(Value.string))
    try agent.advance(to: "2026-11-21T08:20:00Z")
    agent.clock.set(to: try Timestamp(text: "2026-11-24T08:00:00Z"))
    try agent.settleNotifications()
    _ = try agent.call(Contract.reminders, "DismissAll")
    let before = server.shown.count
    _ = try agent.call(Contract.events, "Undo")
    try agent.wait(for: "the notification") { server.shown.count > before }
    try agent.settleNotifications()
    #expect(
      server.shown[before...].map(\.body) == [
        "1 is too old to be shown (calctl reminders --missed)"
      ])
    let story = try agent.call(
      Contract.reminders, "Why", ["yoga", "20261122T083000Z"].map(Value.string))[0]
    #expect((story.asArray ?? []).compactMap { $0["reason"]?.asString } == ["missed"])
  }

  @Test func `so is a snooze that goes on when its calendar is shown`() throws {
    let (agent, id) = try rung()
    _ = try agent.call(Contract.reminders, "Snooze", [.string(id), .string("10m")])
    agent.takeSignals()
    for isVisible in [false, true] {
      _ = try agent.call(
        Contract.calendars, "Update",
        [.string("personal"), .row([("visible", .boolean(isVisible))])])
    }
    #expect(try heard(agent) == ["Dismissed \(id)", "Returned \(id) snoozed"])
    #expect(agent.signals("ReminderReturned").map { $0.arguments[4] } == [.int64(1_795_249_500)])
  }

  @Test func `one that goes along with its event says what it was called`() throws {
    let (agent, id) = try rung()
    try agent.advance(to: "2026-11-21T08:16:00Z")
    _ = try agent.call(
      Contract.events, "Reschedule",
      [.string("standup"), .string(""), .string("all"), .string("2026-11-21 09:28")])
    let moved = try agent.onlyReminder()
    #expect(moved != id)
    #expect(try heard(agent) == ["Dismissed \(id)", "Returned \(moved) due \(id)"])
  }

  @Test func `so does one whose event moved while its calendar was hidden, however often`() throws {
    let (agent, id) = try rung()
    try agent.advance(to: "2026-11-21T08:16:00Z")
    func show(_ isVisible: Bool) throws {
      _ = try agent.call(
        Contract.calendars, "SetVisible", [.string("personal"), .boolean(isVisible)])
    }
    func move(to time: String) throws {
      _ = try agent.call(
        Contract.events, "Reschedule",
        [.string("standup"), .string(""), .string("all"), .string("2026-11-21 " + time)])
    }
    try show(false)
    try move(to: "09:28")
    try move(to: "09:29")
    try show(true)
    let moved = try agent.onlyReminder()
    #expect(moved != id)
    #expect(try heard(agent) == ["Dismissed \(id)", "Returned \(moved) due \(id)"])
    agent.takeSignals()
    // Of what is back where it was there is nothing to say.
    try show(false)
    try move(to: "09:28")
    try move(to: "09:29")
    try show(true)
    #expect(try heard(agent) == ["Dismissed \(moved)", "Returned \(moved) due"])
  }

  @Test func `one that a backup puts back where and when it was says once what it was called`()
    throws
  {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let backup = try agent.backup()
    try agent.createCalendar("Work")
    _ = try agent.call(Contract.events, "Move", [.strings(["standup"]), .string("work")])
    _ = try agent.call(
      Contract.events, "Reschedule",
      [.string("standup"), .string(""), .string("all"), .string("2026-11-21 09:29")])
    try agent.advance(to: "2026-11-21T08:14:00Z")
    let id = try agent.onlyReminder()
    try agent.advance(to: "2026-11-21T08:16:00Z")
    agent.takeSignals()
    _ = try agent.call(Contract.transfer, "ImportText", [backup, "", "replace"].map(Value.string))
    let back = try agent.onlyReminder()
    #expect(back != id)
    #expect(try heard(agent) == ["Dismissed \(id)", "Returned \(back) due \(id)"])
  }

  @Test func `of moves that are told together the first name is said`() throws {
    var first = ChangeSet(revision: 1, origin: .local)
    first.formerIDs = ["y": "x", "b": "a"]
    var second = ChangeSet(revision: 2, origin: .local)
    second.formerIDs = ["z": "y", "d": "c"]
    var third = ChangeSet(revision: 3, origin: .local)
    let reminder = try #require(try waiting())
    third.formerIDs = [reminder.id: "z", "c": "d"]
    third.reopenedReminders = [reminder]
    var names = ReminderIDAliases()
    names.follow([first])
    names.follow([second, third])
    #expect(names.ids == [reminder.id, "b"])
    #expect(names.take(reminder.id) == "x")
    // Once, and not of what is called again as it was.
    #expect(names.take(reminder.id) == nil)
    #expect(names.take("c") == nil)
  }

  @Test func `of thousands that never come back the last names are known`() {
    var names = ReminderIDAliases()
    var change = ChangeSet(revision: 1, origin: .local)
    change.formerIDs = ["b": "a"]
    names.follow([change])
    change.formerIDs = Dictionary(
      uniqueKeysWithValues: (0..<ReminderIDAliases.maximum).map { ("new-\($0)", "old-\($0)") })
    names.follow([change])
    #expect(names.take("b") == nil)
    #expect(names.take("new-0") == "old-0")
    #expect(names.ids.count == ReminderIDAliases.maximum - 1)
    for name in ["d", "f"] {
      change.formerIDs = [name: "former \(name)"]
      names.follow([change])
    }
    #expect(names.ids == ["d", "f"])
  }

  @Test func `of one that was shown for a moment nobody heard, and its name is said later`() throws
  {
    let (agent, id) = try rung()
    let running = try #require(agent.agent)
    let store = try running.storage.store()
    func shown(_ isVisible: Bool) throws -> ChangeSet {
      var calendar = try #require(
        try store.calendars().first { $0.id == CalendarID("personal") })
      calendar.isVisible = isVisible
      return try store.change(origin: .local, now: agent.clock.now) {
        change throws(StoreError) in
        try change.put(calendar: calendar)
      }.1
    }
    running.changes.tell([try shown(false)])
    _ = try agent.call(
      Contract.events, "Reschedule",
      [.string("standup"), .string(""), .string("all"), .string("2026-11-21 09:28")])
    running.changes.tell([try shown(true), try shown(false)])
    #expect(try heard(agent) == ["Dismissed \(id)"])
    running.changes.tell([try shown(true)])
    let moved = try agent.onlyReminder()
    #expect(moved != id)
    #expect(try heard(agent) == ["Dismissed \(id)", "Returned \(moved) due \(id)"])
  }

  @Test func `what was told as due where its event moved to is known by that name`() throws {
    let (agent, id) = try rung()
    _ = try agent.call(Contract.reminders, "Snooze", [.string(id), .string("start")])
    try agent.advance(to: "2026-11-21T08:29:50Z")
    _ = try agent.call(
      Contract.events, "SetField",
      ["standup", "", "", "start"].map(Value.string) + [.variant(.string("2026-11-21 09:29"))])
    let moved = try agent.onlyReminder()
    #expect(moved != id)
    try agent.settle()
    agent.takeSignals()
    for isVisible in [false, true] {
      _ = try agent.call(
        Contract.calendars, "SetVisible", [.string("personal"), .boolean(isVisible)])
    }
    #expect(try heard(agent) == ["Dismissed \(moved)", "Returned \(moved) due"])
  }

  private func waiting() throws -> Reminder? {
    let (agent, id) = try rung()
    return try agent.agent?.reminders.openScheduler().pending(id: id)
  }

  @Test func `it is shown again without a sound`() throws {
    let (agent, server) = try agentWithServer()
    try agent.ringStandup(server)
    #expect(!server.shown[0].isSilent)
    _ = try agent.call(
      Contract.events, "Remove", [.string("standup"), .string(""), .string("")])
    try agent.wait(for: "its end") { server.open.isEmpty }
    _ = try agent.call(Contract.events, "Undo")
    try agent.wait(for: "the notification") { server.shown.count == 2 }
    #expect(server.shown[1].replaces == 0)
    #expect(server.shown[1].isSilent)
  }

  @Test func `so are many in one notification, which says when to-dos are due`() throws {
    let (agent, server) = try agentWithServer()
    try agent.importComponents(
      (1...6).map {
        toDo(
          "rent-\($0)", "DUE:20261121T090000Z", "SUMMARY:Rent \($0)", "BEGIN:VALARM",
          "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER;RELATED=END:PT0S", "END:VALARM")
      }.joined())
    try agent.advance(to: "2026-11-21T09:00:00Z")
    try agent.wait(for: "the notification") { !server.shown.isEmpty }
    try agent.settle()
    #expect(!server.shown[0].isSilent)
    try agent.advance(to: "2026-11-21T09:30:00Z")
    for isVisible in [false, true] {
      _ = try agent.call(
        Contract.calendars, "SetVisible", [.string("personal"), .boolean(isVisible)])
      try agent.wait(for: "the screen") { server.open.isEmpty != isVisible }
    }
    let last = try #require(server.shown.last)
    #expect(last.replaces == 0)
    #expect(last.isSilent)
    #expect(last.body.hasPrefix("10:00  Rent 1 (due)\n10:00  Rent 2 (due)\n"))
    #expect(!last.body.contains("over"))
  }

  @Test(
    .longProof, arguments: [[false, true], [false, true, false], [false, true, false, true]])
  func `who follows thousands that are hidden and shown while that is told ends with what waits`(
    visible: [Bool]
  ) throws {
    let agent = try AgentUnderTest()
    try agent.importCalls(3000)
    try agent.advance(to: "2026-11-21T08:55:00Z")
    try agent.wait(for: "what is due") { agent.signals("ReminderDue").count == 3000 }
    let running = try #require(agent.agent)
    let scheduler = try running.reminders.openScheduler()
    for (index, isVisible) in visible.enumerated() {
      // The next one comes before all of the first is told.
      if index == 1 { #expect(1..<3000 ~= agent.signals("ReminderDismissed").count) }
      _ = try agent.call(
        Contract.calendars, "SetVisible", [.string("personal"), .boolean(isVisible)])
    }
    // What is told goes one after the other, and this comes last.
    var isTold = false
    running.longWork.run(for: "") {
      isTold = true
      return false
    }
    try agent.wait(for: "the last word") { isTold }
    try agent.settle()
    var waiting: Set<String> = []
    for signal in agent.signals {
      guard let id = signal.arguments.first?.asString else { continue }
      switch signal.member.text {
      case "ReminderDue", "ReminderReturned": waiting.insert(id)
      case "ReminderDismissed": waiting.remove(id)
      default: break
      }
    }
    #expect(waiting == Set(scheduler.pending.map(\.id)))
    #expect(waiting.count == (visible.last == true ? 3000 : 0))
  }
}
