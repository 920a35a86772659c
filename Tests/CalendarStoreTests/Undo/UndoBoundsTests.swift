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

  @Test(.longProof) func `is bounded by size, the oldest going first`() throws {
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
    // A large step goes alone, and those before it stay.
    try store.put([single("b", at: 0)])
    #expect(try store.history(limit: 1000).count == 150)
    #expect(try store.history(limit: 2).map(\.action) == [.add, .update])
    try store.undoRows.bound(keeping: 151, UndoRows.newestOctets)
    #expect(try store.history(limit: 1000).count == 150)
    try store.database.execute("UPDATE undo_steps SET octets = 300000000 WHERE key = 151")
    try store.undoRows.bound(keeping: 151, UndoRows.newestOctets + 1)
    #expect(try store.history(limit: 1000).count == 149)
  }

  @Test func `a step before one that was too large is taken back where that left its event`() throws
  {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0), single("b", at: 0)])
    try store.put([single("a", at: 0, summary: "1")])
    try store.put([single("b", at: 0, summary: "1")])
    try store.put([single("b", at: 0, summary: "2")])
    try store.database.execute("UPDATE undo_steps SET octets = 300000000 WHERE key = 4")
    try store.undoRows.bound(keeping: 4, 300_000_000)
    #expect(throws: UndoError.changedSince(EventUID("b"))) { try store.undo(now: midnight) }
    #expect(try store.undo(now: midnight).0.uids == [EventUID("a")])
    #expect(try store.series(EventUID("a"), in: nil)?.master?.summary == "a")
    #expect(try store.series(EventUID("b"), in: nil)?.master?.summary == "2")
  }

  @Test func `is counted in octets, and not in characters`() throws {
    let store = try StoreFixture().open()
    var event = single("a", at: 0).components[0]
    event.description = String(repeating: "\u{1F4C5}", count: 1000)
    for summary in ["1", "2"] {
      event.summary = summary
      try store.put([EventSeries(calendar: personal, master: event)])
    }
    #expect(try store.number("SELECT octets FROM undo_steps WHERE key = 2") >= 4000)
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

  @Test(.longProof) func `the log is bounded by the events that it names`() throws {
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
