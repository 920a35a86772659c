package import CalendarModel
package import CivilTime

/// What to do with reminders that were missed: asleep, stopped, or skipped by a
/// change of the clock.
package struct CatchUpPolicy: Hashable, Sendable {
  /// More than so many at once become one notification.
  package var digestAbove: Int
  /// A reminder that is told later than this, in seconds, counts as missed; what
  /// fell due while the agent did not run does so at once.
  package var graceSeconds: Int64
  /// A reminder is told up to the end of its event, and at least so many seconds
  /// after it was due.
  package var minimumSeconds: Int64
  /// One of an all-day event is told up to so many seconds after the last day.
  package var allDaySeconds: Int64

  package init(
    digestAbove: Int = 5, graceSeconds: Int64 = 30,
    minimumSeconds: Int64 = TellingLimit.standard.minimumSeconds,
    allDaySeconds: Int64 = TellingLimit.standard.allDaySeconds
  ) {
    self.digestAbove = digestAbove
    self.graceSeconds = graceSeconds
    self.minimumSeconds = minimumSeconds
    self.allDaySeconds = allDaySeconds
  }

  /// Returns the last instant at which a reminder is still worth telling.
  package func deadline(of reminder: Reminder) -> Timestamp {
    TellingLimit(minimumSeconds: minimumSeconds, allDaySeconds: allDaySeconds)
      .deadline(of: reminder)
  }

  /// Returns whether a reminder has become too old to be told on its own.
  ///
  /// One that somebody has snoozed never does: it was asked for.
  package func isTooOld(_ reminder: Reminder, at now: Timestamp) -> Bool {
    reminder.snoozes == 0 && deadline(of: reminder) < now
  }
}
