import CalendarModel
import CivilTime
import Recurrence
import Testing

@testable import CalendarStore

private let work = CalendarID("work")

@Suite struct `Reminders whose event goes and comes` {
  private func prepared(_ reminders: [Int64]) throws -> EventStore {
    let store = try StoreFixture().open()
    try store.put(
      calendar: CalendarInfo(id: work, name: "Work", color: EventColor.palette[1]), now: midnight)
    try store.put([single("a", at: 60, reminders: reminders)])
    return store
  }

  private func move(_ store: EventStore, now: Timestamp) throws -> ChangeSet {
    let series = try #require(try store.series(EventUID("a"), in: personal))
    return try store.change(origin: .local, now: now) { change throws(StoreError) in
      try change.move(series, to: work)
    }.1
  }

  private func pending(_ store: EventStore) throws -> [String] {
    try store.pendingReminders().map { "\($0.key.calendar) \($0.state) \($0.due == at(55))" }
  }

  @Test func `a snooze goes along to another calendar, and back`() throws {
    let store = try prepared([30, 20])
    var taken = try store.takeDue(through: at(40), limit: 10)
    taken[0].state = .delivered
    taken[1].state = .snoozed
    taken[1].due = at(55)
    try store.record(taken, at: at(41))
    let moved = try move(store, now: at(42))
    #expect(moved.closedReminders.count == 2)
    #expect(moved.reopenedReminders.map(\.key.calendar) == [work, work])
    #expect(try pending(store) == ["work delivered false", "work snoozed true"])
    #expect(try store.takeDue(through: at(43), limit: 10).isEmpty)
    // One that is dismissed there stays so.
    var dismissed = try #require(try store.pendingReminders().first)
    dismissed.state = .acknowledged
    try store.record([dismissed], at: at(44))
    _ = try store.undo(now: at(45))
    #expect(try pending(store) == ["personal snoozed true"])
    _ = try store.redo(now: at(46))
    #expect(try pending(store) == ["work snoozed true"])
  }

  /// Dismissed before it was due, taken to another calendar, and put off there until 55.
  private func putOffElsewhere() throws -> EventStore {
    let store = try prepared([30])
    let walk = try #require(try store.plannedWalk(after: at(29), through: at(30), limit: 5))
    while try walk.next() {}
    var reminder = Reminder(try #require(walk.alarms?.first))
    reminder.state = .acknowledged
    try store.record([reminder], at: at(10))
    _ = try move(store, now: at(11))
    #expect(try pending(store) == [])
    var copy = reminder.moved(to: work)
    copy.state = .snoozed
    copy.due = at(55)
    copy.snoozes = 1
    try store.record([copy], at: at(12))
    return store
  }

  @Test func `what was dismissed ahead and put off elsewhere stays so on the way back`() throws {
    let store = try putOffElsewhere()
    let series = try #require(try store.series(EventUID("a"), in: work))
    _ = try store.change(origin: .local, now: at(13)) { change throws(StoreError) in
      try change.move(series, to: personal)
    }
    #expect(try pending(store) == ["personal snoozed true"])
  }

  @Test func `and when the way there is undone`() throws {
    let store = try putOffElsewhere()
    _ = try store.undo(now: at(13))
    #expect(try pending(store) == ["personal snoozed true"])
  }

  @Test func `also where the snooze is over by then`() throws {
    let store = try putOffElsewhere()
    var copy = try #require(try store.pendingReminders().first)
    copy.state = .delivered
    try store.record([copy], at: at(55))
    _ = try store.undo(now: at(56))
    #expect(try pending(store) == ["personal delivered true"])
  }

  @Test func `what another change closed is not opened by one that is taken back`() throws {
    let store = try prepared([30, 20])
    var taken = try store.takeDue(through: at(40), limit: 10)
    for index in taken.indices { taken[index].state = .delivered }
    try store.record(taken, at: at(40))
    // Within one second: first one moves the alarm at 30 away, then a title changes.
    try store.put([single("a", at: 60, reminders: [20])], now: at(40))
    try store.put([single("a", at: 60, summary: "b", reminders: [20])], now: at(40))
    #expect(try store.pendingReminders().count == 1)
    try store.sync("a", with: [30, 20])
    #expect(try store.pendingReminders().count == 1)
  }

  @Test func `one that was due and had not been told is told after all`() throws {
    let store = try prepared([30])
    try store.remove("a", now: at(30).adding(seconds: 5))
    _ = try store.undo(now: at(30).adding(seconds: 6))
    #expect(try store.takeDue(through: at(31), limit: 10).map(\.key.trigger) == [at(30)])
    #expect(try store.takeDue(through: at(31), limit: 10).isEmpty)
  }
}

@Suite struct `Reminders of what is taken out and put back` {
  /// Each day at 60, with a reminder at 30.
  private func daily(without excluded: [Int64] = []) throws -> EventSeries {
    var event = try #require(single("a", at: 60, reminders: [30]).master)
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY")]
    event.recurrence.excluded = excluded.map { .utc(at($0)) }
    return EventSeries(calendar: personal, master: event)
  }

  private func states(_ store: EventStore) throws -> [Reminder.State] {
    try store.ledgerEntries(of: EventUID("a"), in: personal, recurrenceID: nil, limit: 10)
      .map(\.reminder.state)
  }

  private func rung() throws -> (EventStore, Reminder) {
    let store = try StoreFixture().open()
    try store.put([daily()])
    var reminder = try #require(try store.takeDue(through: at(30), limit: 10).first)
    reminder.state = .delivered
    try store.record([reminder], at: at(30))
    return (store, reminder)
  }

  @Test func `an occurrence that comes back brings its reminder along`() throws {
    let (store, reminder) = try rung()
    let gone = try store.put([daily(without: [60])], now: at(35))
    #expect(gone.closedReminders.map(\.state) == [.closed(.eventRemoved)])
    // Another one comes back first, and brings nothing.
    try store.put([daily(without: [60, 60 + 1440])], now: at(36))
    #expect(try store.put([daily(without: [60])], now: at(37)).reopenedReminders.isEmpty)
    let back = try store.put([daily()], now: at(40))
    #expect(back.reopenedReminders == [reminder])
    #expect(try store.pendingReminders() == [reminder])
    _ = try store.undo(now: at(41))
    #expect(try store.pendingReminders().isEmpty)
    _ = try store.redo(now: at(42))
    #expect(try store.pendingReminders() == [reminder])
  }

  @Test func `not one that was dismissed, and not when it is too old`() throws {
    var (store, reminder) = try rung()
    try store.put([daily(without: [60])], now: at(35))
    #expect(try store.put([daily()], now: at(30 + 1441)).reopenedReminders.isEmpty)
    (store, reminder) = try rung()
    reminder.state = .acknowledged
    try store.record([reminder], at: at(31))
    try store.put([daily(without: [60])], now: at(35))
    #expect(try store.put([daily()], now: at(40)).reopenedReminders.isEmpty)
    #expect(try states(store) == [.acknowledged])
  }

  @Test func `what fell due while an occurrence was out is told late, however that comes back`()
    throws
  {
    for isUndone in [false, true] {
      let store = try StoreFixture().open()
      try store.put([daily()])
      try store.put([daily(without: [60])], now: at(20))
      #expect(try store.takeDue(through: at(40), limit: 10).isEmpty)
      let changes = try isUndone ? store.undo(now: at(40)).1 : store.put([daily()], now: at(40))
      #expect(changes.reopenedReminders.map(\.key.trigger) == [at(30)])
      #expect(try states(store) == [.due])
      #expect(try store.takeDue(through: at(41), limit: 10).isEmpty)
    }
  }

  @Test func `what fell due while its event was away is taken when that is back`() throws {
    let store = try StoreFixture().open()
    try store.put([daily()])
    try store.remove("a", now: at(20))
    let removed = try #require(try store.removedEvent(EventUID("a")))
    let now = at(40 + 2 * 1440)
    _ = try store.restore(removed, to: personal, now: now)
    // Of three days: what is too old among them is not for the store to say.
    #expect(
      try store.takeDue(through: now, limit: 10).map(\.key.trigger)
        == (0..<3).map { at(30 + $0 * 1440) })
    #expect(try store.nextAlarm() == at(30 + 3 * 1440))
  }

  @Test func `what somebody has dismissed ahead stays so`() throws {
    let store = try StoreFixture().open()
    try store.put([daily()])
    let walk = try #require(try store.plannedWalk(after: at(29), through: at(30), limit: 5))
    while try walk.next() {}
    var reminder = Reminder(try #require(walk.alarms?.first))
    reminder.state = .acknowledged
    try store.record([reminder], at: at(10))
    try store.remove("a", now: at(20))
    #expect(try store.undo(now: at(40)).1.reopenedReminders.isEmpty)
    #expect(try store.takeDue(through: at(41), limit: 10).isEmpty)
    #expect(try states(store) == [.acknowledged])
  }

  @Test func `what a step puts beside what it changes is told by that, and once`()
    throws
  {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 60, reminders: [30])])
    // As where a part is split off.
    try store.put([single("a", at: 600), single("b", at: 60, reminders: [30])], now: at(10))
    _ = try store.undo(now: at(20))
    #expect(try store.takeDue(through: at(30), limit: 10).map(\.key.uid.text) == ["a"])
    _ = try store.redo(now: at(40))
    #expect(try store.takeDue(through: at(41), limit: 10).isEmpty)
  }
}

extension EventStore {
  fileprivate func sync(_ uid: String, with reminders: [Int64]) throws {
    try change(origin: .sync, now: at(41)) { change throws(StoreError) in
      try change.put(single(uid, at: 60, reminders: reminders))
    }
  }
}
