package import CivilTime

/// How long a reminder is still worth delivering or showing again.
package struct MissedReminderDeadline: Hashable, Sendable {
  /// Seconds after the trigger; a reminder lasts this long even if its event ends earlier.
  package var minimumSeconds: Int64
  /// Seconds after the last day of an all-day event.
  package var allDaySeconds: Int64

  package static let standard = MissedReminderDeadline()

  package init(minimumSeconds: Int64 = 86_400, allDaySeconds: Int64 = 3 * 86_400) {
    self.minimumSeconds = minimumSeconds
    self.allDaySeconds = allDaySeconds
  }

  /// Returns the last instant at which a reminder is still delivered.
  package func deadline(of reminder: Reminder) -> Timestamp {
    let after = reminder.isAllDay ? allDaySeconds : 0
    return max(
      reminder.span.end.adding(seconds: after), reminder.due.adding(seconds: minimumSeconds))
  }
}
