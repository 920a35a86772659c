import CalendarModel
import CivilTime

// Pending reminders of hidden calendars, which return when the calendar is shown.

extension ReminderRows {
  /// Returns the pending reminders of a calendar, the soonest first.
  func pending(in calendar: CalendarID) throws(StoreError) -> [Reminder] {
    let row = try database.statement(
      composed: """
        \(ReminderRows.select) WHERE calendar = ?1 AND \(ReminderRows.isPending)
        ORDER BY due, summary, key
        """)
    row.bind(1, calendar.text)
    return try all(row)
  }

  /// Returns the reminders of a calendar that were pending when it was hidden, the soonest first.
  ///
  /// - Complexity: O(size of the ledger); calendars are seldom shown.
  func hidden(in calendar: CalendarID) throws(StoreError) -> [Reminder] {
    let row = try database.statement(
      ReminderRows.select,
      """
      WHERE calendar = ?1 AND state = 'closed' AND close_reason = 'calendar-hidden'
        AND closed_by IS NOT NULL
      ORDER BY due, summary, key
      """)
    row.bind(1, calendar.text)
    return try all(row)
  }

  /// Closes the pending reminders of a calendar that was hidden.
  ///
  /// An ended snooze becomes part of the history, so that only one in progress is a snooze again if
  /// the clock is set back meanwhile. It lasts until ``Reminder/dueWhenClosed``.
  ///
  /// - Parameter closer: the revision that hides the calendar.
  func hide(
    _ calendar: CalendarID, at now: Timestamp, closer: UInt64
  ) throws(StoreError) {
    let row = try database.statement(
      composed: """
        UPDATE reminders
        SET state = 'closed', close_reason = 'calendar-hidden', closed_at = ?2, closed_by = ?3,
          earlier = CASE WHEN state <> 'snoozed' AND snoozed_at IS NOT NULL
            THEN \(LedgerSteps.adding(LedgerSteps.snoozed)) ELSE earlier END,
          snoozed_at = CASE WHEN state = 'snoozed' THEN snoozed_at END,
          due = CASE WHEN state = 'snoozed' THEN due + (due = trigger_at) ELSE trigger_at END
        WHERE calendar = ?1 AND \(ReminderRows.isPending)
        """)
    row.bind(1, calendar.text)
    row.bind(2, now.seconds)
    row.bind(3, Int64(closer))
    try row.run()
  }
}
