import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `A change` {
  private struct Refusal: Error, Equatable {
    var store: StoreError?
  }

  @Test func `it says what it touched, once each and in order`() throws {
    let store = try StoreFixture().open()
    try store.put([single("kept", at: 0), single("gone", at: 600), single("moved", at: 60)])
    let (answer, changes) = try store.change(origin: .sync, now: midnight) {
      change throws(StoreError) in
      try change.put(single("new", at: 120))
      _ = try change.remove(EventUID("gone"), from: personal)
      try change.put(single("moved", at: 240))
      try change.put(single("kept", at: 0))
      try change.put(single("new", at: 130))
      try change.put(single("short-lived", at: 0))
      return try change.remove(EventUID("short-lived"), from: personal)
    }
    #expect(answer)
    #expect(changes.revision == 2)
    #expect(changes.calendars == [personal])
    #expect(changes.uids.map(\.text) == ["new", "gone", "moved"])
    #expect([changes.added, changes.updated, changes.removed] == [1, 1, 1])
    #expect(changes.origin == .sync)
    let span = try #require(changes.span)
    #expect(span.start <= at(60) && span.end >= at(660))
    #expect(
      try store.number("SELECT count(*) FROM changes WHERE revision = 2 AND origin = 'sync'") == 3)
  }

  // The failure of seed 4711 of the copy that a client keeps: what begins at the end of the range of
  // EventsChanged is not in it.
  @Test func `what lasts no time is within the span of its change`() throws {
    let store = try StoreFixture().open()
    for minute: Int64 in [60, 90, 30] {
      let changes = try store.put([single("moment", at: minute, lasting: 0)])
      let span = try #require(changes.span)
      #expect(span.start <= at(minute) && at(minute) < span.end, "\(minute)")
    }
    let staged = try store.stage(in: personal, origin: .import, now: midnight)
    try staged.add(prepared: [staged.prepare(single("other", at: 120, lasting: 0))])
    let changes = try staged.finish(wrapping: { $0 }) { _ throws(StoreError) in }
    #expect(try #require(changes.span).end > at(120))
  }

  @Test func `an event that goes to another calendar has two names and one uid`() throws {
    let store = try StoreFixture().open()
    let work = CalendarID("work")
    try store.put(
      calendar: CalendarInfo(id: work, name: "Work", color: EventColor.palette[1]), now: midnight)
    try store.put([single("a", at: 0), single("b", at: 60)])
    let (_, changes) = try store.change(origin: .local, now: midnight) {
      change throws(StoreError) in
      for uid in ["a", "b"] {
        _ = try change.remove(EventUID(uid), from: personal)
        try change.put(single(uid, at: 0, calendar: work))
      }
    }
    #expect(changes.uids.map(\.text) == ["a", "b"])
    #expect(changes.firstUIDs(1).map(\.text) == ["a"])
    #expect(
      changes.names.map { "\($0.calendar) \($0.uid)" }
        == ["personal a", "work a", "personal b", "work b"])
    #expect(try store.history(limit: 1).first?.action == .move)
  }

  @Test func `of one uid in many calendars it is that of the default one, or of the first`() throws
  {
    let store = try StoreFixture().open()
    for place in 1...3 {
      try store.put(
        calendar: CalendarInfo(
          id: CalendarID("c\(place)"), name: "C\(place)", color: EventColor.palette[1],
          order: 4 - place), now: midnight)
    }
    func calendar(_ uid: String) throws -> String? {
      try store.series(EventUID(uid), in: nil)?.calendar.text
    }
    try store.put(["c1", "c3", "c2"].map { single("x", at: 0, calendar: CalendarID($0)) })
    #expect(try calendar("x") == "c3")
    try store.put([single("x", at: 0)])
    #expect(try calendar("x") == "personal")
    var second = try #require(store.calendars().first { $0.id.text == "c2" })
    second.isDefault = true
    try store.put(calendar: second, now: midnight)
    #expect(try calendar("x") == "c2")
    #expect(try calendar("y") == nil)
  }

  @Test func `a change of nothing keeps the revision`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0)])
    let changes = try store.put([single("a", at: 0)])
    #expect(changes.isEmpty)
    #expect(changes.revision == 1)
    #expect(changes.span == nil)
    #expect(try store.remove("nobody").isEmpty)
    #expect(store.revision == 1)
    #expect(try store.number("SELECT count(*) FROM changes") == 1)
  }

  @Test func `what was removed and put back is updated`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0)])
    let (_, changes) = try store.change(origin: .undo, now: midnight) { change throws(StoreError) in
      _ = try change.remove(EventUID("a"), from: personal)
      #expect(try change.series(EventUID("a"), in: nil) == nil)
      try change.put(single("a", at: 60))
      #expect(try change.series(EventUID("a"), in: nil) != nil)
    }
    #expect([changes.added, changes.updated, changes.removed] == [0, 1, 0])
  }

  @Test func `a body that throws has changed nothing`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0), single("b", at: 0, reminders: [-1])])
    #expect(throws: Refusal(store: nil)) {
      try store.change(origin: .local, now: midnight, wrapping: { Refusal(store: $0) }) {
        change throws(Refusal) in
        do throws(StoreError) {
          try change.put(single("c", at: 0, reminders: [-5]))
          _ = try change.remove(EventUID("a"), from: personal)
          try change.put(single("b", at: 500))
          try change.put(zone: "Office", component: "")
        } catch { throw Refusal(store: error) }
        throw Refusal(store: nil)
      }
    }
    #expect(store.revision == 1)
    #expect(try store.eventCounts() == [personal: 2])
    #expect(try store.series(EventUID("a"), in: nil) != nil)
    #expect(try store.series(EventUID("b"), in: nil)?.master?.start == .utc(midnight))
    #expect(try store.nextAlarm() == at(1))
    #expect(try store.customZones().isEmpty)
    let late = TimeSpan(start: at(500), end: at(501))
    #expect(try store.series(touching: late, calendars: nil).isEmpty)
  }

  @Test func `a step that failed fails the change, also if its error is caught`() throws {
    let store = try StoreFixture().open()
    let nowhere = CalendarID("nowhere")
    #expect(throws: StoreError.unknownCalendar(nowhere)) {
      try store.change(origin: .local, now: midnight) { change throws(StoreError) in
        try change.put(single("a", at: 0))
        do throws(StoreError) { try change.put(single("b", at: 0, calendar: nowhere)) } catch {}
      }
    }
    #expect(try store.eventCounts() == [personal: 0])
    #expect(store.revision == 0)
  }

  @Test func `after a failure the next change goes through`() throws {
    let store = try StoreFixture().open()
    #expect(throws: StoreError.self) {
      try store.put([single("a", at: 0, calendar: CalendarID("nowhere"))])
    }
    #expect(try store.put([single("a", at: 0)]).revision == 1)
  }

  @Test func `a change inside a change is refused and spoils nothing`() throws {
    let store = try StoreFixture().open()
    try store.change(origin: .local, now: midnight) { change throws(StoreError) in
      try change.put(single("a", at: 0))
      #expect(throws: StoreError.self) { try store.put([single("b", at: 0)]) }
    }
    #expect(try store.eventCounts() == [personal: 1])
  }

  @Test func `the log keeps the latest revisions only`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    // By sync: what can be taken back is kept longer.
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.put(single("a", at: 0))
    }
    // As after many changes.
    try store.database.execute("UPDATE meta SET value = 10000 WHERE name = 'revision'")
    store.close()
    let again = try fixture.open()
    #expect(again.revision == 10_000)
    #expect(try again.put([single("b", at: 0)]).revision == 10_001)
    #expect(try again.number("SELECT min(revision) FROM changes") == 10_001)
  }
}
