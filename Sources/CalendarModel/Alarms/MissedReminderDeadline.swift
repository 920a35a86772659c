package import CivilTime

/// The instant until which a reminder is delivered, or shown again.
package struct MissedReminderDeadline: Hashable, Sendable {
  /// Up to the end of its event, and at least so many seconds after the trigger.
  package var minimumSeconds: Int64
  /// One of an all-day event up to so many seconds after the last day.
  package var allDaySeconds: Int64

  package static let standard = MissedReminderDeadline()

  package init(minimumSeconds: Int64 = 86_400, allDaySeconds: Int64 = 3 * 86_400) {
    self.minimumSeconds = minimumSeconds
    self.allDaySeconds = allDaySeconds
  }

  /// Returns the last instant at which a reminder is still worth telling.
  package func deadline(of reminder: Reminder) -> Timestamp {
    let after = reminder.isAllDay ? allDaySeconds : 0
    return max(
      reminder.span.end.adding(seconds: after), reminder.due.adding(seconds: minimumSeconds))
  }
}
