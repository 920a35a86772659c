package import CivilTime

/// How late the missed reminders of a calendar are still delivered.
///
/// Reminders are missed when they fall due while the machine sleeps, the agent is stopped or the
/// clock is set.
///
/// The end of a floating event is taken in the agent's current zone, not in the one where its
/// reminder fell due:
///
///     two days from 9:00, floating    Berlin     8:00Z to 8:00Z
///     due in Berlin, found at 10:00Z  New York  14:00Z to 14:00Z    still on: delivered
///     due in Berlin, found at 4:00Z   Tokyo      0:00Z to 0:00Z     over: missed
package enum MissedReminderPolicy: Hashable, Sendable {
  /// Until the event ends, for an all-day event 3 days longer; at least for a day after it was due.
  case usual
  /// For this long after it was due, whatever the event; a day is 24 hours.
  case within(CalendarDuration)
  /// Always, however late.
  case always

  /// Returns the last instant at which a reminder is still delivered.
  package func deadline(of reminder: Reminder) -> Timestamp {
    switch self {
    case .usual:
      max(
        reminder.span.end.adding(seconds: reminder.isAllDay ? 3 * 86_400 : 0),
        reminder.due.adding(seconds: 86_400))
    case .within(let length): reminder.due.adding(seconds: length.approximateSeconds)
    case .always: .latest
    }
  }
}
