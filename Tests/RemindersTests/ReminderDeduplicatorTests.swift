import CalendarModel
import CivilTime
import Testing

@testable import Reminders

@Suite struct `Reminders of one moment` {
  private let due = Timestamp(seconds: 1_795_219_200)

  /// A snooze that ends.
  ///
  /// - Parameters:
  ///   - recurrenceID: "" of an absolute alarm.
  ///   - minutes: when its alarm rang, before that.
  private func snoozed(_ recurrenceID: String, _ minutes: Int64) -> Reminder {
    let start = due.adding(seconds: 600)
    return Reminder(
      key: ReminderKey(
        calendar: CalendarID("personal"), uid: EventUID("a"), recurrenceID: recurrenceID,
        alarm: "\(minutes)", trigger: due.adding(seconds: -minutes * 60)),
      summary: "", location: "", joinURL: "", span: TimeSpan(start: start, end: start),
      isAllDay: false, isPrivate: false, state: .snoozed, due: due, snoozes: 1, isMissed: false)
  }

  /// Which of them are told.
  private func told(_ reminders: Reminder...) -> [String] {
    var together = ReminderDeduplicator()
    for reminder in reminders { together.add(reminder, isReturning: true) }
    return reminders.filter(together.tells).map { "\($0.key.recurrenceID) \($0.key.alarm)" }
  }

  @Test func `of an absolute one and one of the occurrence the last is told`() {
    #expect(told(snoozed("", 20), snoozed("20261121", 10)) == ["20261121 10"])
    #expect(told(snoozed("20261121", 20), snoozed("", 10)) == [" 10"])
    #expect(told(snoozed("20261121", 10), snoozed("", 20)) == ["20261121 10"])
  }

  @Test func `each of two occurrences that begin together is told, and the absolute one with one`()
  {
    let (one, other) = (snoozed("20261121", 20), snoozed("20261122", 10))
    #expect(told(one, other) == ["20261121 20", "20261122 10"])
    #expect(told(snoozed("", 5), one, other) == [" 5", "20261122 10"])
    #expect(told(one, snoozed("", 30), other) == ["20261121 20", "20261122 10"])
    #expect(told(one, other, snoozed("", 5)) == ["20261122 10", " 5"])
  }
}
