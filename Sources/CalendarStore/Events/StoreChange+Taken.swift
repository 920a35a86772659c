import CalendarModel
import CivilTime

// What somebody has dismissed before it rang goes where its occurrence goes: it does not ring there either.

extension StoreChange {
  /// Lets what was dismissed ahead of a series stay so under the name of one that was a part of it.
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

  /// Writes down as dismissed what a series would raise at the instants of reminders that were, of the same
  /// occurrences. One that has moved rings at its new instant, and what the ledger knows already stays as it is.
  func keepTaken(_ taken: [Reminder], in series: EventSeries) throws(StoreError) {
    for reminder in taken {
      guard let alarm = alarmThere(of: reminder, series) else { continue }
      var kept = Reminder(alarm)
      kept.state = .acknowledged
      _ = try reminders.insertNew(kept, at: now)
    }
  }
}
