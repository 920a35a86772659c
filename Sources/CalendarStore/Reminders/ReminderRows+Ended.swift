import CalendarModel
import CivilTime

// The reminders of one event that something has ended, and may open again.

extension ReminderRows {
  /// Returns those of one event that were pending, and then closed because a change
  /// removed, moved or cancelled the event, declined it, or completed the to-do; and those that its hidden
  /// calendar kept closed when it was removed.
  ///
  /// - Parameters:
  ///   - revision: of the change.
  ///   - isGone: whether those as well that a later change closed with the event.
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

  /// Returns those of one event that a change has closed for a reason.
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

  /// Returns those of one event that were pending when it, or their occurrence, was removed.
  func removed(of uid: EventUID, in calendar: CalendarID) throws(StoreError) -> [Reminder] {
    try closed(of: uid, in: calendar, as: "event-removed")
  }

  /// Returns those of one event that were pending when it was moved away from them, or lost their alarms, but for
  /// those whose occurrence has rung elsewhere since, and was answered there.
  ///
  /// - Parameter seconds: how far each occurrence has been from where it is.
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

  /// Returns those of one event that a change has ended, since it says that they were answered in another
  /// program.
  ///
  /// - Parameter revision: of the change.
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

  /// Returns those of one event that were pending when it was declined, cancelled or
  /// completed, or its calendar was hidden.
  func silenced(of uid: EventUID, in calendar: CalendarID) throws(StoreError) -> [Reminder] {
    try ended(of: uid, in: calendar, database.statement(composed: ReminderRows.silenced))
  }

  private static let silenced =
    "\(select) WHERE uid = ?1 AND calendar = ?2 AND \(isSilenced) ORDER BY key"

  /// Whether one of an event is ``pending(of:in:)``, ``silenced(of:in:)`` or ``movedAway(of:in:)``.
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

  /// Returns those of one event that were pending when its calendar was hidden.
  func hidden(of uid: EventUID, in calendar: CalendarID) throws(StoreError) -> [Reminder] {
    try closed(of: uid, in: calendar, as: "calendar-hidden")
  }

  /// Returns what a change brought to series that it made, and that leave now: what had rung under the
  /// name of another one. Those that were dismissed or are silenced are among them.
  ///
  /// - Parameter change: when that was. What rang under its own name rang later.
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

  /// Returns those of one event that a change would split off: what had rung before it, and waits or
  /// was dismissed since.
  ///
  /// - Parameter change: when that was.
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
