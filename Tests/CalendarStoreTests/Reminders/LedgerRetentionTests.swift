import CalendarModel
import CivilTime
import Testing

@testable import CalendarStore

private let day: Int64 = 1440

@Suite struct `The ledger after a year` {
  /// Three alarms of minute 30 have rung: "a" was acknowledged, "b" goes with its event, and "c"
  /// still waits.
  private func rung(_ fixture: StoreFixture) throws -> EventStore {
    let store = try fixture.open()
    try store.put(["a", "b", "c"].map { single($0, at: 60, reminders: [30]) })
    var taken = try store.takeDue(through: at(30), limit: 10)
    for index in taken.indices {
      taken[index].state = taken[index].key.uid.text == "a" ? .acknowledged : .delivered
    }
    try store.record(taken, at: at(31))
    try store.remove("b", now: at(32))
    return store
  }

  /// Lets days pass, one after the other, as the agent sees them.
  private func pass(_ days: ClosedRange<Int64>, _ store: EventStore) throws {
    for number in days { try store.passTime(now: at(number * day)) }
    while store.hasGarbage { try store.sweep() }
  }

  private func reminders(_ store: EventStore) throws -> [String] {
    try ["a", "b", "c"].filter {
      try !store.ledgerEntries(
        of: EventUID($0), in: personal, recurrenceID: nil, limit: 9
      ).isEmpty
    }
  }

  @Test func `what is over goes, and what waits stays`() throws {
    let store = try rung(StoreFixture())
    try pass(0...366, store)
    #expect(try reminders(store) == ["a", "b", "c"])
    try pass(367...367, store)
    #expect(try reminders(store) == ["c"])
    #expect(try store.pendingReminders().map(\.key.uid.text) == ["c"])
    // Answered at last, it is kept for a year from then on.
    var last = try #require(try store.pendingReminders().first)
    last.state = .acknowledged
    try store.record([last], at: at(367 * day))
    try pass(368...368, store)
    #expect(try reminders(store) == ["c"])
  }

  @Test func `is gone through in batches`() throws {
    let store = try StoreFixture().open()
    try store.put((0..<50).map { single("e\($0)", at: 60, reminders: [30]) })
    var taken = try store.takeDue(through: at(30), limit: 100)
    for index in taken.indices { taken[index].state = .acknowledged }
    try store.record(taken, at: at(30))
    try pass(0...366, store)
    try store.passTime(now: at(367 * day))
    var left: [Int64] = []
    while store.hasGarbage {
      try store.sweep(20)
      left.append(try store.number("SELECT count(*) FROM reminders"))
    }
    #expect(left == [30, 10, 0, 0])
  }

  @Test func `an alarm whose reminder is gone does not fire again`() throws {
    let fixture = try StoreFixture()
    var store = try rung(fixture)
    _ = try store.undo(now: at(33))
    try pass(0...368, store)
    let now = at(368 * day)
    func due() throws -> [String] {
      try store.takeDue(through: now, limit: 10).map(\.key.uid.text)
    }
    #expect(try due() == [])
    // The same again from a file, and with other words.
    try store.put([single("a", at: 60, reminders: [30])], now: now)
    try store.put([single("a", at: 60, summary: "A", reminders: [30])], now: now)
    #expect(try due() == [])
    _ = try store.undo(now: now)
    #expect(try due() == [])
    try store.remove("a", now: now)
    _ = try store.undo(now: now)
    #expect(try due() == [])
    _ = try store.replanAlarms(after: now, isDataNew: true)
    #expect(try due() == [])
    store.close()
    store = try fixture.open()
    #expect(try due() == [])
  }

  @Test func `an event whose removal is taken back after more than a year rings no more`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 60, reminders: [30])])
    try store.remove("a", now: at(20))
    try pass(0...400, store)
    _ = try store.undo(now: at(400 * day))
    #expect(try store.series(EventUID("a"), in: nil) != nil)
    #expect(try store.takeDue(through: at(400 * day), limit: 10) == [])
  }

  @Test func `a backup of before does not bring its alarms again`() throws {
    let (fixture, backup) = (try StoreFixture(), try StoreFixture())
    let early = try fixture.open()
    let daily = try EventSeries.daily("d", from: 0, count: 1000)
    try early.put([single("a", at: 60, reminders: [30]), daily])
    try early.copy(to: backup.path)
    var former = early
    for number in 0...400 as ClosedRange<Int64> {
      var taken = try former.takeDue(through: at(number * day + 40), limit: 10)
      for index in taken.indices { taken[index].state = .acknowledged }
      try former.record(taken, at: at(number * day + 40))
      try former.passTime(now: at(number * day + 40))
    }
    while former.hasGarbage { try former.sweep() }
    #expect(try former.number("SELECT count(*) FROM reminders WHERE uid = 'a'") == 0)
    let (now, revision) = (at(400 * day + 40), former.revision)
    former.close()
    former = try backup.open()
    try former.succeed(revision: revision, ledgerOf: fixture.path, now: now)
    #expect(try former.takeDue(through: now, limit: 1000) == [])
    #expect(try former.takeDue(through: at(401 * day + 40), limit: 10).count == 1)
  }

  @Test func `a clock that is ahead by years for a while takes nothing away`() throws {
    let store = try rung(StoreFixture())
    try pass(0...1, store)
    try pass(3000...3001, store)
    try pass(2...2, store)
    #expect(try reminders(store) == ["a", "b", "c"])
  }
}
