package import CalendarModel
import CivilTime

/// Reminders that became due only because the clock or the zone was wrong:
///
///     all-day, 9:00         Berlin ───── Tokyo ──── Berlin ────────── 9:00
///                           3:00         10:00      3:01              due normally
///                                        due        planned again
///
/// They are deleted from the ledger, so that their keys are free. Answered reminders stay answered.
package struct EarlyReminders: Sendable {
  /// Those that were pending: snoozed again, or else planned again.
  package var pending: [Reminder] = []
  /// How many had been too old for delivery, and are planned again.
  package var missed = 0

  package var isEmpty: Bool { pending.isEmpty && missed == 0 }
}

extension SeriesRows {
  /// Plans reminders again that became due before their time in the corrected clock and zones.
  ///
  /// - Parameter span: when they became due, by the wrong clock.
  /// - Complexity: expands about two days of a series for each reminder that became due then.
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
      // Restore the plan from before this reminder was due.
      let trigger = reminder.key.trigger
      try write(
        nextAlarm: min(trigger, row.nextAlarm ?? trigger), isUnplaced: false, of: row.key,
        alarmsThrough: min(trigger.adding(seconds: -1), row.alarmsThrough))
      if reminder.isPending { early.pending.append(reminder) }
      if reminder.state == .closed(.missed) { early.missed += 1 }
    }
  }

  /// Returns the instant of a reminder's alarm in the present zones; nil if the event has none.
  private func currentInstant(of reminder: Reminder, _ series: EventSeries) -> Timestamp? {
    let key = reminder.key
    let reach = reminder.wallClockFingerprint == 0 ? 0 : ZoneChangeDeduplicator.furthestSeconds
    // A series that cannot be placed has no alarms; planning reports it.
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

  /// Returns unanswered reminders that became due in a span, or were closed then without delivery.
  ///
  /// Of the closed ones only the last 20,000 are searched, since they have no index. A snooze whose
  /// end equals the second in which it became due is left out: unlocking the session ended it, not
  /// the clock.
  fileprivate func becameDue(in span: ClosedRange<Timestamp>) throws(StoreError) -> [Reminder] {
    let row = try database.statement(composed: ReminderRows.becameDue)
    row.bind(1, span.lowerBound.seconds)
    row.bind(2, span.upperBound.seconds)
    return try all(row)
  }

  /// Deletes a reminder, so that its key is free again.
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
