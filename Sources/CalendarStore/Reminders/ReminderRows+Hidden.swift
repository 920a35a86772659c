import CalendarModel
import CivilTime

// What is pending of a calendar that is hidden, and comes back when it is shown.

extension ReminderRows {
  /// Returns those of one calendar that want attention, the soonest first.
  func pending(in calendar: CalendarID) throws(StoreError) -> [Reminder] {
    let row = try database.statement(
      composed: """
        \(ReminderRows.select) WHERE calendar = ?1 AND \(ReminderRows.isPending)
        ORDER BY due, summary, key
        """)
    row.bind(1, calendar.text)
    return try all(row)
  }

  /// Returns those of one calendar that were pending when it was hidden, the soonest first.
  ///
  /// - Complexity: O(the ledger); calendars are seldom shown.
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

  /// Closes those of one calendar that are pending: it has been hidden. A snooze that has ended is among
  /// what was before: only one that goes on is one still where the clock is set back meanwhile. It goes on until
  /// ``Reminder/dueWhenClosed``.
  ///
  /// - Parameter closer: the revision that does so.
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
