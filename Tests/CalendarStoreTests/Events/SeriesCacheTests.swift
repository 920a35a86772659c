import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `Series that are kept in memory` {
  private func weekly(_ uid: String, _ summary: String) throws -> EventSeries {
    var event = Event(uid: EventUID(uid), start: .utc(midnight), summary: summary)
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=WEEKLY")]
    return EventSeries(calendar: personal, master: event)
  }

  private func summary(_ store: EventStore, _ uid: String) throws -> String? {
    try store.series(EventUID(uid), in: nil)?.master?.summary
  }

  @Test func `a change is seen at once`() throws {
    let store = try StoreFixture().open()
    try store.put([try weekly("a", "one")])
    #expect(try summary(store, "a") == "one")
    try store.put([try weekly("a", "two")])
    #expect(try summary(store, "a") == "two")
    try store.remove("a")
    #expect(try summary(store, "a") == nil)
    // The key of the removed one may be given out again.
    try store.put([try weekly("b", "three")])
    #expect(try summary(store, "b") == "three")
  }

  @Test func `what a change read and undid is forgotten`() throws {
    let store = try StoreFixture().open()
    try store.put([try weekly("a", "one")])
    let two = try weekly("a", "two")
    #expect(throws: StoreError.self) {
      try store.change(origin: .local, now: midnight) { change throws(StoreError) in
        try change.put(two)
        #expect(try change.series(EventUID("a"), in: nil)?.master?.summary == "two")
        _ = try change.remove(EventUID("a"), from: CalendarID("nowhere"))
      }
    }
    #expect(try summary(store, "a") == "one")
  }

  @Test func `there may be more than are kept, and single ones are not`() throws {
    var cache = SeriesCache()
    for key in 0..<600 {
      cache.keep(try weekly("\(key)", "x"), Int64(key), zones: FixedZones.shared)
    }
    #expect((0..<600).count { cache[Int64($0)] != nil } == SeriesCache.capacity)
    cache.forget(0)
    #expect(cache[0] == nil)
    cache.keep(single("s", at: 0), 0, zones: FixedZones.shared)
    #expect(cache[0] == nil)
  }

  @Test func `a series that was read is not read again for a day on which it is not`() throws {
    let store = try StoreFixture().open()
    // The index knows its weekday, and not which of the weeks are its own.
    var biweekly = try #require(try weekly("a", "one").master)
    biweekly.recurrence.rules = [try RecurrenceRule(text: "FREQ=WEEKLY;INTERVAL=2")]
    try store.put([EventSeries(calendar: personal, master: biweekly), single("b", at: 1500)])
    func found(_ day: Int64) throws -> [String] {
      let span = TimeSpan(start: at(day * 1440), end: at(day * 1440 + 1440))
      return try store.series(touching: span, calendars: nil).map(\.uid.text).sorted()
    }
    // It is not known yet.
    #expect(try found(7) == ["a"])
    #expect(try found(7) == [])
    #expect(try found(1) == ["b"])
    #expect(try found(14) == ["a"])
    // It is moved.
    var daily = try #require(try weekly("a", "two").master)
    daily.recurrence.rules = [try RecurrenceRule(text: "FREQ=WEEKLY;BYDAY=TU")]
    try store.put([EventSeries(calendar: personal, master: daily)])
    for _ in 1...2 { #expect(try found(3) == ["a"]) }
    #expect(try found(4) == [])
  }

  @Test func `days are forgotten with their series, and with the data of zones`() throws {
    var cache = SeriesCache()
    let other = TimeSpan(start: at(3 * 1440), end: at(4 * 1440))
    #expect(!cache.misses(1, other))
    for key: Int64 in 1...3 { cache.keep(try weekly("a", "x"), key, zones: FixedZones.shared) }
    #expect(cache.misses(1, other))
    #expect(!cache.misses(1, TimeSpan(start: at(7 * 1440), end: at(8 * 1440))))
    cache.forget(1)
    #expect(!cache.misses(1, other))
    #expect(cache.misses(2, other))
    cache.forgetDays()
    #expect(!cache.misses(2, other))
    #expect(cache[2] != nil)
    cache.keep(try weekly("a", "x"), 3, zones: FixedZones.shared)
    #expect(cache.misses(3, other))
    cache.forgetAll()
    #expect(!cache.misses(3, other))
  }
}
