import CalendarModel
import CivilTime

// Taking due alarms: the index of `series.next_alarm` is the queue.

extension SeriesRows {
  /// Writes due alarms into the ledger; see ``EventStore/takeDue(through:limit:)``.
  ///
  /// Each series is expanded once for many alarms, and planned once after them. A year of missed
  /// alarms thus comes in order, without being held in memory or searched for one by one.
  func takeDue(
    through now: Timestamp, limit: Int, into ledger: ReminderRows
  ) throws(StoreError) -> [Reminder] {
    let context = context
    var taken: [Reminder] = []
    while taken.count < limit {
      let due = try dueAlarms(through: now, limit: limit - taken.count, context: context)
      if due.series.isEmpty { break }
      // A series whose alarms were cut off stays in place; one without alarms is planned on.
      var dealtWith = due.series.map { one in
        one.firstAlarm > due.end ? one.firstAlarm.adding(seconds: -1) : one.firstAlarm
      }
      for (index, pending) in due.alarms.enumerated() {
        if taken.count == limit {
          // The rest of this instant is left for the next call, which skips what is in the ledger.
          for rest in due.alarms[index...].reversed() {
            dealtWith[rest.series] = rest.alarm.instant.adding(seconds: -1)
          }
          break
        }
        var reminder = Reminder(pending.alarm)
        let silence = silence(of: pending.alarm)
        // Silenced reminders go into the ledger too, with the reason. They count, so that thousands
        // of a hidden calendar are not written at once.
        if let silence { reminder.state = .closed(silence) }
        if try !ledger.isOwnSnooze(pending.alarm),
          try !ledger.knowsElsewhere(pending.alarm, wallClockFingerprint: reminder.wallClockFingerprint),
          try !isToldInItsSecond(pending.alarm, of: due.series[pending.series].row, ledger),
          try ledger.insertNew(reminder, at: now)
        {
          taken.append(reminder)
        }
        dealtWith[pending.series] = pending.alarm.instant
      }
      for (one, instant) in zip(due.series, dealtWith) {
        try planOn(one, after: instant, context: context)
      }
    }
    taken.sort { left, right in
      // The id must be computed, so it is compared last.
      if left.key.trigger != right.key.trigger { return left.key.trigger < right.key.trigger }
      if left.summary != right.summary { return left.summary < right.summary }
      return left.id < right.id
    }
    return taken
  }

  /// Whether an alarm was delivered in this very second under another key.
  ///
  /// A change in that second plans its alarms again, and may have replaced the event's alarms with
  /// default ones.
  private func isToldInItsSecond(
    _ alarm: OccurrenceAlarm, of row: Row, _ ledger: ReminderRows
  ) throws(StoreError) -> Bool {
    // Only a change plans a series like this; see ``Row/alarmsPast(_:)``.
    guard alarm.instant == row.alarmsThrough.adding(seconds: 1) else { return false }
    return try ledger.hasAnother(than: ReminderKey(alarm), for: alarm, leaving: [])
  }

  /// The earliest due alarms of all series.
  private struct DueAlarms {
    /// Sorted by instant.
    var alarms: [(series: Int, alarm: OccurrenceAlarm)] = []
    var series: [DueSeries] = []
    /// All alarms are at or before this.
    var end: Timestamp
  }

  private struct DueSeries {
    let row: Row
    let series: EventSeries
    let firstAlarm: Timestamp
    /// Why its alarms cannot be computed.
    var failure: CivilTimeError?
  }

  /// Returns about `limit` of the earliest due alarms, and all others at the last one's instant.
  private func dueAlarms(
    through now: Timestamp, limit: Int, context: ZoneContext
  ) throws(StoreError) -> DueAlarms {
    let rows = try dueRows(through: now, limit: limit)
    // Rows that were not read may have alarms right after the last row's.
    let last = rows.count == limit ? rows.last?.nextAlarm : nil
    var due = DueAlarms(end: min(now, last ?? now))
    for row in rows {
      guard let first = row.nextAlarm, first <= due.end else { break }
      let series = try load(row)
      var one = DueSeries(row: row, series: series, firstAlarm: first)
      do throws(CivilTimeError) {
        let batch = try series.alarms(
          after: first.adding(seconds: -1), through: due.end, limit: limit,
          defaults: defaults(of: series), context: context)
        due.end = min(due.end, batch.through)
        for alarm in batch.alarms { due.alarms.append((due.series.count, alarm)) }
      } catch {
        one.failure = error
      }
      due.series.append(one)
      if due.alarms.count >= limit {
        due.alarms.sort { $0.alarm.instant < $1.alarm.instant }
        due.end = min(due.end, due.alarms[limit - 1].alarm.instant)
      }
      let end = due.end
      due.alarms.removeAll { $0.alarm.instant > end }
    }
    due.alarms.sort { $0.alarm.instant < $1.alarm.instant }
    return due
  }

  /// Plans a series again from an instant on.
  private func planOn(
    _ one: DueSeries, after instant: Timestamp, context: ZoneContext
  ) throws(StoreError) {
    let next: Timestamp?
    do throws(CivilTimeError) {
      if let failure = one.failure { throw failure }
      next = try one.series.nextAlarm(
        after: instant, defaults: defaults(of: one.series), context: context)
    } catch {
      // The series must not block others; its alarms become due once it can be placed again.
      onUnplaced?(one.series, error)
      let told = one.failure == nil ? instant : one.firstAlarm.adding(seconds: -1)
      try write(nextAlarm: nil, isUnplaced: true, of: one.row.key, alarmsThrough: told)
      return
    }
    try write(
      nextAlarm: next, isUnplaced: false, of: one.row.key,
      alarmsThrough: max(instant, one.row.alarmsThrough))
  }

  func dueRows(through now: Timestamp, limit: Int) throws(StoreError) -> [Row] {
    let statement = try database.statement(
      """
      SELECT key, calendar, uid, alarms_through, next_alarm, revision FROM series
      WHERE next_alarm IS NOT NULL AND next_alarm <= ?1 AND key <= ?3
      ORDER BY next_alarm, key LIMIT ?2
      """)
    statement.bind(1, now.seconds)
    statement.bind(2, Int64(clamping: limit))
    statement.bind(3, shownThrough)
    defer { statement.reset() }
    var rows: [Row] = []
    while try statement.step() { rows.append(SeriesRows.row(of: statement)) }
    return rows
  }
}
