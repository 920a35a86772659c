import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarStore

private func old(_ uid: String) -> EventSeries {
  single(uid, at: 60, summary: "before", reminders: [10])
}

private func new(_ uid: String) -> EventSeries {
  single(uid, at: 600, summary: "after", reminders: [10])
}

private let uids = (0..<6).map { "u\($0)" }

/// A store with six events, and a step that was taken back.
private func filled(_ fixture: StoreFixture) throws -> EventStore {
  let store = try fixture.open()
  try store.put(uids.map(old))
  try store.put([single("gone", at: 0)])
  _ = try store.undo(now: midnight)
  return store
}

/// Begins a change that adds an event and has changed four of those that are there, in two parts.
private func begin(_ store: EventStore) throws -> StagedChange {
  let staged = try store.stage(in: personal, origin: .import, now: midnight)
  try staged.add([single("added", at: 120, summary: "after")])
  while try staged.addToLog() {}
  for part in [uids[0..<2], uids[2..<4]] {
    let changes = try staged.change { change throws(StoreError) in
      for uid in part { try change.put(new(uid)) }
    }
    #expect(changes.names.map(\.uid.text) == Array(part))
    #expect(changes.revision == store.revision)
  }
  return staged
}

@Suite struct `What a change in parts takes the place of` {
  @Test func `each part is seen as it comes, and the rest with the end`() throws {
    let store = try filled(StoreFixture())
    let revision = store.revision
    let staged = try begin(store)
    #expect(try found("after", store) == 5)
    #expect(try store.series(EventUID("u3"), in: nil)?.master?.summary == "after")
    #expect(try store.series(EventUID("u4"), in: nil)?.master?.summary == "before")
    #expect(try store.series(EventUID("added"), in: nil) == nil)
    #expect(store.revision == revision)
    #expect(try store.changes(since: revision, limit: 10) == [])
    #expect(try store.history(limit: 10).map(\.action) == [.add, .add])
    #expect(store.canRedo)
    let changes = try staged.finish(wrapping: { $0 }) { change throws(StoreError) in
      try change.put(new("u4"))
      // A part has changed it, too.
      try change.put(single("u0", at: 660, summary: "after"))
    }
    #expect(changes.revision == revision + 1)
    #expect([changes.added, changes.updated] == [1, 5])
    #expect(changes.uids.map(\.text).sorted() == ["added"] + uids[0..<5])
    #expect(changes.span == TimeSpan(start: at(60), end: at(721)))
    #expect(
      try (store.changes(since: revision, limit: 10) ?? []).map { "\($0.uid) \($0.change)" }
        .sorted()
        == ["added added"] + uids[0..<5].map { "\($0) updated" })
    #expect(try store.history(limit: 10).map(\.action) == [.import, .add])
    #expect(try store.history(limit: 1).map(\.events) == [6])
    #expect(store.canUndo && !store.canRedo)
  }

  @Test func `all of it is one step, which restores each event exactly`() throws {
    let fixture = try StoreFixture()
    var store = try filled(fixture)
    func events() throws -> [EventSeries] {
      try store.series(touching: .always, calendars: nil).sorted { $0.uid.text < $1.uid.text }
    }
    let before = try events()
    _ = try begin(store).finish(wrapping: { $0 }) { change throws(StoreError) in
      try change.put(single("u0", at: 660, summary: "after"))
    }
    let after = try events()
    #expect(before.map(\.components) != after.map(\.components))
    store.close()
    store = try fixture.open()
    let (entry, _) = try store.undo(now: midnight)
    #expect([entry.events, entry.uids.count] == [5, 5])
    #expect(try events().map(\.components) == before.map(\.components))
    #expect(try found("after", store) == 0)
    _ = try store.redo(now: midnight)
    #expect(try events().map(\.components) == after.map(\.components))
    _ = try store.undo(now: midnight)
    #expect(try events().map(\.components) == before.map(\.components))
    // The step before goes back as well.
    _ = try store.undo(now: midnight)
    #expect(try events().isEmpty)
  }

  /// What is kept of them.
  private var kept: StaticString { "SELECT count(*) FROM series_images WHERE uid LIKE 'u%'" }

  /// Begins a change that has kept how two events are, and has changed one of them.
  private func beginAhead(_ store: EventStore) throws -> StagedChange {
    let staged = try store.stage(in: personal, origin: .import, now: midnight)
    for uid in uids[0..<2] { try staged.keepAhead(of: new(uid)) }
    // It will be no other, and is not kept.
    try staged.keepAhead(of: old("u2"))
    #expect(try store.number(kept) == 2)
    let changes = try staged.change { change throws(StoreError) in try change.put(new("u0")) }
    #expect(changes.names.map(\.uid.text) == ["u0"])
    return staged
  }

  @Test func `what was kept ahead is not kept again, and comes back with undo`() throws {
    let store = try filled(StoreFixture())
    let staged = try beginAhead(store)
    #expect(try store.series(EventUID("u1"), in: nil)?.master?.summary == "before")
    let changes = try staged.finish(wrapping: { $0 }) { change throws(StoreError) in
      try change.put(new("u1"))
      try change.put(new("u3"))
    }
    #expect(changes.updated == 3)
    #expect(try store.number(kept) == 3)
    #expect(try found("after", store) == 3)
    let (entry, _) = try store.undo(now: midnight)
    #expect(entry.uids.map(\.text).sorted() == ["u0", "u1", "u3"])
    for uid in uids {
      #expect(try store.series(EventUID(uid), in: nil)?.components == old(uid).components)
    }
    _ = try store.redo(now: midnight)
    #expect(try found("after", store) == 3)
  }

  @Test func `what a part has moved elsewhere is put back where its change does not come`()
    throws
  {
    let fixture = try StoreFixture()
    let store = try filled(fixture)
    let club = CalendarInfo(
      id: CalendarID("club"), name: "Club", color: EventColor(red: 1, green: 2, blue: 3), order: 7)
    try store.put(calendar: club, now: midnight)
    let before = try content(of: store)
    let staged = try store.stage(in: personal, origin: .import, now: midnight)
    _ = try staged.change { change throws(StoreError) in
      for uid in uids[0..<2] {
        try change.put(new(uid))
        try change.move(new(uid), to: club.id)
      }
    }
    #expect(try store.series(EventUID("u0"), in: personal) == nil)
    let killed = try fixture.crashed().open()
    while try staged.discard() {}
    for store in [store, killed] {
      #expect(try content(of: store) == before)
      for uid in uids { #expect(try store.series(EventUID(uid), in: personal) != nil) }
    }
    killed.close()
  }

  @Test func `of what was kept ahead nothing is told where its change does not come`() throws {
    let fixture = try StoreFixture()
    let store = try filled(fixture)
    let (before, revision) = (try content(of: store), store.revision)
    let known = try store.revision(of: EventUID("u1"), in: personal)
    let staged = try beginAhead(store)
    let killed = try fixture.crashed().open()
    var told: [ChangeSet] = []
    while try staged.discard(tell: { told.append($0) }) {}
    #expect(told.map { $0.uids.map(\.text) } == [["u0"], ["u0"]])
    for store in [store, killed] {
      #expect(try content(of: store) == before)
      #expect(try store.revision(of: EventUID("u1"), in: personal) == known)
      #expect(try store.changes(since: revision, limit: 10)?.map(\.uid.text) == ["u0"])
      #expect(try store.redo(now: midnight).0.uids.map(\.text) == ["gone"])
    }
    killed.close()
  }

  @Test func `where it is discarded all is as before, and a revision names what was seen`() throws {
    let store = try filled(StoreFixture())
    let (before, revision) = (try content(of: store), store.revision)
    let staged = try begin(store)
    #expect(try content(of: store) != before)
    let seen = try store.revision(of: EventUID("u0"), in: personal)
    var told: [ChangeSet] = []
    while try staged.discard(limit: 10, tell: { told.append($0) }) {}
    #expect(!store.isStaging)
    #expect(try content(of: store) == before)
    #expect(told.map(\.updated) == [2, 2, 4])
    #expect(told.map(\.revision) == [revision, revision, revision + 2])
    #expect(told.last?.uids.map(\.text) == Array(uids[0..<4]))
    #expect(told.last?.span == TimeSpan(start: at(60), end: at(661)))
    #expect(store.revision == revision + 2)
    // Who has read one meanwhile has read another version.
    #expect(try seen == revision + 1 && store.revision(of: EventUID("u0"), in: personal) != seen)
    #expect(
      try store.changes(since: revision, limit: 10)?.map { "\($0.uid) \($0.change)" }.sorted()
        == uids[0..<4].map { "\($0) updated" })
    // What was taken back before can still be done again.
    #expect(try store.redo(now: midnight).0.uids.map(\.text) == ["gone"])
    #expect(try begin(store).finish(wrapping: { $0 }) { _ throws(StoreError) in }.updated == 4)
  }

  @Test func `a part of what is discarded ends with the event that is late`() throws {
    let store = try filled(StoreFixture())
    let before = try content(of: store)
    let staged = try begin(store)
    var told: [Int] = []
    while try staged.discard(isLate: { true }, tell: { told.append($0.updated) }) {}
    #expect(told == [1, 1, 1, 1, 4])
    #expect(try content(of: store) == before)
  }

  @Test func `a process that is killed in the middle has changed nothing`() throws {
    let fixture = try StoreFixture()
    let store = try filled(fixture)
    let (before, revision) = (try content(of: store), store.revision)
    let staged = try begin(store)
    let killed = try fixture.crashed()
    // Another one while it is being put back.
    #expect(try staged.discard(limit: 5))
    for folder in [killed, try fixture.crashed()] {
      let again = try folder.open()
      #expect(try content(of: again) == before)
      #expect(!again.isStaging)
      #expect(again.revision == revision + 2)
      #expect(
        try again.changes(since: revision, limit: 10)?.map { "\($0.uid) \($0.change)" }.sorted()
          == uids[0..<4].map { "\($0) updated" })
      #expect(try again.redo(now: midnight).0.uids.map(\.text) == ["gone"])
      again.close()
    }
  }

  @Test func `a part that fails leaves the others to be put back`() throws {
    let store = try filled(StoreFixture())
    let before = try content(of: store)
    let staged = try begin(store)
    #expect(throws: StoreError.self) {
      try staged.change { change throws(StoreError) in
        try change.put(new("u4"))
        try change.put(single("d", at: 0, calendar: CalendarID("nowhere")))
      }
    }
    #expect(try store.series(EventUID("u3"), in: nil)?.master?.summary == "after")
    #expect(try store.series(EventUID("u4"), in: nil)?.master?.summary == "before")
    while try staged.discard() {}
    #expect(try content(of: store) == before)
  }

  @Test func `an end that fails leaves the parts to be put back`() throws {
    let store = try filled(StoreFixture())
    let before = try content(of: store)
    let staged = try begin(store)
    #expect(throws: StoreError.self) {
      try staged.finish(wrapping: { $0 }) { change throws(StoreError) in
        try change.put(single("d", at: 0, calendar: CalendarID("nowhere")))
      }
    }
    #expect(try store.history(limit: 10).map(\.action) == [.add, .add])
    while try staged.discard() {}
    #expect(try content(of: store) == before)
  }

  @Test func `a part changes what was added before as well, in a new calendar, too`() throws {
    let store = try filled(StoreFixture())
    let club = CalendarInfo(
      id: CalendarID("club"), name: "Club", color: EventColor(red: 1, green: 2, blue: 3), order: 7)
    let staged = try store.stage(in: personal, origin: .import, now: midnight)
    try staged.add(club)
    let one = EventSeries(calendar: club.id, master: single("c", at: 60).master)
    try staged.add([one])
    while try staged.addToLog() {}
    let other = EventSeries(calendar: club.id, master: single("c", at: 90).master)
    let changes = try staged.change { change throws(StoreError) in
      #expect(try change.hasStaged(EventUID("c"), in: club.id))
      #expect(try change.series(EventUID("c"), in: club.id)?.components == one.components)
      try change.put(other)
      try change.put(new("u0"))
    }
    #expect(changes.names.map(\.uid.text) == ["u0"])
    #expect(try store.series(EventUID("c"), in: club.id) == nil)
    #expect(try store.calendars().map(\.id) == [personal])
    let all = try staged.finish(wrapping: { $0 }) { _ throws(StoreError) in }
    #expect([all.added, all.updated] == [1, 1])
    #expect(try store.series(EventUID("c"), in: club.id)?.components == other.components)
    _ = try store.undo(now: midnight)
    #expect(try store.calendars().map(\.id) == [personal])
    #expect(try found("after", store) == 0)
  }

  @Test func `what is added is logged whatever was changed before`() throws {
    let store = try filled(StoreFixture())
    let revision = store.revision
    let staged = try store.stage(in: personal, origin: .import, now: midnight)
    try staged.add(["a", "b", "c"].map { single($0, at: 120) })
    _ = try staged.change { change throws(StoreError) in try change.put(new("u5")) }
    while try staged.addToLog(limit: 1) {}
    _ = try staged.finish(wrapping: { $0 }) { _ throws(StoreError) in }
    #expect(
      try store.changes(since: revision, limit: 10)?.map(\.uid.text).sorted()
        == ["a", "b", "c", "u5"])
  }
}

@Suite struct `What waits for its part` {
  private func recurring(_ uid: String) throws -> EventSeries {
    var master = try #require(new(uid).master)
    master.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=5")]
    var exception = try #require(single(uid, at: 2100, summary: "after").master)
    exception.recurrenceID = .utc(at(2040))
    return EventSeries(calendar: personal, master: master, overrides: [exception])
  }

  /// Begins a change for which four events wait.
  private func begin(_ store: EventStore) throws -> StagedChange {
    let staged = try store.stage(in: personal, origin: .import, now: midnight)
    try staged.keepWaiting([recurring("u0"), new("u1")])
    try staged.keepWaiting([new("u2"), new("u3")])
    return staged
  }

  @Test func `it comes back in its order as it was, and is nowhere else`() throws {
    let store = try filled(StoreFixture())
    let before = try content(of: store)
    let staged = try begin(store)
    #expect(try found("after", store) == 0)
    #expect(try store.history(limit: 10).count == 2)
    #expect(try store.trash(limit: 10) == [])
    store.tidyJournal()
    while store.hasGarbage { try store.sweep() }
    let first = try staged.nextWaiting(3)
    #expect(
      first.map(\.components) == [try recurring("u0"), new("u1"), new("u2")].map(\.components))
    #expect(first.map(\.calendar) == [personal, personal, personal])
    #expect(try staged.nextWaiting(3).map(\.components) == [new("u3").components])
    #expect(try staged.nextWaiting(3).isEmpty)
    while try staged.discard() {}
    while store.hasGarbage { try store.sweep() }
    #expect(try content(of: store) == before)
    #expect(store.revision == 3)
  }

  @Test func `it is cleared away with the end`() throws {
    let store = try filled(StoreFixture())
    let staged = try begin(store)
    _ = try staged.change { change throws(StoreError) in
      for series in try staged.nextWaiting(10) { try change.put(series) }
    }
    #expect(try staged.finish(wrapping: { $0 }) { _ throws(StoreError) in }.updated == 4)
    while store.hasGarbage { try store.sweep() }
    #expect(try store.number("SELECT count(*) FROM undo_steps") == 2)
    #expect(try store.number("SELECT count(*) FROM series_images") == 4)
    #expect(try store.series(EventUID("u0"), in: nil)?.overrides.count == 1)
    _ = try store.undo(now: midnight)
    #expect(try found("after", store) == 0)
  }

  @Test func `it is cleared away after a kill`() throws {
    let fixture = try StoreFixture()
    let store = try filled(fixture)
    let before = try content(of: store)
    let staged = try begin(store)
    _ = try staged.change { change throws(StoreError) in
      for series in try staged.nextWaiting(2) { try change.put(series) }
    }
    let again = try fixture.crashed().open()
    while again.hasGarbage { try again.sweep() }
    #expect(try content(of: again) == before)
    #expect(try again.number("SELECT count(*) FROM component_images") == 1)
  }
}

@Suite struct `Reminders of what a change in parts takes the place of` {
  /// An event whose reminder was told, and another whose reminder is to come.
  private func begin(_ store: EventStore) throws -> StagedChange {
    try store.put([single("told", at: 10, reminders: [10]), old("u0")])
    #expect(try store.takeDue(through: at(0), limit: 10).map(\.key.uid.text) == ["told"])
    let staged = try store.stage(in: personal, origin: .import, now: at(1))
    let changes = try staged.change { change throws(StoreError) in
      try change.put(single("told", at: 300, reminders: [10]))
      try change.put(new("u0"))
    }
    #expect(changes.closedReminders.map(\.key.uid.text) == ["told"])
    #expect(try store.pendingReminders() == [])
    #expect(try store.nextAlarm() == at(290))
    return staged
  }

  /// Nothing that would have rung is lost, and what was pending is.
  private func check(_ store: EventStore) throws {
    #expect(try store.pendingReminders().map(\.key.uid.text) == ["told"])
    #expect(try store.nextAlarm() == at(50))
    #expect(try store.takeDue(through: at(59), limit: 10).map(\.key.uid.text) == ["u0"])
  }

  @Test func `they are as before once it is discarded, also where one was due meanwhile`() throws {
    let store = try StoreFixture().open()
    let staged = try begin(store)
    #expect(try store.takeDue(through: at(55), limit: 10) == [])
    var reopened: [Reminder] = []
    while try staged.discard(tell: { reopened += $0.reopenedReminders }) {}
    #expect(reopened.map(\.key.uid.text) == ["told"])
    try check(store)
  }

  @Test func `they are as before after a kill`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    _ = try begin(store)
    try check(fixture.crashed().open())
  }

  @Test func `what an alarm of the former event has rung already does not ring again`() throws {
    let store = try StoreFixture().open()
    try store.put([old("u0")])
    let staged = try store.stage(in: personal, origin: .import, now: midnight)
    _ = try staged.change { change throws(StoreError) in
      try change.put(single("u0", at: 60, summary: "after", reminders: [10]))
    }
    #expect(try store.takeDue(through: at(50), limit: 10).count == 1)
    while try staged.discard() {}
    #expect(try store.takeDue(through: at(60), limit: 10) == [])
    #expect(try store.pendingReminders().map(\.summary) == ["before"])
  }

  @Test(arguments: [false, true])
  func `what was answered elsewhere by its word alone is pending again`(isKilled: Bool) throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let told = single("told", at: 10, reminders: [10])
    try store.put([told])
    _ = try store.takeDue(through: at(0), limit: 10)
    let staged = try store.stage(in: personal, origin: .import, now: at(1))
    var answered = try #require(told.master)
    answered.alarms[0].acknowledged = at(1)
    let changes = try staged.change { change throws(StoreError) in
      try change.put(EventSeries(calendar: personal, master: answered))
    }
    #expect(changes.closedReminders.map(\.state) == [.acknowledged])
    #expect(try store.pendingReminders() == [])
    if isKilled {
      #expect(try fixture.crashed().open().pendingReminders().map(\.key.uid.text) == ["told"])
      return
    }
    var reopened: [Reminder] = []
    while try staged.discard(tell: { reopened += $0.reopenedReminders }) {}
    #expect(reopened.map(\.key.uid.text) == ["told"])
    #expect(try store.pendingReminders().map(\.key.uid.text) == ["told"])
  }

  @Test func `an invitation that was declined keeps silent when it is put back after a kill`()
    throws
  {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    store.ownAddresses = ["me@example.org"]
    var event = try #require(single("told", at: 10, reminders: [10]).master)
    try store.put([EventSeries(calendar: personal, master: event)])
    _ = try store.takeDue(through: at(0), limit: 10)
    event.attendees = [
      Attendee(address: "mailto:me@example.org", participation: "declined")
    ]
    try store.put([EventSeries(calendar: personal, master: event)])
    #expect(try store.pendingReminders() == [])
    let staged = try store.stage(in: personal, origin: .import, now: at(1))
    _ = try staged.change { change throws(StoreError) in
      var other = event
      other.summary = "after"
      try change.put(EventSeries(calendar: personal, master: other))
    }
    let crashed = try fixture.crashed()
    let again = try crashed.open(local: { .utc }, ownAddresses: ["me@example.org"])
    #expect(try again.series(EventUID("told"), in: nil)?.master?.summary == "told")
    #expect(try again.pendingReminders() == [])
  }
}
