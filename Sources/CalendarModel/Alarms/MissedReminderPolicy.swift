package import CivilTime

/// How late the missed reminders of a calendar are still delivered: reminders that fell due while the machine
/// slept, the agent was stopped, or the clock was set.
///
/// An event ends where the zones of now have its end, whatever they were when the reminder fell due and an agent died
/// before it told it. So one that goes on by the clock of the person is told, and it makes no difference whether an agent
/// got as far as to write it down:
///
///     two days from 9:00, floating    Berlin     8:00Z to 8:00Z
///     due in Berlin, found at 10:00Z  New York  14:00Z to 14:00Z    goes on: told
///     due in Berlin, found at 4:00Z   Tokyo      0:00Z to 0:00Z     over: missed
package enum MissedReminderPolicy: Hashable, Sendable {
  /// Up to the end of the event and for a day at least, three days of an all-day one; see
  /// ``MissedReminderDeadline/standard``.
  case usual
  /// Up to so long after it was due, whatever the event is; a day is 24 hours.
  case within(CalendarDuration)
  /// However late it is.
  case always

  /// Returns the last instant at which a reminder is still worth telling.
  package func deadline(of reminder: Reminder) -> Timestamp {
    switch self {
    case .usual: MissedReminderDeadline.standard.deadline(of: reminder)
    case .within(let length): reminder.due.adding(seconds: length.approximateSeconds)
    case .always: .latest
    }
  }
}
