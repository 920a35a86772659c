import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

private let work = CalendarID("work")

/// As many events as are turned in parts, and some more.
private let uids = (0..<EventStore.leastTurnedInParts + 50).map { "u\($0)" }

private func version(_ uid: String, _ summary: String, at minutes: Int64 = 60) -> EventSeries {
  single(uid, at: minutes, summary: summary, reminders: [10])
}

/// A store whose last step has changed many events, added one, removed one, and moved one to another calendar; and
/// that has a step before it.
private func filled(_ fixture: StoreFixture) throws -> EventStore {
  let store = try fixture.open()
  try store.put(
    calendar: CalendarInfo(id: work, name: "Work", color: EventColor.palette[1]), now: midnight)
  try store.put(
    uids.map { version($0, "before") } + [version("gone", "before"), version("moved", "before")])
  try store.change(origin: .local, now: midnight) { change throws(StoreError) in
    for uid in uids { try change.put(version(uid, "after", at: 600)) }
    try change.put(version("added", "after"))
    _ = try change.remove(EventUID("gone"), from: personal)
    _ = try change.remove(EventUID("moved"), from: personal)
    try change.put(single("moved", at: 60, summary: "after", reminders: [10], calendar: work))
  }
  return store
}

extension EventStore {
  /// Begins to turn the last step, and has some of it turned.
  fileprivate func begin(redo: Bool = false, parts: Int = 2) throws -> BatchedUndo {
    let turned = try #require(try turnInParts(redo: redo, now: midnight))
    while try turned.check(limit: 100) {}
    for _ in 0..<parts { #expect(try turned.turn(limit: 70)?.updated == 70) }
    return turned
  }

  fileprivate func turn(redo: Bool) throws -> (HistoryEntry, ChangeSet) {
    let turned = try begin(redo: redo, parts: 0)
    while try turned.turn(limit: 70) != nil {}
    return try turned.finish(uids: 10)
  }

  fileprivate func count(_ summary: String) throws -> Int {
    try series(touching: .always, calendars: nil).count { $0.master?.summary == summary }
  }
}

@Suite struct `A step that is turned in parts` {
  @Test func `its changes are seen as they come, the rest with the end`() throws {
    let store = try filled(StoreFixture())
    let revision = store.revision
    let turned = try store.begin()
    #expect(store.isStaging)
    #expect(try found("before", store) == 140)
    #expect(try store.series(EventUID("u0"), in: nil)?.master?.summary == "before")
    #expect(try store.series(EventUID("gone"), in: nil) == nil)
    #expect(try store.series(EventUID("added"), in: nil) != nil)
    #expect(try store.series(EventUID("moved"), in: work) != nil)
    #expect(store.revision == revision)
    #expect(try store.changes(since: revision, limit: 1000) == [])
    #expect(try store.history(limit: 10).map(\.isUndone) == [false, false, false])
    while try turned.turn(limit: 70) != nil {}
    let (entry, changes) = try turned.finish(uids: 10)
    #expect(!store.isStaging)
    #expect([entry.events, entry.uids.count] == [uids.count + 3, 10])
    #expect(changes.revision == revision + 1)
    #expect([changes.added, changes.updated, changes.removed] == [2, uids.count, 2])
    let span = try #require(changes.span)
    #expect(span.start == at(60) && (at(660)...at(661)).contains(span.end))
    #expect(try store.changes(since: revision, limit: 1000)?.count == uids.count + 4)
    #expect(try store.history(limit: 1).map(\.isUndone) == [true])
    #expect(store.canUndo && store.canRedo)
  }

  @Test func `goes back and forth, and leaves what one does that is turned at once`() throws {
    let (store, other) = (try filled(StoreFixture()), try filled(StoreFixture()))
    for redo in [false, true, false, true, false] {
      _ = try store.turn(redo: redo)
      _ = try redo ? other.redo(now: midnight) : other.undo(now: midnight)
      #expect(try content(of: store) == content(of: other))
      #expect(store.revision == other.revision)
    }
    // The step before is turned, too.
    _ = try store.undo(now: midnight)
    #expect(try store.count("before") == 0)
  }

  @Test func `one of few changes is turned at once`() throws {
    let store = try StoreFixture().open()
    let few = uids.prefix(EventStore.leastTurnedInParts - 1)
    try store.put(few.map { version($0, "before") })
    #expect(try store.turnInParts(redo: false, now: midnight) == nil)
    try store.put(few.map { version($0, "after") })
    #expect(try store.turnInParts(redo: false, now: midnight) == nil)
    #expect(!store.isStaging)
  }

  @Test(arguments: [false, true])
  func `where it is discarded all is as before, and a revision names what was seen`(
    redo: Bool
  ) throws {
    let store = try filled(StoreFixture())
    if redo { _ = try store.turn(redo: false) }
    let (before, revision) = (try content(of: store), store.revision)
    let turned = try store.begin(redo: redo)
    let seen = try store.revision(of: EventUID("u0"), in: personal)
    var told: [ChangeSet] = []
    while try turned.discard(limit: 100, tell: { told.append($0) }) {}
    #expect(!store.isStaging)
    #expect(try content(of: store) == before)
    #expect(told.map(\.updated).reduce(0, +) == 280)
    #expect(told.last?.revision == revision + 2)
    #expect(told.last?.uids.map(\.text) == Array(uids.prefix(140)))
    #expect(store.revision == revision + 2)
    // Who has read one meanwhile has read another version.
    #expect(try seen == revision + 1 && store.revision(of: EventUID("u0"), in: personal) != seen)
    #expect(
      try store.changes(since: revision, limit: 1000)?.map { "\($0.uid) \($0.change)" }.sorted()
        == uids.prefix(140).map { "\($0) updated" }.sorted())
    // It can be turned all the same.
    _ = try store.turn(redo: redo)
    #expect(try store.count(redo ? "before" : "after") == 0)
  }

  @Test func `one that is discarded at once has told nobody anything`() throws {
    let store = try filled(StoreFixture())
    let (before, revision) = (try content(of: store), store.revision)
    let turned = try store.begin(parts: 0)
    while try turned.discard(tell: { _ in Issue.record("there is nothing to tell") }) {}
    #expect(try content(of: store) == before)
    #expect(store.revision == revision)
  }

  @Test func `a process that is killed in the middle has turned nothing`() throws {
    let fixture = try StoreFixture()
    let store = try filled(fixture)
    let (before, revision) = (try content(of: store), store.revision)
    let turned = try #require(try store.turnInParts(redo: false, now: midnight))
    let atBegin = try fixture.crashed()
    while try turned.check() {}
    for _ in 0..<2 { _ = try turned.turn(limit: 70) }
    let later = try fixture.crashed()
    // Another one while it is being put back.
    #expect(try turned.discard(limit: 300))
    #expect(try turned.discard(limit: 300))
    let last = try fixture.crashed()
    for (place, folder) in [atBegin, later, last].enumerated() {
      let again = try folder.open()
      #expect(try content(of: again) == before)
      #expect(!again.isStaging)
      #expect(again.revision == (place == 0 ? revision : revision + 2))
      _ = try again.undo(now: midnight)
      #expect(try again.count("after") == 0)
      again.close()
    }
  }

  @Test func `a part that fails, or the end, leaves the others to be put back`() throws {
    for refusal in [
      "BEFORE UPDATE ON series WHEN old.uid = 'u200'", "BEFORE DELETE ON series",
    ] {
      let store = try filled(StoreFixture())
      let before = try content(of: store)
      try store.database.execute(
        "CREATE TRIGGER refusal \(refusal) BEGIN SELECT RAISE(ABORT, 'no room'); END")
      let turned = try store.begin()
      #expect(throws: (any Error).self) {
        while try turned.turn(limit: 70) != nil {}
        _ = try turned.finish(uids: 10)
      }
      try store.database.execute("DROP TRIGGER refusal")
      while try turned.discard() {}
      #expect(try content(of: store) == before)
      _ = try store.turn(redo: false)
      #expect(try store.count("after") == 0)
    }
  }

  @Test func `a conflict is told once, and passed over then`() throws {
    let store = try filled(StoreFixture())
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.put(version("u249", "theirs"))
    }
    let turned = try #require(try store.turnInParts(redo: false, now: midnight))
    #expect(throws: UndoError.changedSince(EventUID("u249"))) { while try turned.check() {} }
    while try turned.discard() {}
    #expect(try store.count("before") == 0)
    // The one before, for which it is in the way.
    let next = try #require(try store.turnInParts(redo: false, now: midnight))
    #expect(throws: UndoError.changedSince(EventUID("gone"))) { while try next.check() {} }
    while try next.discard() {}
    #expect(try store.history(limit: 10).map(\.isUndone) == [false, false, false])
    #expect(try store.count("before") == 0)
  }

  @Test(arguments: [false, true])
  func `what was pending is so again once it was put back`(isKilled: Bool) throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put(uids.map { version($0, "before", at: 600) })
    try store.put(uids.map { version($0, "after") })
    #expect(try store.takeDue(through: at(50), limit: 1000).count == uids.count)
    let turned = try #require(try store.turnInParts(redo: false, now: at(51)))
    while try turned.check() {}
    let changes = try #require(try turned.turn(limit: 70))
    #expect(changes.closedReminders.count == 70)
    #expect(try store.pendingReminders().count == uids.count - 70)
    if isKilled {
      let crashed = try fixture.crashed()
      #expect(try crashed.open().pendingReminders().count == uids.count)
      return
    }
    var reopened = 0
    while try turned.discard(tell: { reopened += $0.reopenedReminders.count }) {}
    #expect(reopened == 70)
    #expect(try store.pendingReminders().count == uids.count)
    #expect(try store.takeDue(through: at(60), limit: 1000) == [])
    // The other alarms are to come as before.
    _ = try store.undo(now: at(61))
    #expect(try store.nextAlarm() == at(590))
  }

  @Test func `no part turns an event twice where what nothing keeps is cleared away meanwhile`()
    throws
  {
    let store = try StoreFixture().open()
    let others = (0..<700).map { "o\($0)" }
    try store.put((uids + others).map { version($0, "before") })
    try store.put(uids.map { version($0, "after") })
    // A step after it, whose images are the last ones, is taken back and dropped.
    try store.put(others.map { version($0, "after") })
    _ = try store.undo(now: midnight)
    try store.put(
      calendar: CalendarInfo(id: work, name: "Work", color: EventColor.palette[1]), now: midnight)
    _ = try store.undo(now: midnight)
    #expect(store.hasGarbage)
    let turned = try store.begin(parts: 0)
    while store.hasGarbage { try store.sweep() }
    while try turned.turn(limit: 70) != nil {}
    _ = try turned.finish(uids: 10)
    #expect(try store.count("before") == uids.count + others.count)
  }

  @Test(arguments: [false, true])
  func `what the step had closed is pending once more after one that was put back`(
    isKilled: Bool
  ) throws {
    let fixture = try StoreFixture()
    var store = try fixture.open()
    try store.put(uids.map { version($0, "before") })
    #expect(try store.takeDue(through: at(50), limit: 1000).count == uids.count)
    try store.put(uids.map { version($0, "after", at: 600) }, now: at(51))
    #expect(try store.pendingReminders() == [])
    let before = try content(of: store)
    let turned = try #require(try store.turnInParts(redo: false, now: at(51)))
    while try turned.check() {}
    #expect(try turned.turn(limit: 70)?.reopenedReminders.count == 70)
    let crashed = try fixture.crashed()
    if isKilled {
      store = try crashed.open()
    } else {
      while try turned.discard() {}
    }
    #expect(try store.pendingReminders() == [])
    #expect(try content(of: store) == before)
    _ = try store.undo(now: at(53))
    #expect(try store.pendingReminders().count == uids.count)
  }

  @Test func `a calendar that goes and has other events by now is a conflict, told at first`()
    throws
  {
    let store = try StoreFixture().open()
    try store.put(uids.map { version($0, "before") })
    let trips = CalendarID("trips")
    try store.change(origin: .import, now: midnight) { change throws(StoreError) in
      try change.put(
        calendar: CalendarInfo(id: trips, name: "Trips", color: EventColor.palette[1]))
      try change.put(single("trip", at: 60, calendar: trips))
      for uid in uids { try change.put(version(uid, "after")) }
    }
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.put(single("theirs", at: 60, calendar: trips))
    }
    let before = try content(of: store)
    let turned = try #require(try store.turnInParts(redo: false, now: midnight))
    #expect(throws: UndoError.store(.calendarInUse(trips, events: 1))) {
      while try turned.check(limit: 100) {}
    }
    while try turned.discard() {}
    #expect(try content(of: store) == before)
    // It is passed over from now on: what is told is of the step before.
    #expect(throws: UndoError.changedSince(EventUID("u0"))) { try store.undo(now: midnight) }
    #expect(!store.canUndo)
    // Without that event nothing is in the way.
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      _ = try change.remove(EventUID("theirs"), from: trips)
    }
    _ = try store.turn(redo: false)
    #expect(try store.count("before") == uids.count)
    #expect(try store.calendars().map(\.id) == [personal])
  }

  @Test func `the step before one that was refused is turned in parts, too`() throws {
    let store = try StoreFixture().open()
    let others = uids.map { "other \($0)" }
    try store.put((uids + others).map { version($0, "before") })
    try store.put(uids.map { version($0, "after") })
    try store.put(others.map { version($0, "after") })
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.put(version(others[0], "theirs"))
    }
    let refused = try #require(try store.turnInParts(redo: false, now: midnight))
    #expect(throws: UndoError.changedSince(EventUID(others[0]))) {
      while try refused.check(limit: 100) {}
    }
    while try refused.discard() {}
    let turned = try store.begin()
    #expect(try store.count("before") == 140)
    while try turned.turn(limit: 70) != nil {}
    _ = try turned.finish(uids: 10)
    #expect(try store.count("before") == uids.count)
    #expect(try store.count("after") == others.count - 1)
    #expect(try store.history(limit: 3).map(\.isUndone) == [false, true, false])
    #expect(store.canRedo)
  }

  @Test func `one that is put back after a refused one was passed over leaves all as it was`()
    throws
  {
    let store = try StoreFixture().open()
    let others = uids.map { "other \($0)" }
    try store.put((uids + others).map { version($0, "before") })
    try store.put(uids.map { version($0, "after") })
    try store.put(others.map { version($0, "after") })
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      try change.put(version(others[0], "theirs"))
    }
    #expect(throws: UndoError.self) { try store.undo(now: midnight) }
    let before = try content(of: store)
    let turned = try store.begin()
    while try turned.discard() {}
    #expect(try content(of: store) == before)
  }

  @Test func `events that are all gone take no parts`() throws {
    let store = try StoreFixture().open()
    try store.put(uids.map { version($0, "new") })
    _ = try store.undo(now: midnight)
    let turned = try store.begin(redo: true, parts: 0)
    var parts = 0
    while try turned.turn(limit: 10) != nil { parts += 1 }
    #expect(parts <= 2)
    _ = try turned.finish(uids: 10)
    #expect(try store.count("new") == uids.count)
  }

  @Test func `a part ends with the event that is late`() throws {
    let store = try filled(StoreFixture())
    let before = try content(of: store)
    let turned = try store.begin(parts: 0)
    var late = 0
    func isThird() -> Bool {
      late += 1
      return late.isMultiple(of: 3)
    }
    for _ in 0..<2 {
      #expect(try turned.turn(limit: 70, isLate: isThird)?.updated == 3)
    }
    #expect(try found("before", store) == 6)
    var put: [Int] = []
    while try turned.discard(limit: 70, isLate: { true }, tell: { put.append($0.updated) }) {}
    #expect(put == [1, 1, 1, 1, 1, 1, 6])
    #expect(try content(of: store) == before)
    _ = try store.turn(redo: false)
    #expect(try store.count("after") == 0)
  }
}
