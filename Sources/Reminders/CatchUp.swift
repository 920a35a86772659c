package import CalendarModel
package import CivilTime

/// The plan for missed reminders, which fell due during sleep, while the agent was
/// stopped, or in a time that a change of the clock skipped.
package struct CatchUpPolicy: Hashable, Sendable {
  /// More than so many at once become one notification.
  package var digestAbove: Int
  /// A reminder that is told later than this, in seconds, counts as missed; what
  /// fell due while the agent did not run does so at once.
  package var graceSeconds: Int64
  /// Up to when those of a calendar are told; of one that is not here as usual.
  package var missedReminderPolicy: [CalendarID: MissedReminderPolicy]

  package init(
    digestAbove: Int = 5, graceSeconds: Int64 = 30, missedReminderPolicy: [CalendarID: MissedReminderPolicy] = [:]
  ) {
    self.digestAbove = digestAbove
    self.graceSeconds = graceSeconds
    self.missedReminderPolicy = missedReminderPolicy
  }

  /// Returns the last instant at which a reminder is still worth telling.
  package func deadline(of reminder: Reminder) -> Timestamp {
    (missedReminderPolicy[reminder.key.calendar] ?? .usual).deadline(of: reminder)
  }

  /// Returns whether a reminder has become too old to be delivered on its own.
  ///
  /// One that somebody has snoozed never does: it was asked for. Nor does one within the grace.
  package func isTooOld(_ reminder: Reminder, at now: Timestamp) -> Bool {
    reminder.snoozes == 0
      && max(deadline(of: reminder), reminder.due.adding(seconds: graceSeconds)) < now
  }
}
