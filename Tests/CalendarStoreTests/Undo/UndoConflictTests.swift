import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

private let work = CalendarID("work")

@Suite struct `Steps that meet a conflict` {
  private func sync(_ store: EventStore, _ series: EventSeries) throws {
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.put(series)
    }
  }

  private func summary(_ store: EventStore, _ uid: String) throws -> String? {
    try store.series(EventUID(uid), in: nil)?.master?.summary
  }

  private func conflict(_ store: EventStore, redo: Bool = false, on uid: String) {
    #expect(throws: UndoError.changedSince(EventUID(uid))) {
      try redo ? store.redo(now: midnight) : store.undo(now: midnight)
    }
  }

  @Test func `say so once, and are passed over then`() throws {
    let fixture = try StoreFixture()
    var store = try fixture.open()
    try store.put([single("a", at: 0)])
    try store.put([single("b", at: 0)])
    try sync(store, single("b", at: 0, summary: "theirs"))
    conflict(store, on: "b")
    #expect(store.canUndo)
    store.close()
    store = try fixture.open()
    let (entry, _) = try store.undo(now: midnight)
    #expect(entry.uids == [EventUID("a")])
    #expect(try summary(store, "b") == "theirs")
    // Nothing else is left but the conflict.
    conflict(store, on: "b")
    #expect(!store.canUndo && store.canRedo)
    _ = try store.redo(now: midnight)
    #expect(try summary(store, "a") == "a")
  }

  @Test func `pass over a step below that has the same event`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0, summary: "1")])
    try store.put([single("a", at: 0, summary: "2"), single("b", at: 0)])
    try sync(store, single("b", at: 0, summary: "theirs"))
    conflict(store, on: "b")
    // To take the step below back would throw away what the other made of it.
    conflict(store, on: "a")
    #expect(try summary(store, "a") == "2")
    #expect(!store.canUndo)
  }

  @Test func `pass over a step below that has the same calendar`() throws {
    let store = try StoreFixture().open()
    var info = CalendarInfo(id: work, name: "1", color: EventColor.palette[1])
    try store.put(calendar: info, now: midnight)
    info.name = "2"
    try store.change(origin: .local, now: midnight) { change throws(StoreError) in
      try change.put(calendar: info)
      try change.put(single("b", at: 0))
    }
    try sync(store, single("b", at: 0, summary: "theirs"))
    conflict(store, on: "b")
    #expect(throws: UndoError.calendarChangedSince(work)) { try store.undo(now: midnight) }
    #expect(try store.calendars().map(\.name) == ["Personal", "2"])
  }

  @Test func `are taken back once the conflict is over`() throws {
    let store = try StoreFixture().open()
    try store.put(
      calendar: CalendarInfo(id: work, name: "Work", color: EventColor.palette[1]), now: midnight)
    try sync(store, single("a", at: 0, calendar: work))
    for _ in 0..<2 {
      #expect(throws: UndoError.store(.calendarInUse(work, events: 1))) {
        try store.undo(now: midnight)
      }
    }
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      _ = try change.remove(EventUID("a"), from: work)
    }
    _ = try store.undo(now: midnight)
    #expect(try store.calendars().map(\.id) == [personal])
  }

  @Test func `are found when the log does not reach back so far`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0), single("b", at: 0)])
    try sync(store, single("b", at: 0, summary: "theirs"))
    try store.database.execute(
      "UPDATE meta SET value = 20000 WHERE name = 'revision'; DELETE FROM changes WHERE revision = 2"
    )
    store.log.committed(20_000)
    conflict(store, on: "b")
  }

  @Test func `are those whose event sync has removed, or brought back`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0)])
    try store.put([single("a", at: 0, summary: "2")])
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      _ = try change.remove(EventUID("a"), from: personal)
    }
    conflict(store, on: "a")
    try store.put([single("b", at: 0)])
    try store.remove("b")
    try sync(store, single("b", at: 0, summary: "theirs"))
    conflict(store, on: "b")
    #expect(try summary(store, "b") == "theirs")
  }

  @Test func `are done again in their turn: what was taken back last comes first`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0)])
    try store.put(
      calendar: CalendarInfo(id: work, name: "Work", color: EventColor.palette[1]), now: midnight)
    try sync(store, single("b", at: 0, calendar: work))
    #expect(throws: UndoError.self) { try store.undo(now: midnight) }
    #expect(try store.undo(now: midnight).0.action == .add)
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      _ = try change.remove(EventUID("b"), from: work)
    }
    #expect(try store.undo(now: midnight).0.action == .calendarAdd)
    #expect(try store.redo(now: midnight).0.action == .calendarAdd)
    #expect(try store.redo(now: midnight).0.action == .add)
    // And what was done again last is taken back first.
    #expect(try store.undo(now: midnight).0.action == .add)
    #expect(
      UndoError.changedSince(EventUID("b")).description.contains("or by a later change"))
  }

  @Test func `do not stand in the way of what is done again`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0)])
    try store.put([single("b", at: 0)])
    for _ in 0..<2 { _ = try store.undo(now: midnight) }
    try sync(store, single("a", at: 0, summary: "theirs"))
    conflict(store, redo: true, on: "a")
    _ = try store.redo(now: midnight)
    #expect(try summary(store, "b") == "b")
    #expect(try summary(store, "a") == "theirs")
  }

  @Test func `a failure of the file is none, and passes over nothing`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0)])
    try store.put([single("a", at: 0, summary: "2")])
    try store.database.execute("UPDATE component_images SET start = 'nonsense'")
    // The alarms cannot be planned: all of it is rolled back.
    for _ in 0..<2 {
      #expect(throws: UndoError.self) { try store.undo(now: midnight) }
      #expect(try summary(store, "a") == "2")
      #expect(store.canUndo)
    }
  }
}
