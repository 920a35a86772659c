import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `Alarms that have passed` {
  private let context = ZoneContext(
    zones: FixedZones.shared, local: FixedZones.shared["Europe/Berlin"])

  /// So many occurrences of a series, one every ten minutes, each with two alarms.
  private func series(_ count: Int, from start: Int64) throws -> EventSeries {
    var event = single("a", at: start, lasting: 5, reminders: [30, 20]).components[0]
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=MINUTELY;INTERVAL=10;COUNT=\(count)")]
    return EventSeries(calendar: personal, master: event)
  }

  private func alarms(_ series: EventSeries) throws -> [OccurrenceAlarm] {
    try series.alarms(after: .earliest, through: .latest, context: context)
  }

  /// Counts what is asked.
  private final class Questions {
    var asked = 0
    var told = 0
  }

  @Test func `of thousands each is asked for once, and given once`() throws {
    let count = 3000
    let reminders = try alarms(series(count, from: 60)).map { Reminder($0) }
    let questions = Questions()
    var passed = ElapsedAlarms(try alarms(series(count, from: 63))) { _ in
      questions.asked += 1
      return true
    }
    var given: Set<ReminderKey> = []
    for reminder in reminders {
      let alarm = try #require(
        try passed.take(for: reminder, isNamedSo: false) { (_) throws(StoreError) in
          questions.told += 1
          return false
        })
      #expect(alarm.alarm.id == reminder.key.alarm)
      #expect(alarm.instant == reminder.key.trigger.adding(seconds: 180))
      given.insert(ReminderKey(alarm))
    }
    #expect(given.count == 2 * count)
    #expect(questions.asked == 2 * count)
    #expect(questions.told == 2 * count)
  }

  @Test func `one that was told of is passed over, and is asked for once`() throws {
    let count = 3000
    let questions = Questions()
    var passed = ElapsedAlarms(try alarms(series(count, from: 63))) { _ in true }
    for reminder in try alarms(series(count, from: 60)).map({ Reminder($0) }) {
      let alarm = try passed.take(for: reminder, isNamedSo: false) { (_) throws(StoreError) in
        questions.told += 1
        return true
      }
      #expect(alarm == nil)
    }
    #expect(questions.told == 2 * count)
  }

  @Test func `a series whose names stay is not asked for them`() throws {
    let moved = try series(10, from: 60)
    let reminders = try alarms(moved).map { Reminder($0) }
    let questions = Questions()
    var passed = ElapsedAlarms(try alarms(moved)) { _ in
      questions.asked += 1
      return true
    }
    for reminder in reminders {
      let alarm = try passed.take(for: reminder, isNamedSo: true) { (_) throws(StoreError) in false
      }
      #expect(alarm.map(ReminderKey.init) == reminder.key)
    }
    #expect(questions.asked == 0)
  }

  @Test func `thousands that wait go along when their series moves`() throws {
    let store = try StoreFixture().open()
    let count = 3000
    var event = try series(count, from: 60).components[0]
    // All of them ring before the first occurrence begins.
    event.alarms = [Alarm(id: "1", trigger: .fromStart(CalendarDuration(seconds: -2_000_000)))]
    try store.put([EventSeries(calendar: personal, master: event)], now: at(-40_000))
    var taken = try store.takeDue(through: at(0), limit: 10_000)
    #expect(taken.count == count)
    for index in taken.indices { taken[index].state = .delivered }
    try store.record(taken, at: at(0))
    event.start = .utc(at(61))
    event.end = .time(.utc(at(66)))
    let changes = try store.put([EventSeries(calendar: personal, master: event)], now: at(1))
    #expect(changes.reopenedReminders.count == count)
    let pending = try store.pendingReminders()
    #expect(pending.count == count)
    #expect(pending.allSatisfy { ($0.span.start.seconds - midnight.seconds) % 600 == 60 })
  }
}
