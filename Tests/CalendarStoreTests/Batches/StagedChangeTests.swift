import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `A change in parts` {
  private let day = TimeSpan(start: midnight, end: at(1440))

  private func begin(_ store: EventStore) throws -> StagedChange {
    let staged = try store.stage(in: personal, origin: .import, now: midnight)
    try staged.add([single("c", at: 60, reminders: [10]), single("b", at: 120)])
    try staged.add([single("a", at: 180)])
    return staged
  }

  private func finish(
    _ staged: StagedChange, _ body: (StoreChange) throws(StoreError) -> Void = { _ in }
  ) throws -> ChangeSet {
    try staged.finish(wrapping: { $0 }, body)
  }

  /// What anybody can learn of the events of a store.
  private func seen(_ store: EventStore) throws -> [String] {
    var seen = try store.series(touching: day, calendars: nil).map(\.uid.text).sorted()
    seen += try store.events(in: nil, after: 0, limit: 10).map(\.uid.text)
    seen += try store.events(after: 0, limit: 10).map { "number \($0.key)" }
    seen += ["\(try store.lastEventKey())", "\(try store.eventCounts()[personal] ?? -1)"]
    seen += try ["a", "b", "c", "old"].map { uid in
      let series = try store.series(EventUID(uid), in: nil) != nil
      let revision = try store.revision(of: EventUID(uid), in: personal)
      return "\(uid) \(series) \(revision ?? 0)"
    }
    seen.append("alarm \(try store.nextAlarm()?.seconds ?? 0)")
    seen += try (store.changes(since: 0, limit: 10) ?? []).map { "\($0.uid) \($0.revision)" }
    seen.append("\(store.revision) \(store.canUndo)")
    return seen
  }

  @Test func `a part ends once it is long, and at the end as it is`() throws {
    let store = try StoreFixture().open()
    let staged = try begin(store)
    #expect(try !staged.settlePart())
    try staged.add((0..<4000).map { single("many\($0)", at: 120) })
    #expect(store.database.isTransactionOpen)
    #expect(try staged.settlePart())
    #expect(!store.database.isTransactionOpen)
    #expect(try !staged.settlePart())
    while try staged.addToLog(limit: 1000) {}
    #expect(try staged.settlePart(isLast: true))
    #expect(!store.database.isTransactionOpen)
    #expect(try finish(staged).added == 4003)
  }

  /// Events of so many octets.
  private func large(_ numbers: Range<Int>, octets: Int) -> [EventSeries] {
    numbers.map { number in
      var event = single("large\(number)", at: 120).components[0]
      event.description = String(repeating: "x", count: octets)
      return EventSeries(calendar: personal, master: event)
    }
  }

  @Test func `a long journal is on the disk before it is written back, in two turns`() throws {
    let store = try StoreFixture().open()
    let staged = try begin(store)
    try staged.add(large(0..<staged.partCount, octets: 6000))
    #expect(try staged.settlePart())
    let pages = store.database.journalPages
    #expect(pages >= StagedChange.journalPages)
    #expect(try staged.settlePart())
    #expect(store.database.journalPages == pages)
    // The disk has it now.
    #expect(try !store.database.syncJournal())
    #expect(try staged.settlePart())
    #expect(store.database.journalPages == 0)
    #expect(try !staged.settlePart())
    // What comes after is to be waited for again.
    try staged.add(large(10_000..<10_010, octets: 6000))
    #expect(try staged.settlePart(isLast: true))
    #expect(try store.database.syncJournal())
    #expect(!store.database.isJournalDoubtful)
  }

  /// In the second one the commit itself writes the journal back.
  @Test(.longProof, arguments: [6000, 13_000])
  func `a part of what fills many pages has fewer events`(octets: Int) throws {
    let store = try StoreFixture().open()
    let staged = try begin(store)
    func large(_ numbers: Range<Int>) -> [EventSeries] { self.large(numbers, octets: octets) }
    let usual = staged.partCount
    try staged.add(large(0..<usual))
    while try staged.settlePart() {}
    #expect(!store.database.isTransactionOpen)
    let fewer = staged.partCount
    #expect(fewer < usual)
    try staged.add(large(usual..<usual + fewer))
    #expect(store.database.isTransactionOpen)
    #expect(try staged.settlePart())
    #expect(!store.database.isTransactionOpen)
    // Of others it has more.
    while try staged.settlePart() {}
    let small = staged.partCount
    try staged.add((0..<small).map { single("small\($0)", at: 120) })
    while try staged.settlePart() {}
    #expect(staged.partCount > small)
    try staged.add((small..<2 * small).map { single("small\($0)", at: 120) })
    #expect(try !staged.settlePart())
    #expect(try finish(staged).added == usual + fewer + 2 * small + 3)
  }

  /// One that happens each day, with so many changed occurrences.
  private func daily(_ uid: String, exceptions: Int) throws -> EventSeries {
    var master = single(uid, at: 0).components[0]
    master.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY")]
    let overrides = (0..<exceptions).map { place in
      let start = Int64(place) * 1440 + 30
      var event = single(uid, at: start, summary: "changed \(place)").components[0]
      event.recurrenceID = .utc(at(Int64(place) * 1440))
      return event
    }
    return EventSeries(calendar: personal, master: master, overrides: overrides)
  }

  @Test func `a series with thousands of exceptions is written in pieces, which nobody sees`()
    throws
  {
    let store = try StoreFixture().open()
    let before = try seen(store)
    let staged = try store.stage(in: personal, origin: .import, now: midnight)
    let long = try daily("a", exceptions: 2500)
    try staged.add([long])
    var counts = [try store.number("SELECT count(*) FROM components")]
    while try staged.settlePart() {
      counts.append(try store.number("SELECT count(*) FROM components"))
    }
    #expect(counts == [1000, 2000, 2501])
    #expect(try seen(store) == before)
    #expect(try finish(staged).added == 1)
    #expect(try store.series(EventUID("a"), in: nil)?.components == long.components)
    #expect(try store.number("SELECT count(*) FROM search WHERE search MATCH 'changed'") == 2500)
  }

  @Test func `what is left of a long series comes before all else`() throws {
    let store = try StoreFixture().open()
    let staged = try store.stage(in: personal, origin: .import, now: midnight)
    let first = try daily("a", exceptions: 1500)
    let second = try daily("b", exceptions: 1500)
    try staged.add([first, second])
    #expect(try store.number("SELECT count(*) FROM components") == 2501)
    // A change of what was added is of the whole of it.
    let changed = try daily("b", exceptions: 1200)
    _ = try staged.change { change throws(StoreError) in try change.put(changed) }
    #expect(try finish(staged).added == 2)
    #expect(try store.series(EventUID("a"), in: nil)?.components == first.components)
    #expect(try store.series(EventUID("b"), in: nil)?.components == changed.components)
  }

  @Test func `the end of a change writes what is left of a long series`() throws {
    let store = try StoreFixture().open()
    let staged = try store.stage(in: personal, origin: .import, now: midnight)
    let long = try daily("a", exceptions: 1500)
    try staged.add([long])
    #expect(try finish(staged).added == 1)
    #expect(try store.series(EventUID("a"), in: nil)?.components == long.components)
  }

  @Test func `of a long series that is not all there nothing is left when it is discarded`() throws
  {
    let store = try StoreFixture().open()
    let before = try seen(store)
    let staged = try store.stage(in: personal, origin: .import, now: midnight)
    try staged.add([try daily("a", exceptions: 2500)])
    #expect(try staged.settlePart())
    while try staged.discard() {}
    #expect(try store.number("SELECT count(*) FROM components") == 0)
    #expect(try store.number("SELECT count(*) FROM search WHERE search MATCH 'changed'") == 0)
    #expect(try seen(store) == before)
  }

  @Test func `nobody sees it before its end, and then all of it at once`() throws {
    let store = try StoreFixture().open()
    try store.put([single("old", at: 600)])
    let before = try seen(store)
    let staged = try begin(store)
    #expect(store.isStaging)
    #expect(try seen(store) == before)
    #expect(try staged.addToLog(limit: 2))
    #expect(try seen(store) == before)
    let changes = try finish(staged)
    #expect(!store.isStaging)
    #expect(changes.uids.map(\.text) == ["c", "b", "a"])
    #expect([changes.added, changes.updated] == [3, 0])
    #expect(changes.calendars == [personal] && changes.revision == 2)
    #expect(
      try store.series(touching: day, calendars: nil).map(\.uid.text).sorted()
        == ["a", "b", "c", "old"])
    #expect(try store.nextAlarm() == at(50))
    #expect(try store.changes(since: 1, limit: 10)?.count == 3)
  }

  @Test func `it is one step to take back, with what its end changes`() throws {
    let store = try StoreFixture().open()
    try store.put([single("old", at: 600)])
    _ = try finish(begin(store)) { change throws(StoreError) in
      try change.put(single("old", at: 660))
      // It has just been added: that it is changed at once is no change of its own.
      try change.put(single("a", at: 200))
    }
    #expect(try store.series(EventUID("old"), in: nil)?.master?.start == .utc(at(660)))
    #expect(try store.series(EventUID("a"), in: nil)?.master?.start == .utc(at(200)))
    _ = try store.undo(now: midnight)
    #expect(try store.series(touching: day, calendars: nil).map(\.uid.text) == ["old"])
    #expect(try store.series(EventUID("old"), in: nil)?.master?.start == .utc(at(600)))
    #expect(!store.isStaging)
  }

  @Test func `what was added is taken out again when it is discarded`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([single("old", at: 600)])
    let before = try seen(store)
    let staged = try begin(store)
    _ = try staged.addToLog(limit: 2)
    while try staged.discard(limit: 1) {}
    #expect(!store.isStaging)
    #expect(try seen(store) == before)
    #expect(try store.number("SELECT count(*) FROM components") == 1)
    #expect(try store.number("SELECT count(first_minute) FROM series") == 1)
    #expect(try store.number("SELECT count(*) FROM changes") == 1)
  }

  @Test func `an end that fails shows nothing`() throws {
    let store = try StoreFixture().open()
    let before = try seen(store)
    let staged = try begin(store)
    #expect(throws: StoreError.self) {
      try finish(staged) { change throws(StoreError) in
        try change.put(single("d", at: 0, calendar: CalendarID("nowhere")))
      }
    }
    #expect(try seen(store) == before)
    while try staged.discard() {}
    #expect(try seen(store) == before)
  }

  @Test func `a process that is killed in the middle leaves nothing of it`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([single("old", at: 600)])
    let before = try seen(store)
    let staged = try begin(store)
    _ = try staged.addToLog(limit: 2)
    try store.database.endPart()
    #expect(try store.number("SELECT count(*) FROM series") == 4)
    let again = try fixture.crashed().open()
    #expect(try seen(again) == before)
    #expect(try again.number("SELECT count(*) FROM series") == 1)
    #expect(try again.number("SELECT count(*) FROM meta WHERE name = 'staged_after'") == 0)
    _ = staged
  }

  @Test func `a reminder that falls due meanwhile is durable at once`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([single("old", at: 10, reminders: [10])])
    let staged = try begin(store)
    #expect(try store.takeDue(through: at(0), limit: 10).map(\.key.uid.text) == ["old"])
    let again = try fixture.crashed().open()
    #expect(try again.pendingReminders().map(\.key.uid.text) == ["old"])
    #expect(try finish(staged).added == 3)
    #expect(try store.nextAlarm() == at(50))
  }
}

@Suite struct `A calendar that a change in parts makes` {
  private let club = CalendarInfo(
    id: CalendarID("club"), name: "Club", color: EventColor(red: 1, green: 2, blue: 3), order: 7)

  private func begin(_ store: EventStore) throws -> StagedChange {
    let staged = try store.stage(in: personal, origin: .import, now: midnight)
    try staged.add(club)
    let one = single("c", at: 60)
    try staged.add([EventSeries(calendar: club.id, master: one.master)])
    return staged
  }

  @Test func `it is there with its events at the end, and goes with them`() throws {
    let store = try StoreFixture().open()
    let before = try store.calendars()
    let staged = try begin(store)
    #expect(try store.calendars() == before)
    let changes = try staged.finish(wrapping: { $0 }) { _ throws(StoreError) in }
    #expect(changes.addedCalendars == [club.id] && changes.added == 1)
    #expect(try store.calendars() == before + [club])
    #expect(try store.series(EventUID("c"), in: club.id) != nil)
    _ = try store.undo(now: midnight)
    #expect(try store.calendars() == before)
    _ = try store.redo(now: midnight)
    #expect(try store.calendars() == before + [club])
    #expect(try store.series(EventUID("c"), in: club.id) != nil)
  }

  @Test func `it is gone where the change is discarded, or nobody came to its end`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let before = try store.calendars()
    let staged = try begin(store)
    while try staged.discard() {}
    #expect(try store.calendars() == before)
    #expect(try store.number("SELECT count(*) FROM calendars") == 1)
    _ = try begin(store)
    store.close()
    let again = try fixture.open()
    #expect(try again.calendars() == before)
    #expect(try again.number("SELECT count(*) FROM calendars") == 1)
    #expect(try again.number("SELECT count(*) FROM meta WHERE name LIKE 'staged%'") == 0)
  }
}
