import CalendarModel
import CivilTime
import Recurrence
import Testing

@testable import CalendarStore

@Suite struct `What fell due while a part was away` {
  /// Each day at 60, with a reminder at 30.
  private func daily(
    _ rule: String = "FREQ=DAILY", without excluded: [Int64] = []
  ) throws -> EventSeries {
    var event = try #require(single("a", at: 60, reminders: [30]).master)
    event.recurrence.rules = [try RecurrenceRule(text: rule)]
    event.recurrence.excluded = excluded.map { .utc(at($0)) }
    return EventSeries(calendar: personal, master: event)
  }

  private func told(_ changes: ChangeSet) -> [Timestamp] {
    changes.reopenedReminders.map(\.key.trigger)
  }

  @Test func `undo tells it of this and the following, which had been removed`() throws {
    let store = try StoreFixture().open()
    try store.put([daily()])
    _ = try store.takeDue(through: at(40), limit: 10)
    // The second day and all after it.
    try store.put([daily("FREQ=DAILY;COUNT=1")], now: at(1440))
    #expect(try store.nextAlarm() == nil)
    let (_, changes) = try store.undo(now: at(1440 + 40))
    #expect(told(changes) == [at(1440 + 30)])
    #expect(try store.nextAlarm() == at(2 * 1440 + 30))
  }

  @Test func `an edit of the rule tells nothing that is past`() throws {
    let store = try StoreFixture().open()
    try store.put([daily("FREQ=DAILY;COUNT=1")])
    _ = try store.takeDue(through: at(40), limit: 10)
    #expect(told(try store.put([daily()], now: at(1440 + 40))) == [])
  }

  @Test func `what was past before an occurrence went is not told when it comes back`() throws {
    for isUndone in [false, true] {
      let store = try StoreFixture().open()
      // Its first reminder had passed already.
      try store.put([daily()], now: at(40))
      try store.put([daily(without: [60])], now: at(45))
      let changes = try isUndone ? store.undo(now: at(50)).1 : store.put([daily()], now: at(50))
      #expect(told(changes) == [])
    }
  }

  @Test func `an import that is undone and done again tells what it had added`() throws {
    let store = try StoreFixture().open()
    try store.put([single("b", at: 600)])
    _ = try store.change(origin: .import, now: at(10)) { change throws(StoreError) in
      try change.put(single("a", at: 60, reminders: [30]))
      try change.put(single("b", at: 600, summary: "other"))
    }
    _ = try store.undo(now: at(20))
    _ = try store.redo(now: at(40))
    #expect(try store.takeDue(through: at(40), limit: 10).map(\.key.trigger) == [at(30)])
  }

  @Test func `undo tells it of dates that were added one by one, and had been removed`() throws {
    let store = try StoreFixture().open()
    var event = try #require(single("a", at: 60, reminders: [30]).master)
    event.recurrence.added = [AddedDate(start: .utc(at(1440 + 60)))]
    try store.put([EventSeries(calendar: personal, master: event)])
    var first = try #require(try store.takeDue(through: at(40), limit: 10).first)
    first.state = .acknowledged
    try store.record([first], at: at(41))
    event.recurrence.added = []
    try store.put([EventSeries(calendar: personal, master: event)], now: at(1440))
    #expect(told(try store.undo(now: at(1440 + 40)).1) == [at(1440 + 30)])
  }

  @Test func `undo of an edit after which it happened once tells the others alone`() throws {
    let store = try StoreFixture().open()
    try store.put([daily()])
    try store.put([single("a", at: 60, reminders: [30])], now: at(10))
    #expect(try store.takeDue(through: at(40), limit: 10).count == 1)
    #expect(told(try store.undo(now: at(1440 + 40)).1) == [at(1440 + 30)])
  }

  @Test func `an edit that adds a date tells nothing of it that is past`() throws {
    let store = try StoreFixture().open()
    var event = try #require(single("a", at: 60, reminders: [30]).master)
    try store.put([EventSeries(calendar: personal, master: event)])
    _ = try store.takeDue(through: at(40), limit: 10)
    event.recurrence.added = [AddedDate(start: .utc(at(120)))]
    let changes = try store.put([EventSeries(calendar: personal, master: event)], now: at(100))
    #expect(told(changes) == [])
  }

  @Test(arguments: [1, EventStore.leastTurnedInParts])
  func `what is brought back once more by redo, also in parts, is told`(count: Int) throws {
    let store = try StoreFixture().open()
    func version(_ excluded: [Int64]) throws -> [EventSeries] {
      try (0..<count).map { number in
        var event = try #require(daily(without: excluded).master)
        event.uid = EventUID("a\(number)")
        return EventSeries(calendar: personal, master: event)
      }
    }
    func turn(redo: Bool, now: Timestamp) throws -> ChangeSet {
      guard let turned = try store.turnInParts(redo: redo, now: now) else {
        return try redo ? store.redo(now: now).1 : store.undo(now: now).1
      }
      while try turned.check() {}
      var reopened: [Reminder] = []
      while let part = try turned.turn(limit: 70) { reopened += part.reopenedReminders }
      var changes = try turned.finish(uids: 10).1
      changes.reopenedReminders += reopened
      return changes
    }
    try store.put(version([60]), now: midnight)
    try store.put(version([]), now: at(10))
    #expect(told(try turn(redo: false, now: at(20))) == [])
    #expect(told(try turn(redo: true, now: at(40))).count == count)
    // Taken back and done again once more it is not told again.
    _ = try turn(redo: false, now: at(41))
    #expect(told(try turn(redo: true, now: at(42))).count == count)
    #expect(try store.number("SELECT count(*) FROM reminders") == Int64(count))
  }

  @Test func `undo of an import that had moved an event tells nothing that was told there`() throws
  {
    let store = try StoreFixture().open()
    let work = CalendarID("work")
    try store.put(
      calendar: CalendarInfo(id: work, name: "Work", color: EventColor.palette[1]), now: midnight)
    try store.put([single("a", at: 60, reminders: [30])])
    let series = try #require(try store.series(EventUID("a"), in: personal))
    _ = try store.change(origin: .import, now: at(10)) { change throws(StoreError) in
      try change.move(series, to: work)
    }
    var reminder = try #require(try store.takeDue(through: at(30), limit: 10).first)
    #expect(reminder.key.calendar == work)
    reminder.state = .acknowledged
    try store.record([reminder], at: at(31))
    _ = try store.undo(now: at(35))
    #expect(try store.takeDue(through: at(36), limit: 10).isEmpty)
    #expect(try store.pendingReminders().isEmpty)
  }

  @Test(arguments: [Reminder.State.delivered, .snoozed], [false, true])
  func `what waited comes back where a restore is undone, and then the removal`(
    state: Reminder.State, byRestore: Bool
  ) throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 60, reminders: [30])])
    var reminder = try #require(try store.takeDue(through: at(30), limit: 10).first)
    reminder.state = state
    if state == .snoozed { reminder.due = at(55) }
    try store.record([reminder], at: at(31))
    try store.remove("a", now: at(32))
    func restore(_ minute: Int64) throws {
      let event = try #require(try store.removedEvent(EventUID("a")))
      _ = try store.restore(event, to: event.calendar, now: at(minute))
    }
    try restore(33)
    #expect(try store.pendingReminders() == [reminder])
    _ = try store.undo(now: at(34))
    #expect(try store.pendingReminders().isEmpty)
    if byRestore { try restore(35) } else { _ = try store.undo(now: at(35)) }
    #expect(try store.pendingReminders() == [reminder])
    // An answer meanwhile stays one.
    reminder.state = .acknowledged
    try store.record([reminder], at: at(36))
    try store.remove("a", now: at(37))
    _ = try store.undo(now: at(38))
    #expect(try store.pendingReminders().isEmpty)
  }
}
