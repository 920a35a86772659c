package import CalendarModel
package import CivilTime

/// The policy for missed reminders.
///
/// A reminder is missed when it falls due during sleep, while the agent is stopped, or in a time
/// that a change of the clock skips.
package struct CatchUpPolicy: Hashable, Sendable {
  /// More reminders than this at once become one notification.
  package var digestAbove: Int
  /// A reminder that is delivered later than this, in seconds, counts as missed.
  ///
  /// What fell due while the agent did not run always counts as missed.
  package var graceSeconds: Int64
  /// How long missed reminders of a calendar are still delivered; other calendars use the default.
  package var missedReminderPolicy: [CalendarID: MissedReminderPolicy]

  package init(
    digestAbove: Int = 5, graceSeconds: Int64 = 30, missedReminderPolicy: [CalendarID: MissedReminderPolicy] = [:]
  ) {
    self.digestAbove = digestAbove
    self.graceSeconds = graceSeconds
    self.missedReminderPolicy = missedReminderPolicy
  }

  /// Returns the last instant at which a reminder is still worth delivering.
  package func deadline(of reminder: Reminder) -> Timestamp {
    (missedReminderPolicy[reminder.key.calendar] ?? .usual).deadline(of: reminder)
  }

  /// Returns whether a reminder has become too old to be delivered on its own.
  ///
  /// A snoozed reminder never is, since somebody asked for it, nor is one within the grace period.
  package func isTooOld(_ reminder: Reminder, at now: Timestamp) -> Bool {
    reminder.snoozes == 0
      && max(deadline(of: reminder), reminder.due.adding(seconds: graceSeconds)) < now
  }
}
