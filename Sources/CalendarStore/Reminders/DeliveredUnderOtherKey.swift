import CalendarModel
import CivilTime

// An alarm that depends on a zone has another instant, and so another ledger key, in another zone
// or by other zone data. It must still be delivered only once, even if the system clock was days
// ahead, was set back, and reaches the same alarm in other zones:
//
//     in the former zones      A delivered, the clock ahead
//     set back, in these              ·            A'  is due, but was delivered
//
// The ledger is searched by key when an alarm is about to be delivered, so that a change of zones
// need not read alarms far ahead.

extension ReminderRows {
  /// Whether an alarm was delivered under a key that it had in other zones.
  ///
  /// The ledger must have its ``CalendarModel/OccurrenceAlarm/wallClockFingerprint`` at an instant
  /// where other zones can have put it. Reminders that were closed without delivery do not count.
  /// If the clock changes between an alarm and its start, only the occurrence's name in the key may
  /// differ.
  ///
  /// - Parameter wallClockFingerprint: that of the alarm, if known.
  /// - Complexity: as many steps in an index as the series has occurrences within about a day.
  func knowsElsewhere(
    _ alarm: OccurrenceAlarm, wallClockFingerprint: Int64? = nil
  ) throws(StoreError) -> Bool {
    let name = wallClockFingerprint ?? alarm.wallClockFingerprint
    guard name != 0 else { return false }
    let key = ReminderKey(alarm)
    let row = try database.statement(composed: ReminderRows.elsewhere)
    row.bind(1, key.uid.text)
    row.bind(2, key.calendar.text)
    let near = ReminderRows.recurrenceIDs(near: alarm)
    row.bind(3, near.lowerBound)
    row.bind(4, near.upperBound)
    row.bind(5, key.alarm)
    row.bind(6, key.trigger.adding(seconds: -ZoneChangeDeduplicator.furthestSeconds).seconds)
    row.bind(7, key.trigger.adding(seconds: ZoneChangeDeduplicator.furthestSeconds).seconds)
    row.bind(8, key.trigger.seconds)
    row.bind(9, name)
    row.bind(10, key.recurrenceID)
    defer { row.reset() }
    return try row.step()
  }

  private static let elsewhere = """
    SELECT 1 FROM reminders
    WHERE uid = ?1 AND calendar = ?2 AND recurrence_id BETWEEN ?3 AND ?4 AND alarm = ?5
      AND trigger_at BETWEEN ?6 AND ?7 AND (trigger_at <> ?8 OR recurrence_id <> ?10)
      AND clock_name = ?9 AND NOT \(isUntold)
    """

  /// Returns reminders of an event that were acknowledged before their instants.
  ///
  /// They were dismissed ahead, or the system clock was ahead.
  func takenAhead(
    of uid: EventUID, in calendar: CalendarID, after now: Timestamp
  ) throws(StoreError) -> [Reminder] {
    let row = try database.statement(
      ReminderRows.select,
      """
      WHERE uid = ?1 AND calendar = ?2 AND trigger_at > ?3 AND state = 'acknowledged' ORDER BY key
      """)
    row.bind(1, uid.text)
    row.bind(2, calendar.text)
    row.bind(3, now.seconds)
    return try all(row)
  }

  /// Returns dismissed reminders of occurrences in series that an undo or redo removes.
  ///
  /// - Parameter change: when the step was made; earlier reminders are left out.
  func dismissed(
    in leaving: BulkDeletion, since change: Timestamp
  ) throws(StoreError) -> [Reminder] {
    let row = try leaving.database.statement(
      ReminderRows.select,
      """
      WHERE (uid, calendar) IN (SELECT uid, calendar FROM temp.leaving)
        AND trigger_at > ?1 AND state = 'acknowledged' AND recurrence_id <> ''
      ORDER BY key
      """)
    row.bind(1, change.seconds)
    return try all(row)
  }

  /// Returns the range of names that the occurrence may have in other zones.
  ///
  /// In a series with its own zone, that is its instant; in a floating one, what the clock shows,
  /// which in a gap differs from the rule:
  ///
  ///     2:30 in Berlin       20270314T023000
  ///     2:30 in New York     20270314T033000
  private static func recurrenceIDs(near alarm: OccurrenceAlarm) -> ClosedRange<String> {
    let furthest = ZoneChangeDeduplicator.furthestSeconds
    guard !alarm.recurrenceID.isEmpty, let id = alarm.occurrence.recurrenceID else {
      return alarm.recurrenceID...alarm.recurrenceID
    }
    switch id {
    case .date: return id.text...id.text
    case .local(let reading):
      let first = reading.adding(seconds: -furthest) ?? reading
      return first.basicText...(reading.adding(seconds: furthest) ?? reading).basicText
    case .instant(let instant):
      return instant.adding(seconds: -furthest)
        .basicText...instant.adding(seconds: furthest).basicText
    }
  }
}
