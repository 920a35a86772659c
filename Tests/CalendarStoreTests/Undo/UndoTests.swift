import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

/// All that a user sees of a database: the calendars, and the events of each.
private struct Content: Equatable {
  var calendars: [CalendarInfo]
  var events: [String: [Event]]

  init(_ store: EventStore) throws {
    calendars = try store.calendars()
    events = [:]
    for calendar in store.calendarRows.all {
      for uid in try store.seriesRows.uids(in: calendar.key) {
        events["\(calendar.info.id)/\(uid)"] =
          try store.series(uid, in: calendar.info.id).map { Array($0.components) }
      }
    }
  }
}

private let work = CalendarID("work")

private func calendar(
  _ id: CalendarID, color: Int = 1, isDefault: Bool = false
) -> CalendarInfo {
  CalendarInfo(id: id, name: id.text, color: EventColor.palette[color], isDefault: isDefault)
}

extension EventStore {
  @discardableResult
  fileprivate func undone(now: Timestamp = midnight) throws -> String {
    let (entry, changes) = try undo(now: now)
    #expect(changes.revision == revision)
    #expect(changes.origin == .undo)
    return "\(entry.action.rawValue) \(entry.uids.map(\.text).sorted().joined(separator: ","))"
  }

  @discardableResult
  fileprivate func redone(now: Timestamp = midnight) throws -> String {
    let (entry, _) = try redo(now: now)
    return "\(entry.action.rawValue) \(entry.uids.map(\.text).sorted().joined(separator: ","))"
  }

  fileprivate func sync(
    _ body: (StoreChange) throws(StoreError) -> Void
  ) throws {
    try change(origin: .sync, now: midnight, body)
  }

  fileprivate func summary(_ uid: String) throws -> String? {
    try series(EventUID(uid), in: nil)?.master?.summary
  }
}

@Suite struct `Undo and redo` {
  @Test func `an event that was added, changed and removed goes back and forth`() throws {
    let fixture = try StoreFixture()
    var store = try fixture.open()
    #expect(!store.canUndo && !store.canRedo)
    try store.put([single("a", at: 0)])
    try store.put([single("a", at: 0, summary: "changed")])
    try store.remove("a")
    #expect(store.canUndo && !store.canRedo)
    #expect(try store.history(limit: 10).map(\.action) == [.remove, .update, .add])
    #expect(try store.undone() == "remove a")
    #expect(try store.summary("a") == "changed")
    #expect(try store.undone() == "update a")
    #expect(try store.summary("a") == "a")
    #expect(store.canUndo && store.canRedo)
    store.close()
    store = try fixture.open()
    #expect(store.canUndo && store.canRedo)
    #expect(try store.undone() == "add a")
    #expect(try store.summary("a") == nil)
    #expect(throws: UndoError.nothingToUndo) { try store.undo(now: midnight) }
    #expect(try store.history(limit: 10).map(\.isUndone) == [true, true, true])
    #expect(try store.redone() == "add a")
    #expect(try store.redone() == "update a")
    #expect(try store.summary("a") == "changed")
    #expect(try store.redone() == "remove a")
    #expect(try store.summary("a") == nil)
    #expect(throws: UndoError.nothingToRedo) { try store.redo(now: midnight) }
    #expect(store.revision == 9)
  }

  @Test func `what comes back has its place in exports again, as long as no other has it`() throws {
    let store = try StoreFixture().open()
    func order() throws -> String {
      try store.events(in: nil, after: 0, limit: 10).map(\.uid.text).joined()
    }
    for uid in ["a", "b", "c"] { try store.put([single(uid, at: 0)]) }
    try store.remove("a")
    #expect(try order() == "bc")
    try store.undone()
    #expect(try order() == "abc")
    try store.redone()
    try store.undone()
    #expect(try order() == "abc")
    // The last one's place goes to what comes next.
    try store.remove("c")
    try store.sync { change throws(StoreError) in try change.put(single("d", at: 0)) }
    try store.undone()
    #expect(try order() == "abdc")
    // What was put in together goes and comes by set.
    try store.put([single("x", at: 0), single("w", at: 0)])
    try store.undone()
    try store.redone()
    #expect(try order() == "abdcxw")
  }

  @Test func `a new change leaves nothing to redo, one of nothing does`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0)])
    try store.put([single("b", at: 0)])
    try store.undone()
    try store.put([single("a", at: 0)])
    #expect(store.canRedo)
    try store.put([single("c", at: 0)])
    #expect(!store.canRedo)
    #expect(throws: UndoError.nothingToRedo) { try store.redo(now: midnight) }
    #expect(try store.number("SELECT count(*) FROM series_images") == 0)
    #expect(try store.undone() == "add c")
    #expect(try store.undone() == "add a")
  }

  @Test func `sync is not undone, and stays between`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0)])
    try store.sync { (change) throws(StoreError) in try change.put(single("b", at: 0)) }
    #expect(try store.history(limit: 10).count == 1)
    #expect(try store.undone() == "add a")
    #expect(try store.summary("b") == "b")
    try store.sync { (change) throws(StoreError) in try change.put(single("b", at: 5)) }
    #expect(try store.redone() == "add a")
  }

  @Test func `a step whose event came by sync since is refused and stays`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0), single("b", at: 0)])
    try store.sync { (change) throws(StoreError) in
      try change.put(single("b", at: 0, summary: "theirs"))
    }
    let before = try Content(store)
    #expect(throws: UndoError.changedSince(EventUID("b"))) { try store.undo(now: midnight) }
    #expect(try Content(store) == before)
    #expect(!store.canUndo)
    #expect(try store.history(limit: 9).map(\.isUndone) == [false])
    #expect(store.revision == 2)
    // What was done since can be taken back all the same.
    try store.put([single("b", at: 0, summary: "mine")])
    #expect(try store.undone() == "update b")
    #expect(try store.summary("b") == "theirs")
  }

  @Test func `an import is one step and keeps no copy of what is new`() throws {
    let store = try StoreFixture().open()
    try store.put([single("old", at: 0)])
    try store.change(origin: .import, now: midnight) { change throws(StoreError) in
      try change.put(single("old", at: 0, summary: "newer"))
      for index in 0..<500 { try change.put(single("n\(index)", at: Int64(index))) }
    }
    #expect(try store.number("SELECT count(*) FROM series_images") == 1)
    let (entry, changes) = try store.undo(now: midnight)
    #expect(entry.action == .import)
    #expect([changes.removed, changes.updated] == [500, 1])
    #expect(try store.eventCounts() == [personal: 1])
    #expect(try store.summary("old") == "old")
    _ = try store.redo(now: midnight)
    #expect(try store.eventCounts() == [personal: 501])
    #expect(try store.number("SELECT count(*) FROM component_images") == 1)
  }

  @Test func `a calendar that was removed comes back with its events`() throws {
    let store = try StoreFixture().open()
    try store.put(calendar: calendar(work, isDefault: true), now: midnight)
    try store.put([single("a", at: 0, calendar: work), single("b", at: 0)])
    let before = try Content(store)
    let (_, changes) = try store.change(origin: .local, now: midnight) {
      change throws(StoreError) in
      try change.remove(calendar: work, withEvents: true)
    }
    #expect(changes.removedCalendars == [work])
    #expect(changes.changedCalendars == [personal])
    #expect(changes.uids.map(\.text) == ["a"])
    #expect(try store.calendars().map(\.isDefault) == [true])
    let after = try Content(store)
    #expect(try store.undone() == "calendar-remove a")
    #expect(try Content(store) == before)
    try store.redone()
    #expect(try Content(store) == after)
    try store.undone()
    try store.undone()
    #expect(try store.undone() == "calendar-add ")
    #expect(try store.calendars().map(\.id) == [personal])
  }

  @Test func `a calendar is not undone under events that came since`() throws {
    let store = try StoreFixture().open()
    try store.put(calendar: calendar(work), now: midnight)
    try store.sync { (change) throws(StoreError) in
      try change.put(single("a", at: 0, calendar: work))
    }
    #expect(throws: UndoError.store(.calendarInUse(work, events: 1))) {
      try store.undo(now: midnight)
    }
    #expect(try store.calendars().count == 2)
  }

  @Test func `the last calendar stays`() throws {
    let store = try StoreFixture().open()
    #expect(throws: StoreError.lastCalendar(personal)) {
      try store.change(origin: .local, now: midnight) { change throws(StoreError) in
        try change.remove(calendar: personal, withEvents: true)
      }
    }
    #expect(throws: StoreError.unknownCalendar(work)) {
      try store.change(origin: .local, now: midnight) { change throws(StoreError) in
        try change.remove(calendar: work, withEvents: true)
      }
    }
    #expect(store.revision == 0)
  }

  @Test func `a change of calendars that fails leaves them`() throws {
    let store = try StoreFixture().open()
    #expect(throws: StoreError.unknownCalendar(CalendarID("x"))) {
      try store.change(origin: .local, now: midnight) { change throws(StoreError) in
        try change.put(calendar: calendar(work, isDefault: true))
        try change.put(single("a", at: 0, calendar: CalendarID("x")))
      }
    }
    #expect(try store.calendars().map(\.id) == [personal])
    #expect(try store.calendars().map(\.isDefault) == [true])
    #expect(!store.canUndo)
  }

  @Test func `the oldest steps go, with what they kept`() throws {
    let store = try StoreFixture().open()
    for index in 0..<(UndoRows.keptSteps + 50) {
      try store.put([single("a", at: 0, summary: "\(index)")])
    }
    #expect(try store.number("SELECT count(*) FROM undo_steps") == Int64(UndoRows.keptSteps))
    #expect(try store.number("SELECT count(*) FROM series_images") == Int64(UndoRows.keptSteps))
    #expect(try store.number("SELECT count(*) FROM component_images") == Int64(UndoRows.keptSteps))
    for _ in 0..<UndoRows.keptSteps { try store.undone() }
    #expect(try store.summary("a") == "49")
    #expect(throws: UndoError.nothingToUndo) { try store.undo(now: midnight) }
    #expect(UndoRows.keptSteps >= 100)
  }

  @Test func `the names of a step outlive the log`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0)])
    try store.database.execute("UPDATE meta SET value = 10000 WHERE name = 'revision'")
    store.log.committed(10_000)
    try store.put([single("b", at: 0)])
    #expect(try store.number("SELECT count(*) FROM changes") == 2)
    #expect(try store.undone() == "add b")
    #expect(try store.undone() == "add a")
    #expect(try store.number("SELECT count(*) FROM changes WHERE revision = 1") == 0)
    #expect(try Content(store).events.isEmpty)
  }

  @Test func `what a change was is told by what it touched`() throws {
    let store = try StoreFixture().open()
    func action(_ body: (StoreChange) throws(StoreError) -> Void) throws -> UndoAction? {
      try store.change(origin: .local, now: midnight, body)
      return try store.history(limit: 1).first?.action
    }
    try store.put(calendar: calendar(work), now: midnight)
    #expect(try store.history(limit: 1).first?.action == .calendarAdd)
    try store.put(calendar: calendar(work, color: 3), now: midnight)
    #expect(try store.history(limit: 1).first?.action == .calendarUpdate)
    try store.put([single("a", at: 0)])
    #expect(
      try action { (change) throws(StoreError) in
        _ = try change.remove(EventUID("a"), from: personal)
        try change.put(single("a", at: 0, calendar: work))
      } == .move)
    #expect(try store.history(limit: 1).first?.uids == [EventUID("a")])
    #expect(
      try action { (change) throws(StoreError) in
        change.action = .remove
        try change.put(single("a", at: 9, calendar: work))
      } == .remove)
    try store.undone()
    try store.undone()
    #expect(try store.series(EventUID("a"), in: personal) != nil)
    #expect(try store.series(EventUID("a"), in: work) == nil)
  }

  @Test func `a change of a calendar says what it changed, made, taken back and done again`() throws
  {
    let store = try StoreFixture().open()
    /// What the history has, the newest first; "-" before what is taken back.
    func told() throws -> [String] {
      try store.history(limit: 10).map { entry in
        let fields = entry.title?.changed.map(\.rawValue).joined(separator: " ") ?? "?"
        return (entry.isUndone ? "-" : "") + fields
      }
    }
    var info = calendar(work)
    func put(_ edit: (inout CalendarInfo) -> Void) throws {
      edit(&info)
      try store.put(calendar: info, now: midnight)
    }
    try put { _ in }
    try put { $0.color = EventColor.palette[3] }
    try store.put([single("a", at: 0)])
    try put {
      $0.name = "Office"
      $0.color = EventColor.palette[4]
    }
    // Another one is it no more: a change of two.
    try put { $0.isDefault = true }
    try put {
      $0.isVisible = false
      $0.order = 7
      $0.timeZone = "Asia/Tokyo"
      $0.timedReminders = [CalendarDuration(seconds: 60)]
      $0.allDayReminders = [CalendarDuration(seconds: 60)]
      $0.missedReminderPolicy = .always
    }
    try store.put(calendar: calendar(personal, color: 5), now: midnight)
    let last = "visible order time-zone reminders all-day-reminders tell-late"
    var expected = ["name color", last, "default", "name color", "", "color", ""]
    #expect(try told() == expected)
    for index in expected.indices {
      try store.undone()
      expected[index] = "-" + expected[index]
      #expect(try told() == expected)
    }
    for index in expected.indices.reversed() {
      try store.redone()
      expected[index].removeFirst()
      #expect(try told() == expected)
    }
    // Of what sync has done nobody is told as of a step of the user's.
    try store.sync { change throws(StoreError) in try change.put(single("b", at: 0)) }
    #expect(try told() == expected)
  }

  @Test func `what passed while an event was away is told late; what is to come rings`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 60, reminders: [30, 10])])
    try store.remove("a", now: at(20))
    #expect(try store.nextAlarm() == nil)
    try store.undone(now: at(40))
    #expect(try store.takeDue(through: at(45), limit: 10).map(\.key.trigger) == [at(30)])
    #expect(try store.nextAlarm() == at(50))
    // A change that is taken back: the alarm that it took away rings again.
    try store.put([single("a", at: 600, reminders: [10])], now: at(41))
    #expect(try store.nextAlarm() == at(590))
    try store.undone(now: at(42))
    #expect(try store.nextAlarm() == at(50))
    #expect(try store.takeDue(through: at(50), limit: 10).count == 1)
  }

  @Test func `a pending reminder that a step does not raise is closed with it`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 600)])
    try store.put([single("a", at: 60, reminders: [30])])
    #expect(try store.takeDue(through: at(30), limit: 10).count == 1)
    let (_, changes) = try store.undo(now: at(31))
    #expect(changes.closedReminders.map(\.state) == [.closed(.eventMoved)])
    let (_, removal) = try store.undo(now: at(31))
    #expect(removal.closedReminders.isEmpty)
    #expect(try store.pendingReminders().isEmpty)
  }

  @Test func `a reminder that a step closed is pending again once it is taken back`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 60, reminders: [30, 20])])
    var taken = try store.takeDue(through: at(40), limit: 10)
    #expect(taken.count == 2)
    taken[0].state = .delivered
    taken[1].state = .snoozed
    taken[1].due = at(55)
    try store.record(taken, at: at(41))
    try store.remove("a", now: at(42))
    #expect(try store.pendingReminders().isEmpty)
    let (_, changes) = try store.undo(now: at(43))
    #expect(changes.reopenedReminders.map(\.state) == [.delivered, .snoozed])
    #expect(try store.pendingReminders().map(\.due) == [at(30), at(55)])
    // One that somebody has seen stays closed.
    taken[0].state = .acknowledged
    try store.record([taken[0]], at: at(44))
    try store.put([single("a", at: 600, reminders: [30])], now: at(45))
    #expect(try store.pendingReminders().isEmpty)
    let (_, second) = try store.undo(now: at(57))
    #expect(second.reopenedReminders.map(\.state) == [.delivered])
    #expect(try store.pendingReminders().count == 1)
  }

  @Test func `the log lets go of a step that is dropped`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0)])
    try store.database.execute("UPDATE meta SET value = 10000 WHERE name = 'revision'")
    store.log.committed(10_000)
    for index in 0..<UndoRows.keptSteps {
      try store.put([single("b", at: 0, summary: "\(index)")])
    }
    #expect(try store.number("SELECT count(*) FROM changes WHERE revision = 1") == 0)
    #expect(try store.number("SELECT count(*) FROM changes") == Int64(UndoRows.keptSteps))
  }

  @Test func `images have every column of what they are of`() throws {
    let store = try StoreFixture().open()
    for (table, owner, images, step) in [
      ("components", "series", "component_images", "image"),
      ("calendars", "", "calendar_images", "step"),
    ] {
      func columns(_ table: String, less others: Set<String>) throws -> [String] {
        let row = try store.database.statement(
          composed: "SELECT name || ' ' || type FROM pragma_table_info('\(table)')")
        defer { row.reset() }
        var names: [String] = []
        while try row.step() { names.append(row.text(0)) }
        return names.filter { !others.contains(String($0.prefix { $0 != " " })) }
      }
      let known = try columns(table, less: ["key", owner])
      #expect(try columns(images, less: ["key", step, "is_present"]) == known)
      #expect(known.count > 5)
    }
  }

  /// Random changes, then all taken back, then all done again, with restarts.
  @Test(arguments: 0..<8)
  func `all undone is the beginning, all redone is the end`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var events = RandomEvents(seed: seed)
    let fixture = try StoreFixture()
    var store = try fixture.open()
    func reopen() throws {
      store.close()
      store = try fixture.open()
    }
    var states = [try Content(store)]
    for step in 0..<60 {
      let ids = try store.calendars().map(\.id)
      let id = ids.randomElement(using: &random) ?? personal
      let name = "e\(Int.random(in: 0..<8, using: &random))"
      let other = try events.series("e\(Int.random(in: 0..<8, using: &random))", calendar: id)
      let one = try events.series(name, calendar: id)
      let kind = Int.random(in: 0..<10, using: &random)
      let new = CalendarInfo(
        id: CalendarID("c\(Int.random(in: 0..<4, using: &random))"), name: "n\(step)",
        color: EventColor.palette[step % 8], isVisible: step % 3 == 0, isDefault: step % 2 == 0,
        order: Int.random(in: 0..<4, using: &random),
        timedReminders: step % 4 == 0 ? [CalendarDuration(seconds: 600)] : [])
      try store.change(origin: step % 5 == 0 ? .import : .local, now: at(Int64(step))) {
        change throws(StoreError) in
        switch kind {
        case 0...3: try change.put(one)
        case 4: _ = try change.remove(EventUID(name), from: id)
        case 5:
          try change.put(one)
          try change.put(other)
          _ = try change.remove(other.uid, from: id)
        case 6:
          _ = try change.remove(EventUID(name), from: id)
          try change.put(one)
        case 7, 8: try change.put(calendar: new)
        default: if ids.count > 1 { try change.remove(calendar: id, withEvents: true) }
        }
      }
      let state = try Content(store)
      if state != states[states.count - 1] { states.append(state) }
      if step % 20 == 0 { try reopen() }
    }
    let steps = try store.history(limit: 1000).count
    #expect(steps == states.count - 1)
    for index in 0..<steps {
      _ = try store.undo(now: at(100))
      // Some in between: back and forth.
      if index % 7 == 0 {
        _ = try store.redo(now: at(100))
        _ = try store.undo(now: at(100))
      }
      if index % 15 == 0 { try reopen() }
      #expect(try Content(store) == states[steps - 1 - index])
    }
    #expect(try Content(store) == states[0])
    #expect(!store.canUndo)
    for index in 0..<steps {
      _ = try store.redo(now: at(200))
      if index % 15 == 0 { try reopen() }
    }
    #expect(try Content(store) == states[states.count - 1])
    #expect(!store.canRedo)
    #expect(try store.number("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    #expect(try store.number("SELECT count(*) FROM pragma_integrity_check") == 1)
  }
}
