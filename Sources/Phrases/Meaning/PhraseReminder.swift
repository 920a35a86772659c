package import CivilTime

/// A reminder at a time of day: "9:00" on the day, "1d 18:00" on the day before.
package struct ReminderTime: Hashable, Sendable {
  /// Days before the start of the event; 0 is the same day.
  package let daysBefore: Int
  package let time: TimeOfDay

  package init(daysBefore: Int, time: TimeOfDay) {
    self.daysBefore = daysBefore
    self.time = time
  }

  /// The text that ``PhraseReader/reminder(_:)`` reads: "09:00", "1d 18:00".
  package var text: String {
    (daysBefore == 0 ? "" : "\(daysBefore)d ") + time.hourAndMinute
  }

  /// Returns the seconds after a time on the day of the event; mostly negative.
  ///
  /// - Parameter start: When the event begins on that day; midnight for an all-day event.
  package func seconds(after start: TimeOfDay) -> Int64 {
    Int64(time.secondOfDay) - Int64(start.secondOfDay) - Int64(daysBefore) * 86_400
  }
}

/// When something reminds of an event.
package enum PhraseReminder: Hashable, Sendable {
  /// A duration after the start; mostly negative: "15m" is -PT15M.
  case fromStart(CalendarDuration)
  /// A duration after the end; mostly negative: "end-5m" is -PT5M.
  case fromEnd(CalendarDuration)
  /// A time of day: "1d 18:00".
  case time(ReminderTime)
  /// No reminder, not even the usual ones of the calendar: "none".
  case none
}
