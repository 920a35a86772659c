import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

private func event(_ uid: String, _ summary: String, minute: Int64 = 0) -> EventSeries {
  EventSeries(
    calendar: personal,
    master: Event(
      uid: EventUID(uid), start: .utc(at(minute)), end: .time(.utc(at(minute + 60))),
      summary: summary))
}

@Suite struct `What a step takes away together` {
  private func found(_ store: EventStore, _ text: String) throws -> Int {
    try store.hits(of: SearchQuery(text)).list().count
  }

  /// Each table that names series, and how many rows it has.
  private func rows(_ store: EventStore) throws -> [Int64] {
    try ["series", "components", "spans", "search", "component_images"].map {
      let row = try store.database.statement(composed: "SELECT count(*) FROM \($0)")
      defer { row.reset() }
      return try row.step() ? row.integer(0) : 0
    }
  }

  // The index of words is emptied where little is left, and else what goes is taken out.
  @Test(arguments: [3, 40])
  func `an import goes from every table and comes back, whatever was there before`(
    others: Int
  ) throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put((0..<others).map { event("o\($0)", "Old lunch") })
    let before = try rows(store)
    try store.change(origin: .import, now: midnight) { change throws(StoreError) in
      for number in 0..<20 { try change.put(event("n\(number)", "New lunch")) }
    }
    let after = try rows(store)
    for _ in 0..<2 {
      let (entry, changes) = try store.undo(now: midnight)
      #expect(entry.events == 20)
      #expect(changes.removed == 20)
      #expect(try rows(store).prefix(4) == before.prefix(4))
      #expect(try rows(store)[4] == 20)
      #expect(try found(store, "new") == 0)
      #expect(try found(store, "old") == others)
      #expect(try store.redo(now: midnight).1.added == 20)
      #expect(try rows(store) == after)
      #expect(try found(store, "new") == 20)
      #expect(try found(store, "lunch") == others + 20)
    }
    try store.database.execute("INSERT INTO search (search) VALUES ('integrity-check')")
    #expect(try store.database.integer("SELECT count(*) FROM pragma_foreign_key_check") == 0)
  }

  @Test func `the span of a change holds all that went, and is no wider than theirs`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([event("far", "Far", minute: 900_000)])
    let (_, added) = try store.change(origin: .import, now: midnight) { change throws(StoreError) in
      for number in 0..<5 as Range<Int64> {
        try change.put(event("n\(number)", "New", minute: number * 1440))
      }
    }
    let span = try #require(try store.undo(now: midnight).1.span)
    let whole = try #require(added.span)
    #expect(span.start <= whole.start && whole.end <= span.end)
    #expect(span.end < at(20_000))
  }

  @Test func `an alarm that was due and had not been taken rings when its event comes back`() throws
  {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    var alarmed = event("a", "Alarmed", minute: 10)
    var master = try #require(alarmed.master)
    master.alarms = [Alarm(id: "1", trigger: .fromStart(CalendarDuration(seconds: -300)))]
    alarmed = EventSeries(calendar: personal, master: master)
    try store.change(origin: .import, now: at(0)) { change throws(StoreError) in
      try change.put(alarmed)
    }
    let due = try store.nextAlarm()
    _ = try store.undo(now: at(8))
    #expect(try store.nextAlarm() == nil)
    _ = try store.redo(now: at(8))
    #expect(due != nil)
    #expect(try store.nextAlarm() == due)
  }
}
