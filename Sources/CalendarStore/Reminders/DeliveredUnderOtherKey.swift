import CalendarModel
import CivilTime

// An alarm that goes with a clock has another instant in each zone of the agent's, and by each
// version of the zone data, and so another key in the ledger. It is told once all the same, also
// where the clock of the machine ran days ahead, was set back, and comes to the same alarm by other
// zones:
//
//     by the zones of before   A told, the clock ahead
//     set back, by these             ·            A'  is due, and was delivered
//
// The ledger is asked when an alarm is about to be delivered, by the index on its keys: what lies far
// ahead is not read when the zones change.

extension ReminderRows {
  /// Whether an alarm was taken under another key, which it had while other zones held: its
  /// ``CalendarModel/OccurrenceAlarm/wallClockFingerprint`` is there, at an instant where zones can have put
  /// it.
  ///
  /// What was closed without being told does not count. Where the clock changes between an alarm and its
  /// start, the key may differ in the occurrence's name alone.
  ///
  /// - Parameter wallClockFingerprint: that of the alarm, where it has been worked out already.
  /// - Complexity: steps in an index, as many as the series has occurrences within a day or so.
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

  /// Returns what is acknowledged of an event although its instants are still to come: somebody
  /// dismissed it ahead, or the clock was.
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

  /// Returns what was dismissed of occurrences of series that a step had made and that leave now, and that rang, or
  /// is to ring, after it.
  ///
  /// - Parameter change: when the step was made.
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

  /// What the occurrence may be called by other zones: it has its instant for a name where its
  /// series has a clock of its own, and where it floats what the clock shows then, which in a gap is not what
  /// its rule has:
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
