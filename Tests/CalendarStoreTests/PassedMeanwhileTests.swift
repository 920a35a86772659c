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
}
