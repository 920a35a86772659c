package import CalendarModel
import CivilTime

/// Reminders that became due only because the clock or the zone was wrong:
///
///     all-day, 9:00         Berlin ───── Tokyo ──── Berlin ────────── 9:00
///                           3:00         10:00      3:01              due, as if nothing had been
///                                        due        planned again
///
/// The ledger forgets them: their keys are free again. What somebody has answered stays answered.
package struct EarlyReminders: Sendable {
  /// Those that were pending: snoozed as before, or, in any other state, planned again.
  package var pending: [Reminder] = []
  /// How many were found too old, and are planned again.
  package var missed = 0

  package var isEmpty: Bool { pending.isEmpty && missed == 0 }
}

extension SeriesRows {
  /// Plans again what became due too early: by the clock and the zones of now its time is to come.
  ///
  /// - Parameter span: when it became due, by the clock of then.
  /// - Complexity: a walk over some two days of a series for each reminder that became due in that
  ///   time.
  func takeBack(
    _ early: inout EarlyReminders, becameDueIn span: ClosedRange<Timestamp>, now: Timestamp,
    from ledger: ReminderRows
  ) throws(StoreError) {
    for var reminder in try ledger.becameDue(in: span) {
      if reminder.snoozes > 0 {
        guard reminder.due > now else { continue }
        reminder.state = .snoozed
        reminder.isMissed = false
        try ledger.record(reminder, at: now)
        early.pending.append(reminder)
        continue
      }
      guard let owner = calendars[reminder.key.calendar],
        let row = try find(reminder.key.uid, in: owner.key),
        let instant = currentInstant(of: reminder, try load(row)), instant > now
      else { continue }
      try ledger.remove(reminder.key)
      // As it was before this one became due.
      let trigger = reminder.key.trigger
      try write(
        nextAlarm: min(trigger, row.nextAlarm ?? trigger), isUnplaced: false, of: row.key,
        alarmsThrough: min(trigger.adding(seconds: -1), row.alarmsThrough))
      if reminder.isPending { early.pending.append(reminder) }
      if reminder.state == .closed(.missed) { early.missed += 1 }
    }
  }

  /// Returns the instant that the alarm of a reminder has by the zones of now; nil where the event
  /// has none such.
  private func currentInstant(of reminder: Reminder, _ series: EventSeries) -> Timestamp? {
    let key = reminder.key
    let reach = reminder.wallClockFingerprint == 0 ? 0 : ZoneChangeDeduplicator.furthestSeconds
    // A series that cannot be placed has no alarms, and the plan says so.
    let alarms = try? series.alarms(
      after: key.trigger.adding(seconds: -reach - 1), through: key.trigger.adding(seconds: reach),
      defaults: defaults(of: series), context: context)
    return alarms?.first {
      reminder.wallClockFingerprint == 0
        ? $0.alarm.id == key.alarm && $0.recurrenceID == key.recurrenceID
        : $0.wallClockFingerprint == reminder.wallClockFingerprint
    }?.instant
  }
}

extension ReminderRows {
  private static let becameDue = """
    \(select) WHERE state IN ('due', 'delivered') AND due_at BETWEEN ?1 AND ?2
      AND (snoozes = 0 OR due < due_at)
    UNION ALL \(select) WHERE key > (SELECT max(key) FROM reminders) - 20000
      AND closed_at BETWEEN ?1 AND ?2 AND \(isUntold)
    """

  /// Returns those that became due in a time and have no answer, and those that were closed then
  /// without being delivered: of the last 20,000, since no index leads to these.
  ///
  /// A snooze whose end is the second in which it became due was ended by unlocking the session,
  /// and not by the clock.
  fileprivate func becameDue(in span: ClosedRange<Timestamp>) throws(StoreError) -> [Reminder] {
    let row = try database.statement(composed: ReminderRows.becameDue)
    row.bind(1, span.lowerBound.seconds)
    row.bind(2, span.upperBound.seconds)
    return try all(row)
  }

  /// Forgets a reminder: its key is free again.
  fileprivate func remove(_ key: ReminderKey) throws(StoreError) {
    let row = try database.statement(
      """
      DELETE FROM reminders
      WHERE uid = ?1 AND calendar = ?2 AND recurrence_id = ?3 AND alarm = ?4 AND trigger_at = ?5
      """)
    row.bind(1, key.uid.text)
    row.bind(2, key.calendar.text)
    row.bind(3, key.recurrenceID)
    row.bind(4, key.alarm)
    row.bind(5, key.trigger.seconds)
    try row.run()
  }
}
