package import CivilTime

/// Up to when the reminders of a calendar are told that were missed: while the machine slept, the
/// agent was stopped, or the clock was set.
package enum LateTelling: Hashable, Sendable {
  /// Up to the end of the event and for a day at least, three days of an all-day one; see
  /// ``TellingLimit/standard``.
  case usual
  /// Up to so long after it was due, whatever the event is; a day is 24 hours.
  case within(CalendarDuration)
  /// However late it is.
  case always

  /// Returns the last instant at which a reminder is still worth telling.
  package func deadline(of reminder: Reminder) -> Timestamp {
    switch self {
    case .usual: TellingLimit.standard.deadline(of: reminder)
    case .within(let length): reminder.due.adding(seconds: length.approximateSeconds)
    case .always: .latest
    }
  }
}
