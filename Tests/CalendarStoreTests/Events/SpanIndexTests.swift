import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `The span index` {
  private func uids(
    _ store: EventStore, _ start: Int64, _ end: Int64, _ calendars: Set<CalendarID>? = nil
  ) throws -> Set<String> {
    let span = TimeSpan(start: at(start), end: at(end))
    return Set(try store.series(touching: span, calendars: calendars).map(\.uid.text))
  }

  @Test func `an event is found by every span that touches it`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 60, lasting: 30), single("moment", at: 200, lasting: 0)])
    #expect(try uids(store, 0, 60) == [])
    #expect(try uids(store, 0, 61) == ["a"])
    #expect(try uids(store, 70, 70) == ["a"])
    #expect(try uids(store, 89, 150) == ["a"])
    #expect(try uids(store, 92, 150) == [])
    #expect(try uids(store, 200, 201) == ["moment"])
    #expect(try uids(store, 200, 200) == ["moment"])
    #expect(try uids(store, 150, 200) == [])
  }

  @Test func `the minute is known in which so many are over`() throws {
    let store = try StoreFixture().open()
    try store.put([
      single("running", at: 0, lasting: 600), single("a", at: 120, lasting: 60),
      single("b", at: 200, lasting: 60), single("c", at: 900, lasting: 60),
    ])
    let span = TimeSpan(start: at(61), end: at(1000))
    #expect(try store.minute(inWhich: 1, endIn: span) == at(181))
    #expect(try store.minute(inWhich: 2, endIn: span) == at(261))
    #expect(try store.minute(inWhich: 3, endIn: span) == at(961))
    #expect(try store.minute(inWhich: 4, endIn: span) == nil)
  }

  @Test func `the minute is known for some calendars, be they few events or many`() throws {
    let store = try StoreFixture().open()
    let work = CalendarID("work")
    try store.put(
      calendar: CalendarInfo(id: work, name: "Work", color: EventColor.palette[1]), now: midnight)
    try store.put([
      single("a", at: 120, lasting: 60), single("b", at: 200, lasting: 60, calendar: work),
      single("c", at: 300, lasting: 60), single("d", at: 900, lasting: 60, calendar: work),
      single("past", at: 0, lasting: 10, calendar: work),
    ])
    let span = TimeSpan(start: at(61), end: at(1000))
    let few = try #require(try store.fewEventKeys(in: [work]))
    #expect(few.count == 3)
    for known in [few, nil] {
      func minute(_ count: Int) throws -> Timestamp? {
        try store.minute(inWhich: count, endIn: span, calendars: [work], few: known)
      }
      #expect(try minute(1) == at(261))
      #expect(try minute(2) == at(961))
      #expect(try minute(3) == nil)
    }
    // In a short span and in a long one.
    for end in [at(1000), at(1_000_000)] {
      let found = try store.series(touching: TimeSpan(start: at(61), end: end), calendars: [work])
      #expect(found.map(\.uid.text).sorted() == ["b", "d"])
    }
    #expect(try store.fewEventKeys(in: [work, personal]) == nil)
  }

  @Test func `only the calendars that are asked for are in the answer`() throws {
    let store = try StoreFixture().open()
    let work = CalendarID("work")
    try store.put(
      calendar: CalendarInfo(id: work, name: "W", color: EventColor.palette[1]), now: midnight)
    try store.put([single("a", at: 60), single("b", at: 60, calendar: work)])
    #expect(try uids(store, 0, 100, [work]) == ["b"])
    #expect(try uids(store, 0, 100, [work, personal]) == ["a", "b"])
    #expect(try uids(store, 0, 100, []) == [])
    #expect(try uids(store, 0, 100, [CalendarID("none")]) == [])
  }

  @Test(arguments: 1...5)
  func `no event of a span is missing, and few come too much`(seed: Int) throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    var random = SeededGenerator(seed: UInt64(seed))
    var spans: [String: TimeSpan] = [:]
    for step in 0..<3 {
      var batch: [EventSeries] = []
      for index in 0..<100 {
        // The second and third round move and remove some of the first.
        let uid = "event-\(Int.random(in: 0..<200, using: &random))"
        if step > 0, index % 10 == 0 {
          try store.remove(uid)
          spans[uid] = nil
          batch.removeAll { $0.uid.text == uid }
          continue
        }
        let start = Timestamp(seconds: Int64.random(in: -3_000_000...3_000_000, using: &random))
        let end = start.adding(seconds: Int64.random(in: 0...500_000, using: &random))
        var event = Event(uid: EventUID(uid), start: .utc(start), end: .time(.utc(end)))
        event.summary = "\(step)"
        batch.removeAll { $0.uid.text == uid }
        batch.append(EventSeries(calendar: personal, master: event))
        spans[uid] = TimeSpan(start: start, end: end)
      }
      try store.put(batch)
    }
    let short = try store.number("SELECT count(*) FROM series WHERE first_minute IS NOT NULL")
    let long = try store.number("SELECT count(*) FROM spans")
    #expect(short + long == Int64(spans.count))
    #expect(short > 0 && long > 0)
    for _ in 0..<200 {
      let start = Timestamp(seconds: Int64.random(in: -3_000_000...3_000_000, using: &random))
      let span = TimeSpan(
        start: start, end: start.adding(seconds: Int64.random(in: 0...90_000, using: &random)))
      let found = Set(try store.series(touching: span, calendars: nil).map(\.uid.text))
      let expected = Set(spans.filter { $0.value.overlaps(span) }.keys)
      #expect(expected.isSubset(of: found), "seed \(seed) \(span)")
      // A minute on both sides.
      let wide = TimeSpan(start: start.adding(seconds: -60), end: span.end.adding(seconds: 60))
      let near = Set(spans.filter { $0.value.overlaps(wide) }.keys)
      #expect(found.isSubset(of: near), "seed \(seed) \(span)")
    }
  }

  // What is short lies in its row, the rest in the tree; 4320 minutes are three days.
  @Test func `an event that becomes longer or shorter is found where it is, and there alone`()
    throws
  {
    let store = try StoreFixture().open()
    func places() throws -> [Int64] {
      [
        try store.number("SELECT count(*) FROM series WHERE first_minute IS NOT NULL"),
        try store.number("SELECT count(*) FROM spans"),
      ]
    }
    for _ in 0..<2 {
      try store.put([single("a", at: 600, lasting: 4319)])
      #expect(try places() == [1, 0])
      #expect(try uids(store, 4918, 4919) == ["a"])
      #expect(try uids(store, 4920, 9000) == [])
      #expect(try store.seriesRows.spans.span(of: 1) == TimeSpan(start: at(600), end: at(4920)))
      try store.put([single("a", at: 600, lasting: 4321)])
      #expect(try places() == [0, 1])
      #expect(try uids(store, 4920, 4921) == ["a"])
      #expect(try uids(store, 4922, 9000) == [])
      #expect(try store.seriesRows.spans.span(of: 1) == TimeSpan(start: at(600), end: at(4922)))
    }
    try store.put([single("a", at: 9000, lasting: 60)])
    #expect(try uids(store, 600, 4922) == [])
    #expect(try store.minute(inWhich: 1, endIn: .always) == at(9061))
    try store.put([single("b", at: 0, lasting: 60), single("c", at: 100, lasting: 5000)])
    #expect(try store.minute(inWhich: 2, endIn: .always) == at(5101))
    for uid in ["a", "b", "c"] { try store.remove(uid) }
    #expect(try places() == [0, 0])
  }

  @Test func `events at the ends of time are found`() throws {
    let store = try StoreFixture().open()
    var first = Event(uid: EventUID("first"), start: .date(.earliest))
    first.end = .none
    let last = Event(uid: EventUID("last"), start: .utc(.latest))
    let far = Event(
      uid: EventUID("far"), start: .utc(try Timestamp(text: "7000-01-01T00:00:00Z")))
    try store.put([first, last, far].map { EventSeries(calendar: personal, master: $0) })
    let all = Set(try store.series(touching: .always, calendars: nil).map(\.uid.text))
    #expect(all == ["first", "last", "far"])
    let late = TimeSpan(start: try Timestamp(text: "6999-01-01T00:00:00Z"), end: .latest)
    #expect(try store.series(touching: late, calendars: nil).map(\.uid.text).contains("far"))
    #expect(try store.series(touching: late, calendars: nil).map(\.uid.text).contains("last"))
    let early = TimeSpan(start: .earliest, end: Timestamp(seconds: -60_000_000_000))
    #expect(try store.series(touching: early, calendars: nil).map(\.uid.text) == ["first"])
  }

  @Test func `an event whose zone is not installed is in every answer`() throws {
    let store = try StoreFixture().open()
    let reading = try CivilDateTime(text: "2026-11-21T09:00")
    let event = Event(uid: EventUID("lost"), start: .zoned(reading, zone: "Mars/Olympus"))
    let changes = try store.put([
      EventSeries(calendar: personal, master: event), single("a", at: 60),
    ])
    #expect(changes.added == 2)
    #expect(changes.span == .always)
    #expect(try uids(store, 1_000_000, 1_000_001) == ["lost"])
    #expect(try uids(store, 60, 61) == ["lost", "a"])
  }

  /// A weekly hour from midnight on, of which the second is moved by two days.
  private func weekly(moved: Bool) throws -> EventSeries {
    let uid = EventUID("a")
    var event = Event(
      uid: uid, start: .utc(at(600)), end: .duration(CalendarDuration(seconds: 3600)))
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=WEEKLY;COUNT=20")]
    var override = Event(
      uid: uid, start: .utc(at(9 * 1440 + 600)), end: .duration(CalendarDuration(seconds: 3600)))
    override.recurrenceID = .utc(at(7 * 1440 + 600))
    return EventSeries(calendar: personal, master: event, overrides: moved ? [override] : [])
  }

  @Test func `a series that recurs is found on its days alone, and where one of it was moved to`()
    throws
  {
    let store = try StoreFixture().open()
    func days() throws -> [Int64] {
      // What was read is not asked for its days here.
      store.seriesRows.forgetDays()
      return try (0..<22).filter { day in
        let span = TimeSpan(start: at(day * 1440), end: at(day * 1440 + 1440))
        let found = try store.series(touching: span, calendars: nil)
        #expect(found.count < 2)
        store.seriesRows.forgetDays()
        return !found.isEmpty
      }
    }
    try store.put([try weekly(moved: false)])
    #expect(try days() == [0, 7, 14, 21])
    try store.put([try weekly(moved: true)])
    #expect(try days() == [0, 7, 9, 14, 21])
    #expect(try store.number("SELECT count(*) FROM spans") == 2)
    // Both of its places, and the ends of a week, are in this; it comes once.
    let all = TimeSpan(start: at(5 * 1440), end: at(11 * 1440))
    #expect(try store.series(touching: all, calendars: nil).count == 1)
    #expect(try store.series(touching: .always, calendars: nil).count == 1)
    #expect(try store.minute(inWhich: 2, endIn: .always) == nil)
    try store.put([try weekly(moved: false)])
    #expect(try days() == [0, 7, 14, 21])
    #expect(try store.number("SELECT count(*) FROM spans") == 1)
    try store.put([try weekly(moved: true)])
    try store.remove("a")
    #expect(try store.number("SELECT count(*) FROM spans") == 0)
  }

  @Test func `an all-day event is found in whatever zone the agent is`() throws {
    let store = try StoreFixture().open()
    let date = try CivilDate(text: "2026-11-21")
    try store.put([
      EventSeries(calendar: personal, master: Event(uid: EventUID("day"), start: .date(date)))
    ])
    for name in ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"] {
      let start = FixedZones.shared[name].startOfDay(date)
      let first = TimeSpan(start: start, end: start.adding(seconds: 60))
      #expect(try store.series(touching: first, calendars: nil).count == 1)
    }
  }
}
