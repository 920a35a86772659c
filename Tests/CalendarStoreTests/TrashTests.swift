import CalendarModel
import CivilTime
import Testing

@testable import CalendarStore

private let day: Int64 = 1440

@Suite struct `The trash` {
  private func listed(_ store: EventStore, now: Timestamp = midnight) throws -> [String] {
    try store.trash(limit: 100, now: now).map(\.uid.text)
  }

  private func restore(_ store: EventStore, _ uid: String, now: Timestamp = midnight) throws {
    let event = try #require(try store.removedEvent(EventUID(uid), now: now))
    _ = try store.restore(event, to: event.calendar, now: now)
  }

  @Test func `what was removed is there for 30 days, the last first, as it was`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([single("a", at: 0), single("b", at: 60, summary: "B"), single("c", at: 0)])
    try store.put([single("b", at: 90, summary: "BB")])
    try store.remove("a")
    try store.remove("b", now: at(day))
    #expect(try listed(store, now: at(day)) == ["b", "a"])
    let event = try #require(try store.trash(limit: 1, now: at(day)).first)
    #expect(event.summary == "BB")
    #expect(event.start == .utc(at(90)))
    #expect(event.removed == at(day))
    #expect(event.calendar == personal)
    store.close()
    let again = try fixture.open()
    #expect(try listed(again, now: at(30 * day)) == ["b", "a"])
    #expect(try listed(again, now: at(30 * day + 1)) == ["b"])
    #expect(try again.removedEvent(EventUID("a"), now: at(30 * day + 1)) == nil)
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
    try store.put([single("c", at: 0)], now: at(31 * day))
    #expect(try store.number("SELECT count(*) FROM series_images WHERE uid = 'a'") == 0)
    #expect(try store.number("SELECT count(*) FROM component_images WHERE summary = 'a'") == 0)
  }

  @Test func `an event that is restored has left it, and undo puts it back there`() throws {
    let store = try StoreFixture().open()
    let series = single("a", at: 60, reminders: [30, 10])
    try store.put([series])
    try store.remove("a", now: at(20))
    try restore(store, "a", now: at(40))
    #expect(try store.series(EventUID("a"), in: nil)?.components == series.components)
    #expect(try listed(store).isEmpty)
    // What rang while it was away is past.
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
    #expect(try store.trash(limit: 9, now: midnight).map(\.summary) == ["second"])
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
    #expect(try store.trash(limit: 1, now: midnight).map(\.calendar) == [work])
    let event = try #require(try store.removedEvent(EventUID("a"), now: midnight))
    _ = try store.restore(event, to: personal, now: midnight)
    #expect(try store.series(EventUID("a"), in: personal)?.master?.summary == "a")
  }
}
