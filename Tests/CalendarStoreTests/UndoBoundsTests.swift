import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `What steps keep` {
  /// An event with so much text.
  private func large(_ uid: String, octets: Int, _ summary: String) -> EventSeries {
    var series = single(uid, at: 0, summary: summary)
    series = EventSeries(
      calendar: personal,
      master: {
        var event = series.components[0]
        event.description = String(repeating: "x", count: octets)
        return event
      }())
    return series
  }

  private func sweep(_ store: EventStore) throws {
    var rounds = 0
    while store.hasGarbage, rounds < 1000 {
      try store.sweep(50)
      rounds += 1
    }
    #expect(!store.hasGarbage)
  }

  @Test func `is bounded by size, the oldest going first`() throws {
    let store = try StoreFixture().open()
    let each = 8 << 20
    for index in 0..<12 { try store.put([large("a", octets: each, "\(index)")]) }
    // The first one added it and keeps a name alone; each of the others an image of 8 MiB.
    #expect(try store.history(limit: 100).count == 7)
    try sweep(store)
    #expect(
      try store.number("SELECT sum(length(description)) FROM component_images")
        <= UndoRows.keptOctets)
    for _ in 0..<7 { _ = try store.undo(now: midnight) }
    #expect(throws: UndoError.nothingToUndo) { try store.undo(now: midnight) }
    #expect(try store.series(EventUID("a"), in: nil)?.master?.summary == "4")
  }

  @Test func `is at least a hundred ordinary edits, and the newest step alone`() throws {
    let store = try StoreFixture().open()
    for index in 0..<150 { try store.put([large("a", octets: 100_000, "\(index)")]) }
    #expect(try store.history(limit: 1000).count == 150)
    try store.database.execute("UPDATE undo_steps SET octets = 70000000 WHERE key = 150")
    try store.put([single("b", at: 0)])
    #expect(try store.history(limit: 1000).map(\.action) == [.add])
    try store.undoRows.bound(keeping: 151, UndoRows.newestOctets)
    #expect(try store.history(limit: 1000).count == 1)
    try store.database.execute("UPDATE undo_steps SET octets = 300000000 WHERE key = 151")
    try store.undoRows.bound(keeping: 151, UndoRows.newestOctets + 1)
    #expect(try store.history(limit: 1000).isEmpty)
  }

  @Test func `is cleared away bit by bit, and what was removed stays in the trash`() throws {
    let store = try StoreFixture().open()
    try store.change(origin: .import, now: midnight) { change throws(StoreError) in
      for index in 0..<1000 { try change.put(single("n\(index)", at: 0)) }
    }
    try store.change(origin: .local, now: midnight) { change throws(StoreError) in
      for index in 0..<500 { _ = try change.remove(EventUID("n\(index)"), from: personal) }
      for index in 500..<1000 { try change.put(single("n\(index)", at: 5)) }
    }
    let kept = try store.number("SELECT count(*) FROM series_images")
    #expect(kept == 1000)
    for index in 0..<UndoRows.keptSteps { try store.put([single("x", at: Int64(index))]) }
    let before = try store.number("SELECT count(*) FROM series_images WHERE removed_on IS NULL")
    // The first of them has been cleared away by the change itself.
    #expect(before > 400)
    #expect(store.hasGarbage)
    try sweep(store)
    #expect(
      try store.number("SELECT count(*) FROM series_images WHERE step IS NULL") == 500)
    #expect(try store.number("SELECT count(*) FROM undo_steps") == Int64(UndoRows.keptSteps))
    #expect(try store.trash(limit: 5000).count == 500)
    #expect(try store.number("SELECT count(*) FROM pragma_foreign_key_check") == 0)
  }

  @Test func `the log is bounded by the events that it names`() throws {
    let store = try StoreFixture().open()
    func sync(_ names: Range<Int>, at minute: Int64) throws {
      try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
        for name in names { try change.put(single("n\(name)", at: minute)) }
      }
    }
    try store.put([single("mine", at: 0)])
    for minute in 0..<6 { try sync(0..<9000, at: Int64(minute)) }
    // 54,000 of them: the latest 25,000 at most are kept, that is two of the six.
    #expect(try store.changes(since: 5, limit: .max)?.count == 9000)
    #expect(try store.changes(since: 4, limit: .max) == nil)
    try sweep(store)
    #expect(try store.number("SELECT count(*) FROM changes") == 18_001)
    _ = try store.undo(now: midnight)
    #expect(try store.number("SELECT count(*) FROM changes WHERE revision = 1") == 0)
    #expect(try ChangeLog(store.database).changes(since: 4, limit: .max) == nil)
  }

  @Test func `nothing of a revision is left that leaves the log as its step is turned`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0)])
    try store.database.execute("UPDATE meta SET value = 10000 WHERE name = 'revision'")
    store.log.committed(10_000)
    _ = try store.undo(now: midnight)
    #expect(try store.number("SELECT count(*) FROM changes WHERE revision = 1") == 0)
  }

  @Test func `what lies about without a step is cleared away once it is opened`() throws {
    let fixture = try StoreFixture()
    var store = try fixture.open()
    try store.put([single("a", at: 0)])
    try store.database.execute(
      """
      INSERT INTO series_images (step, calendar, uid) VALUES (NULL, 'personal', 'lost');
      INSERT INTO changes VALUES (0, 'personal', 'lost', 'added', 'local', 0);
      """)
    store.close()
    store = try fixture.open()
    #expect(store.hasGarbage)
    try sweep(store)
    #expect(try store.number("SELECT count(*) FROM series_images") == 0)
    #expect(try store.number("SELECT count(*) FROM changes WHERE uid = 'lost'") == 0)
  }
}
