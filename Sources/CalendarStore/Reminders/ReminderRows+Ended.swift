import CalendarModel
import CivilTime

// Reminders of one event that something has ended, and may reopen.

extension ReminderRows {
  /// Returns the reminders of an event that a change closed.
  ///
  /// These are closed because the event was removed, moved, cancelled, declined or completed, or
  /// because it was removed while its calendar was hidden.
  ///
  /// - Parameters:
  ///   - revision: the revision of the change.
  ///   - isGone: whether to include those that a later change closed by removing the event.
  func closed(
    of uid: EventUID, in calendar: CalendarID, by revision: UInt64, orSince isGone: Bool
  ) throws(StoreError) -> [Reminder] {
    let row = try database.statement(
      ReminderRows.select,
      """
      WHERE uid = ?1 AND calendar = ?2 AND state = 'closed'
        AND (closed_by = ?3
          AND close_reason IN ('event-removed', 'event-moved', 'declined', 'cancelled', 'completed',
            'calendar-hidden')
          OR ?4 AND closed_by > ?3 AND close_reason IN ('event-removed', 'calendar-hidden'))
      ORDER BY key
      """)
    row.bind(1, uid.text)
    row.bind(2, calendar.text)
    row.bind(3, Int64(revision))
    row.bind(4, isGone)
    return try all(row)
  }

  /// Returns the reminders of an event that changes closed for a reason.
  private func closed(
    of uid: EventUID, in calendar: CalendarID, as reason: String
  ) throws(StoreError) -> [Reminder] {
    let row = try database.statement(
      ReminderRows.select,
      """
      WHERE uid = ?1 AND calendar = ?2 AND state = 'closed' AND closed_by IS NOT NULL
        AND close_reason = ?3
      ORDER BY key
      """)
    row.bind(3, reason)
    return try ended(of: uid, in: calendar, row)
  }

  /// Returns the reminders of an event that were pending when it or their occurrence was removed.
  func removed(of uid: EventUID, in calendar: CalendarID) throws(StoreError) -> [Reminder] {
    try closed(of: uid, in: calendar, as: "event-removed")
  }

  /// Returns reminders of an event that were pending when it moved, or lost their alarms.
  ///
  /// Those whose occurrence has fired since under another key, and was dismissed there, are left
  /// out.
  ///
  /// - Parameter seconds: how far the occurrences were from their present time.
  func movedAway(
    of uid: EventUID, in calendar: CalendarID, by seconds: Int64
  ) throws(StoreError) -> [Reminder] {
    let row = try database.statement(composed: ReminderRows.movedAway)
    row.bind(3, seconds)
    return try ended(of: uid, in: calendar, row)
  }

  private static let movedAway = """
    \(select) WHERE uid = ?1 AND calendar = ?2 AND \(isMovedAway)
      AND NOT EXISTS (
        SELECT 1 FROM reminders AS other
        WHERE other.uid = ?1 AND other.calendar = ?2 AND other.alarm = reminders.alarm
          AND other.state = 'acknowledged' AND other.acknowledged_at >= reminders.closed_at
          AND (other.recurrence_id = reminders.recurrence_id
            OR other.span_start = reminders.span_start + ?3))
    ORDER BY key
    """

  /// Returns the reminders of an event that a change ended as answered in another program.
  ///
  /// - Parameter revision: the revision of the change.
  func answered(
    of uid: EventUID, in calendar: CalendarID, by revision: UInt64
  ) throws(StoreError) -> [Reminder] {
    let row = try database.statement(
      ReminderRows.select,
      """
      WHERE uid = ?1 AND calendar = ?2 AND state = 'acknowledged' AND closed_by = ?3
      ORDER BY key
      """)
    row.bind(1, uid.text)
    row.bind(2, calendar.text)
    row.bind(3, Int64(revision))
    return try all(row)
  }

  /// Returns the reminders of an event that were pending when something silenced it.
  ///
  /// It was declined, cancelled or completed, or its calendar was hidden.
  func silenced(of uid: EventUID, in calendar: CalendarID) throws(StoreError) -> [Reminder] {
    try ended(of: uid, in: calendar, database.statement(composed: ReminderRows.silenced))
  }

  private static let silenced =
    "\(select) WHERE uid = ?1 AND calendar = ?2 AND \(isSilenced) ORDER BY key"

  /// Whether an event has reminders that are pending, silenced or closed because it moved.
  func isAnyWaiting(of uid: EventUID, in calendar: CalendarID) throws(StoreError) -> Bool {
    let row = try database.statement(composed: ReminderRows.waiting)
    row.bind(1, uid.text)
    row.bind(2, calendar.text)
    defer { row.reset() }
    return try row.step()
  }

  private static let waiting = """
    SELECT 1 FROM reminders
    WHERE uid = ?1 AND calendar = ?2
      AND (\(isPending) OR \(isSilenced) OR \(isMovedAway))
    LIMIT 1
    """

  /// Returns the reminders of an event that were pending when its calendar was hidden.
  func hidden(of uid: EventUID, in calendar: CalendarID) throws(StoreError) -> [Reminder] {
    try closed(of: uid, in: calendar, as: "calendar-hidden")
  }

  /// Returns the reminders that a change moved to series which it added, and which are removed now.
  ///
  /// They had fired under another key. Dismissed and silenced ones are included.
  ///
  /// - Parameter change: when the change was made; reminders with their own key fired later.
  func brought(
    to leaving: BulkDeletion, at change: Timestamp
  ) throws(StoreError) -> [Reminder] {
    let row = try leaving.database.statement(
      composed: """
        \(ReminderRows.select) WHERE (uid, calendar) IN (SELECT uid, calendar FROM temp.leaving)
          AND trigger_at <= ?1 AND (due_at IS NULL OR due_at > ?1)
          AND (state <> 'closed' OR \(ReminderRows.isSilenced))
        ORDER BY key
        """)
    row.bind(1, change.seconds)
    return try all(row)
  }

  /// Returns reminders of an event that a change might move to a split-off series.
  ///
  /// They fired before the change, and are pending or were dismissed since.
  ///
  /// - Parameter change: when the change was made.
  func answered(
    of uid: EventUID, in calendar: CalendarID, since change: Timestamp
  ) throws(StoreError) -> [Reminder] {
    let row = try database.statement(
      composed: """
        \(ReminderRows.select) WHERE uid = ?1 AND calendar = ?2 AND trigger_at <= ?3
          AND (\(ReminderRows.isPending) OR state = 'acknowledged' AND acknowledged_at >= ?3)
        ORDER BY key
        """)
    row.bind(3, change.seconds)
    return try ended(of: uid, in: calendar, row)
  }

  private func ended(
    of uid: EventUID, in calendar: CalendarID, _ row: Statement
  ) throws(StoreError) -> [Reminder] {
    row.bind(1, uid.text)
    row.bind(2, calendar.text)
    return try all(row)
  }
}
