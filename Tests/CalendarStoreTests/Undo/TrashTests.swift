import CalendarModel
import CivilTime
import Testing

@testable import CalendarStore

private let day: Int64 = 1440

@Suite struct `The trash` {
  private func listed(_ store: EventStore) throws -> [String] {
    try store.trash(limit: 100).map(\.uid.text)
  }

  private func restore(_ store: EventStore, _ uid: String, now: Timestamp = midnight) throws {
    let event = try #require(try store.removedEvent(EventUID(uid)))
    _ = try store.restore(event, to: event.calendar, now: now)
  }

  @Test func `what was removed is there for 30 days, the last first, as it was`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([single("a", at: 0), single("b", at: 60, summary: "B"), single("c", at: 0)])
    try store.put([single("b", at: 90, summary: "BB")])
    try store.remove("a")
    try store.remove("b", now: at(day))
    #expect(try listed(store) == ["b", "a"])
    let event = try #require(try store.trash(limit: 1).first)
    #expect(event.summary == "BB")
    #expect(event.start == .utc(at(90)))
    #expect(event.removed == at(day))
    #expect(event.calendar == personal)
    store.close()
    let again = try fixture.open()
    for passed in 2...30 { try again.passTime(now: at(Int64(passed) * day)) }
    #expect(try listed(again) == ["b", "a"])
    try again.passTime(now: at(30 * day + 1))
    #expect(try listed(again) == ["b"])
    #expect(try again.removedEvent(EventUID("a")) == nil)
  }

  @Test func `all of it is named at once, unless that is too much`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0), single("b", at: 0), single("c", at: 0)])
    try store.remove("a")
    try store.remove("b", now: at(60))
    let images = try #require(try store.removedImages(limit: 2))
    #expect(images.map(\.name.uid.text) == ["a", "b"])
    #expect(images.map(\.name.calendar) == [personal, personal])
    #expect(images.map(\.removed.removed)[1] == at(60))
    #expect(try images.map { try store.series(of: $0.removed)?.uid.text } == ["a", "b"])
    let some = try store.removedImages(limit: 1)?.count
    #expect(some == nil)
  }

  @Test func `what no step holds is purged by the next change`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0)])
    try store.remove("a")
    for index in 0..<UndoRows.keptSteps {
      try store.put([single("b", at: 0, summary: "\(index)")])
    }
    #expect(try store.number("SELECT count(*) FROM undo_steps WHERE action = 'remove'") == 0)
    #expect(try listed(store) == ["a"])
    for passed in 1...31 { try store.passTime(now: at(Int64(passed) * day)) }
    try store.put([single("c", at: 0)], now: at(31 * day))
    #expect(try store.number("SELECT count(*) FROM series_images WHERE uid = 'a'") == 0)
    #expect(try store.number("SELECT count(*) FROM component_images WHERE summary = 'a'") == 0)
  }

  @Test func `it has a size, past which what was removed first is gone for good`() throws {
    let store = try StoreFixture().open()
    for index in 0..<20 {
      try store.put([single("e\(index)", at: 0)])
      try store.remove("e\(index)")
    }
    // 4 MiB each, in characters of two octets, and nobody knows how much that is.
    try store.database.execute(
      """
      UPDATE component_images SET description = replace(printf('%.*c', 2097152, 'e'), 'e', 'é');
      DELETE FROM meta WHERE name = 'trash_octets';
      """)
    try store.put([single("x", at: 0)])
    try store.remove("x")
    // No change waits for the count, which is made bit by bit afterwards.
    #expect(try store.number("SELECT value FROM meta WHERE name = 'trash_octets'") == .max)
    #expect(store.hasGarbage)
    while store.hasGarbage { try store.sweep(4) }
    #expect(
      try store.trash(limit: 100).map(\.uid.text)
        == ["x"] + (7..<20).reversed().map { "e\($0)" })
    #expect(try store.number("SELECT value FROM meta WHERE name = 'trash_octets'") < 56 << 20)
    // Undo has those that it has room for, in the trash or not.
    for uid in ["x", "e19"] {
      #expect(try store.undo(now: midnight).0.uids == [EventUID(uid)])
      _ = try store.undo(now: midnight)
    }
    #expect(try store.undo(now: midnight).0.uids == [EventUID("e18")])
  }

  @Test
  func `it is counted bit by bit, with what comes meanwhile, and is left alone if it is small`()
    throws
  {
    let store = try StoreFixture().open()
    for index in 0..<10 {
      try store.put([single("e\(index)", at: 0)])
      try store.remove("e\(index)")
    }
    while store.hasGarbage { try store.sweep() }
    let octets = try store.number("SELECT value FROM meta WHERE name = 'trash_octets'")
    try store.database.execute("UPDATE meta SET value = 70000000 WHERE name = 'trash_octets'")
    try store.put([single("x", at: 0)])
    try store.remove("x")
    var sweeps = 0
    while store.hasGarbage, sweeps < 20 {
      if sweeps == 1 {
        try store.put([single("y", at: 0)])
        try store.remove("y")
      }
      try store.sweep(3)
      sweeps += 1
    }
    #expect(4...8 ~= sweeps)
    #expect(try listed(store).count == 12)
    let counted = try store.number("SELECT value FROM meta WHERE name = 'trash_octets'")
    #expect(octets...(2 * octets) ~= counted)
  }

  @Test func `a clock that is ahead by years for a while empties nothing`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0), single("b", at: 0)])
    try store.remove("a")
    try store.put([single("b", at: 5)], now: at(3000 * day))
    try store.passTime(now: at(3001 * day))
    #expect(try listed(store) == ["a"])
    // Back where it was, time goes on from there.
    try store.passTime(now: at(1))
    for passed in 1...27 { try store.passTime(now: at(Int64(passed) * day)) }
    #expect(try listed(store) == ["a"])
    for passed in 28...30 { try store.passTime(now: at(Int64(passed) * day)) }
    #expect(try listed(store).isEmpty)
    #expect(try store.number("SELECT count(*) FROM series_images WHERE removed_at > 0") == 1)
    #expect(store.canUndo)
  }

  @Test func `events of one uid in two calendars are kept apart`() throws {
    let store = try StoreFixture().open()
    let work = CalendarID("work")
    try store.put(
      calendar: CalendarInfo(id: work, name: "Work", color: EventColor.palette[1]), now: midnight)
    try store.put([
      single("a", at: 0, summary: "mine"), single("a", at: 0, summary: "theirs", calendar: work),
    ])
    try store.remove("a")
    // The other one is there still, and hides nothing.
    #expect(try store.trash(limit: 9).map(\.summary) == ["mine"])
    try store.change(origin: .local, now: at(1)) { change throws(StoreError) in
      _ = try change.remove(EventUID("a"), from: work)
    }
    #expect(try store.trash(limit: 9).map(\.summary) == ["theirs", "mine"])
    #expect(try store.removedEvent(EventUID("a"))?.calendar == work)
    #expect(try store.removedEvent(EventUID("a"), from: personal)?.summary == "mine")
    #expect(try store.removedEvent(EventUID("a"), from: CalendarID("x")) == nil)
    try restore(store, "a")
    #expect(try store.series(EventUID("a"), in: work)?.master?.summary == "theirs")
    // The one that is still away comes before the one that is back.
    try restore(store, "a")
    #expect(try store.series(EventUID("a"), in: personal)?.master?.summary == "mine")
    #expect(try listed(store).isEmpty)
  }

  @Test func `questions go by an index`() throws {
    let store = try StoreFixture().open()
    func plan(_ sql: String) throws -> [String] {
      let row = try store.database.statement(composed: "EXPLAIN QUERY PLAN " + sql)
      defer { row.reset() }
      var lines: [String] = []
      while try row.step() { lines.append(row.text(3)) }
      return lines
    }
    for sql in [
      "SELECT * FROM series_images WHERE uid = 'a' AND removed_on >= 5",
      "SELECT * FROM series_images WHERE step IS NULL AND removed_on < 5",
      "SELECT * FROM series_images WHERE removed_on >= 5 ORDER BY removed_on DESC, key DESC",
      "SELECT revision FROM series WHERE calendar = 1 AND uid = 'a'",
      "SELECT revision FROM changes WHERE revision > 5 ORDER BY revision LIMIT 1",
    ] {
      let lines = try plan(sql)
      #expect(!lines.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(lines)")
    }
  }

  @Test func `an event that is restored has left it, and undo puts it back there`() throws {
    let store = try StoreFixture().open()
    let series = single("a", at: 60, reminders: [30, 10])
    try store.put([series])
    try store.remove("a", now: at(20))
    try restore(store, "a", now: at(40))
    #expect(try store.series(EventUID("a"), in: nil)?.components == series.components)
    #expect(try listed(store).isEmpty)
    // What would have rung while it was away is due at once.
    #expect(try store.nextAlarm() == at(30))
    #expect(try store.takeDue(through: at(40), limit: 10).map(\.key.trigger) == [at(30)])
    #expect(try store.nextAlarm() == at(50))
    #expect(try store.history(limit: 1).first?.action == .restore)
    _ = try store.undo(now: at(41))
    #expect(try listed(store) == ["a"])
    _ = try store.undo(now: at(41))
    #expect(try listed(store).isEmpty)
    _ = try store.redo(now: at(41))
    #expect(try listed(store) == ["a"])
  }

  @Test func `of one that was removed twice the latest is restored`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0, summary: "first")])
    try store.remove("a")
    try store.put([single("a", at: 0, summary: "second")])
    try store.remove("a")
    #expect(try store.trash(limit: 9).map(\.summary) == ["second"])
    try restore(store, "a")
    #expect(try store.series(EventUID("a"), in: nil)?.master?.summary == "second")
  }

  @Test func `one that is there again is not restored over it`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0)])
    try store.remove("a")
    try store.put([single("a", at: 0, summary: "new")])
    #expect(throws: UndoError.presentAgain(EventUID("a"), personal)) { try restore(store, "a") }
    #expect(try store.series(EventUID("a"), in: nil)?.master?.summary == "new")
  }

  @Test func `what sync removes is in it, but not from a calendar that is read only`() throws {
    let store = try StoreFixture().open()
    let feed = CalendarID("feed")
    try store.put(
      calendar: CalendarInfo(
        id: feed, name: "Feed", color: EventColor.palette[1], isReadOnly: true), now: midnight)
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.put(single("a", at: 0))
      try change.put(single("b", at: 0, calendar: feed))
    }
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      _ = try change.remove(EventUID("a"), from: personal)
      _ = try change.remove(EventUID("b"), from: feed)
    }
    #expect(try listed(store) == ["a"])
    #expect(try store.number("SELECT count(*) FROM series_images") == 1)
    #expect(try store.history(limit: 9).count == 1)
  }

  @Test func `what moved to another calendar is not in it, what undo took away neither`() throws {
    let store = try StoreFixture().open()
    let work = CalendarID("work")
    try store.put(
      calendar: CalendarInfo(id: work, name: "Work", color: EventColor.palette[1]), now: midnight)
    try store.put([single("a", at: 0)])
    try store.change(origin: .local, now: midnight) { change throws(StoreError) in
      _ = try change.remove(EventUID("a"), from: personal)
      try change.put(single("a", at: 0, calendar: work))
    }
    #expect(try listed(store).isEmpty)
    _ = try store.undo(now: midnight)
    _ = try store.undo(now: midnight)
    #expect(try store.series(EventUID("a"), in: nil) == nil)
    #expect(try listed(store).isEmpty)
  }

  @Test func `the events of a removed calendar are in it`() throws {
    let store = try StoreFixture().open()
    let work = CalendarID("work")
    try store.put(
      calendar: CalendarInfo(id: work, name: "Work", color: EventColor.palette[1]), now: midnight)
    try store.put([single("a", at: 0, calendar: work), single("b", at: 0, calendar: work)])
    try store.change(origin: .local, now: midnight) { change throws(StoreError) in
      try change.remove(calendar: work, withEvents: true)
    }
    #expect(try listed(store) == ["b", "a"])
    #expect(try store.trash(limit: 1).map(\.calendar) == [work])
    let event = try #require(try store.removedEvent(EventUID("a")))
    _ = try store.restore(event, to: personal, now: midnight)
    #expect(try store.series(EventUID("a"), in: personal)?.master?.summary == "a")
  }
}
