import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `Undo, redo and the trash on the bus` {
  private func property(_ agent: AgentUnderTest, _ name: String) throws -> Value {
    try agent.call(
      "org.freedesktop.DBus.Properties", "Get", [.string(Contract.events.text), .string(name)])[0]
      .unwrapped
  }

  private func actions(_ agent: AgentUnderTest) throws -> [String] {
    (try agent.call(Contract.events, "History", [.uint32(0)])[0].asArray ?? []).map {
      let mark = $0["undone"]?.asBoolean ?? false ? "undone " : ""
      return mark + ($0["action"]?.asString ?? "")
    }
  }

  @Test func `of two with one uid a step is known by the one that it was about`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    for (calendar, title) in [("work", "Inside"), ("personal", "Outside")] {
      _ = try agent.call(
        Contract.events, "Add",
        [
          .string(calendar),
          .row([
            ("uid", .string("twin")), ("summary", .string(title)), ("start", .string("2027-02-02")),
          ]),
        ])
    }
    _ = try agent.call(Contract.events, "Remove", ["work/twin", "", ""].map(Value.string))
    let labels = (try agent.call(Contract.events, "History", [.uint32(3)])[0].asArray ?? []).map {
      $0["label"]?.asString
    }
    #expect(labels == ["Inside", "Outside", "Inside"].map { "\($0) (2027-02-02)" })
  }

  @Test func `an event goes back and forth, over a restart, and everybody is told`() throws {
    let agent = try AgentUnderTest()
    #expect(try property(agent, "CanUndo") == .boolean(false))
    try agent.addStandup()
    #expect(agent.changes(of: "CanUndo") == [.boolean(true)])
    #expect(agent.changes(of: "CanRedo") == [])
    agent.stop()
    try agent.start()
    #expect(try property(agent, "CanUndo") == .boolean(true))
    agent.takeSignals()
    let undone = try agent.call(Contract.events, "Undo")
    #expect(undone == [.string("add"), .strings(["standup"]), .uint64(2)])
    #expect(try agent.summaries(from: "2026-11-21") == [])
    let signal = try #require(agent.signals("EventsChanged").first)
    #expect(signal.arguments[2].asStrings == ["standup"])
    #expect(signal.arguments[3]["origin"] == .string("undo"))
    #expect(agent.changes(of: "CanUndo") == [.boolean(false)])
    #expect(agent.changes(of: "CanRedo") == [.boolean(true)])
    #expect(try actions(agent) == ["undone add"])
    let error = try agent.refusal(Contract.events, "Undo")
    #expect(error.name.text == CallError.Kind.nothingToUndo.rawValue)
    agent.takeSignals()
    _ = try agent.call(Contract.events, "Redo")
    #expect(try agent.summaries(from: "2026-11-21") == ["Standup"])
    #expect(agent.changes(of: "CanUndo") == [.boolean(true)])
  }

  @Test func `an import is one step, and the cache follows it`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    #expect(try agent.summaries(from: "2026-11-21") == ["Standup"])
    let text = calendar(
      component("a", "DTSTART:20261121T140000Z", "SUMMARY:A"),
      component("b", "DTSTART:20261121T150000Z", "SUMMARY:B"))
    _ = try agent.call(
      Contract.transfer, "ImportText", [.string(text), .string(""), .string("")])
    let undone = try agent.call(Contract.events, "Undo")
    #expect(undone[0] == .string("import"))
    #expect(undone[1] == .strings(["a", "b"]))
    #expect(try agent.summaries(from: "2026-11-21") == ["Standup"])
    _ = try agent.call(Contract.events, "Redo")
    #expect(try agent.summaries(from: "2026-11-21") == ["Standup", "A", "B"])
  }

  /// The rows of History: action, label and how many events.
  private func labels(_ agent: AgentUnderTest) throws -> [String] {
    (try agent.call(Contract.events, "History", [.uint32(0)])[0].asArray ?? []).map {
      "\($0["action"]?.asString ?? ""): \($0["label"]?.asString ?? "") "
        + "\($0["events"]?.asInteger ?? -1)"
    }
  }

  @Test func `each step is known by its first event and how many there are besides`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let components = (0..<7000).map {
      component("e\(10_000 + $0)", "DTSTART;VALUE=DATE:20261224", "SUMMARY:Day \($0)")
    }
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [.string(calendar(components.joined())), .string(""), .string("")])
    #expect(
      try labels(agent) == [
        "import: Day 0 (2026-12-24) and 6999 more 7000", "add: Standup (2026-11-21) 1",
      ])
    let undone = try agent.call(Contract.events, "Undo")
    let rows = try agent.call(Contract.events, "History", [.uint32(0)])[0].asArray ?? []
    let turned = try #require(rows.first { $0["revision"] == undone[2] })
    #expect(turned["events"] == .uint32(7000))
    #expect(turned["label"] == .string("Day 0 (2026-12-24) and 6999 more"))
    #expect(turned["undone"] == .boolean(true))
  }

  @Test func `what is gone is known as it was, and a calendar by its name`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.createCalendar("Work")
    _ = try agent.call(Contract.events, "Move", [.strings(["standup"]), .string("work")])
    _ = try agent.call(Contract.events, "Remove", ["standup", "", ""].map(Value.string))
    _ = try agent.call(Contract.calendars, "Remove", ["work", ""].map(Value.string))
    #expect(
      try labels(agent) == [
        "calendar-remove: Work 0", "remove: Standup (2026-11-21) 1", "move: Standup (2026-11-21) 1",
        "calendar-add: Work 0", "add: Standup (2026-11-21) 1",
      ])
  }

  @Test func `where the default changes along, the calendar that was meant is told`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    _ = try agent.call(Contract.calendars, "SetDefault", [.string("work")])
    _ = try agent.call(Contract.calendars, "Remove", ["work", ""].map(Value.string))
    let told = ["calendar-remove: Work 0", "calendar-update: Work 0", "calendar-add: Work 0"]
    #expect(try labels(agent) == told)
    _ = try agent.call(Contract.events, "Undo")
    #expect(try labels(agent) == told)
    _ = try agent.call(Contract.events, "Undo")
    #expect(try labels(agent) == told)
    for _ in 0..<2 { _ = try agent.call(Contract.events, "Redo") }
    #expect(try labels(agent) == told)
  }

  @Test func `an occurrence that was removed is called so and comes back`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("uid", .string("daily")), ("summary", .string("Daily")),
      ("start", .string("2026-11-21 12:00")), ("rrule", .string("FREQ=DAILY;COUNT=3")))
    _ = try agent.call(
      Contract.events, "Remove", ["daily", "20261122T110000Z", ""].map(Value.string))
    #expect(try agent.summaries(from: "2026-11-21", to: "7d").count == 2)
    #expect(try actions(agent) == ["remove", "add"])
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.summaries(from: "2026-11-21", to: "7d").count == 3)
  }

  @Test func `what sync brought since is not overwritten`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let store = try agent.store()
    let series = try #require(try store.series(EventUID("standup"), in: nil))
    var master = try #require(series.master)
    master.summary = "Theirs"
    _ = try store.change(origin: .sync, now: agent.clock.now) { change throws(StoreError) in
      try change.put(EventSeries(calendar: series.calendar, master: master))
    }
    let error = try agent.refusal(Contract.events, "Undo")
    #expect(error.name.text == CallError.Kind.conflict.rawValue)
    #expect(error.message.contains("standup"))
    // It is told once, and stands in nobody's way.
    #expect(try property(agent, "CanUndo") == .boolean(false))
    #expect(agent.changes(of: "CanUndo").last == .boolean(false))
    #expect(try actions(agent) == ["add"])
  }

  @Test func `an event is restored from the trash, once`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    _ = try agent.call(Contract.events, "Remove", ["standup", "", ""].map(Value.string))
    func trash() throws -> [String] {
      (try agent.call(Contract.events, "Trash", [.uint32(0), .string("")])[0].asArray ?? []).map {
        $0["uid"]?.asString ?? ""
      }
    }
    #expect(try trash() == ["standup"])
    #expect(try agent.call(Contract.events, "Restore", [.string("standup")]) == [.uint64(3)])
    #expect(try agent.summaries(from: "2026-11-21") == ["Standup"])
    #expect(try trash() == [])
    let error = try agent.refusal(Contract.events, "Restore", [.string("standup")])
    #expect(error.name.text == CallError.Kind.conflict.rawValue)
    #expect(error.message.contains("personal"))
    #expect(try actions(agent) == ["restore", "remove", "add"])
  }

  @Test(arguments: [1, 2, 4, 100])
  func `pages have all of the trash while others come and go`(limit: UInt32) throws {
    let agent = try AgentUnderTest()
    let uids = try (0..<6).map { try agent.add("Tea \($0)", at: "2026-11-21 15:00") }
    // Five at one moment.
    _ = try agent.call(Contract.events, "RemoveMany", [.strings(Array(uids.prefix(5)))])
    let whole =
      try agent.call(Contract.events, "Trash", [.uint32(0), .string("")])[0].asArray ?? []
    #expect(whole.count == 5)
    var rows: [Value] = []
    var cursor = ""
    repeat {
      let page = try agent.call(
        Contract.events, "Trash", [.uint32(limit), .string(cursor)])
      rows += page[0].asArray ?? []
      cursor = page[1].asString ?? ""
      // In front of the place, and behind it.
      _ = try agent.call(Contract.events, "Remove", [uids[5], "", ""].map(Value.string))
      let first = try #require(rows.first?["uid"])
      _ = try agent.call(Contract.events, "Restore", [first])
      _ = try agent.call(Contract.events, "Undo")
      _ = try agent.call(Contract.events, "Undo")
    } while !cursor.isEmpty
    #expect(rows == whole)
  }

  @Test func `an event of a calendar that is gone is restored to the default one`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    let added = try agent.call(
      Contract.events, "AddSimple", ["work", "Tea", "2026-11-21 15:00", "", ""].map(Value.string))
    _ = try agent.call(Contract.calendars, "Remove", ["work", "with-events"].map(Value.string))
    #expect(try agent.summaries(from: "2026-11-21") == [])
    _ = try agent.call(Contract.events, "Restore", [added[0]])
    #expect(try agent.summaries(from: "2026-11-21") == ["Tea"])
    // Back to before the calendar was removed.
    _ = try agent.call(Contract.events, "Undo")
    _ = try agent.call(Contract.events, "Undo")
    let event = try agent.call(Contract.events, "Get", [added[0], .string("")])[0]
    #expect(event["calendar"] == .string("work"))
  }

  @Test func `a reminder that was pending is so again, and is not told anew`() throws {
    let agent = try AgentUnderTest()
    let uid = try agent.add("Tea", at: "2026-11-21 12:00", reminders: "2h", "30m")
    try agent.advance(to: "2026-11-21T09:01:00Z")
    let id = try agent.onlyReminder()
    _ = try agent.call(Contract.events, "Remove", [uid, "", ""].map(Value.string))
    #expect(try agent.pending().isEmpty)
    agent.takeSignals()
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.onlyReminder() == id)
    #expect(try agent.property("PendingReminders") == .uint32(1))
    #expect(agent.signals("ReminderDue").isEmpty)
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(id)])
    #expect(try agent.pending().isEmpty)
  }

  @Test func `a reminder to come rings after undo, one that passed is told late`() throws {
    let agent = try AgentUnderTest()
    let uid = try agent.add("Tea", at: "2026-11-21 12:00", reminders: "2h", "30m")
    _ = try agent.call(Contract.events, "Remove", [uid, "", ""].map(Value.string))
    try agent.advance(to: "2026-11-21T10:00:00Z")
    _ = try agent.call(Contract.events, "Undo")
    try agent.advance(to: "2026-11-21T10:01:00Z")
    #expect(try agent.pending().map { $0["missed"] } == [.boolean(true)])
    try agent.advance(to: "2026-11-21T10:31:00Z")
    #expect(try agent.pending().map { $0["missed"] } == [.boolean(true), .boolean(false)])
  }
}
