import CalendarModel
import CivilTime

// Reminders that were dismissed before they were due follow their occurrences.

extension StoreChange {
  /// Keeps reminders that were dismissed ahead dismissed in a series that was split off.
  ///
  ///     dismissed ahead           Mon    Tue    Wed
  ///     "a", which ends           there
  ///     the part, from Tue on            there  there
  func keepTaken(partOf former: EventUID, _ part: EventSeries) throws(StoreError) {
    let taken = try reminders.takenAhead(of: former, in: part.calendar, after: now)
    if taken.isEmpty { return }
    let rest = try rows.series(former, in: part.calendar)
    try keepTaken(
      taken.filter { reminder in
        rest.map { alarmThere(of: reminder, $0) == nil } ?? true
      }, in: part)
  }

  /// Records as dismissed the alarms of a series that match dismissed reminders.
  ///
  /// An alarm matches if it is of the same occurrence at the same instant. A moved one fires again,
  /// and reminders already in the ledger are not changed.
  func keepTaken(_ taken: [Reminder], in series: EventSeries) throws(StoreError) {
    for reminder in taken {
      guard let alarm = alarmThere(of: reminder, series) else { continue }
      var kept = Reminder(alarm)
      kept.state = .acknowledged
      _ = try reminders.insertNew(kept, at: now)
    }
  }
}
