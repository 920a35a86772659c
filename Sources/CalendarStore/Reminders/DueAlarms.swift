import CalendarModel
import CivilTime

// Taking what fell due: the index of `series.next_alarm` is the queue.

extension SeriesRows {
  /// Writes what fell due into the ledger; see ``EventStore/takeDue(through:limit:)``.
  ///
  /// A series hands over as many alarms as are wanted in one walk, and is planned
  /// once after them. So a year of missed alarms comes in order, without being
  /// held in memory, and without a search for each of them.
  func takeDue(
    through now: Timestamp, limit: Int, into ledger: ReminderRows
  ) throws(StoreError) -> [Reminder] {
    let context = context
    var taken: [Reminder] = []
    while taken.count < limit {
      let due = try dueAlarms(through: now, limit: limit - taken.count, context: context)
      if due.series.isEmpty { break }
      // One whose alarms were cut off is where it was; one that has none after all
      // goes on.
      var dealtWith = due.series.map { one in
        one.firstAlarm > due.end ? one.firstAlarm.adding(seconds: -1) : one.firstAlarm
      }
      for (index, pending) in due.alarms.enumerated() {
        if taken.count == limit {
          // The rest of this instant at the next call: what is in the ledger is
          // not taken again.
          for rest in due.alarms[index...].reversed() {
            dealtWith[rest.series] = rest.alarm.instant.adding(seconds: -1)
          }
          break
        }
        var reminder = Reminder(pending.alarm)
        let silence = silence(of: pending.alarm)
        // What is not to be delivered is in the ledger all the same, with the reason, and counts:
        // thousands of a hidden calendar must not be written in one go.
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
      // An identifier is worked out, so that it is only asked for among equals.
      if left.key.trigger != right.key.trigger { return left.key.trigger < right.key.trigger }
      if left.summary != right.summary { return left.summary < right.summary }
      return left.id < right.id
    }
    return taken
  }

  /// Whether an alarm rang in this very second under another name: a change in it plans what rings in it again,
  /// and may have given the event the default reminders in place of its own.
  private func isToldInItsSecond(
    _ alarm: OccurrenceAlarm, of row: Row, _ ledger: ReminderRows
  ) throws(StoreError) -> Bool {
    // Only so is it planned after a change; see ``Row/alarmsPast(_:)``.
    guard alarm.instant == row.alarmsThrough.adding(seconds: 1) else { return false }
    return try ledger.hasAnother(than: ReminderKey(alarm), for: alarm, leaving: [])
  }

  /// The earliest alarms that are due, of all series.
  private struct DueAlarms {
    /// In order of their instants.
    var alarms: [(series: Int, alarm: OccurrenceAlarm)] = []
    var series: [DueSeries] = []
    /// Nothing after this is among them.
    var end: Timestamp
  }

  private struct DueSeries {
    let row: Row
    let series: EventSeries
    let firstAlarm: Timestamp
    /// Why its alarms are not among those of the others.
    var failure: CivilTimeError?
  }

  /// Returns about `limit` alarms, and all that share the last one's instant. None
  /// is missing between them.
  private func dueAlarms(
    through now: Timestamp, limit: Int, context: ZoneContext
  ) throws(StoreError) -> DueAlarms {
    let rows = try dueRows(through: now, limit: limit)
    // Rows that were not read may ring right after the last one.
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

  /// Puts a series back into the queue with its first alarm after an instant.
  private func planOn(
    _ one: DueSeries, after instant: Timestamp, context: ZoneContext
  ) throws(StoreError) {
    let next: Timestamp?
    do throws(CivilTimeError) {
      if let failure = one.failure { throw failure }
      next = try one.series.nextAlarm(
        after: instant, defaults: defaults(of: one.series), context: context)
    } catch {
      // It holds nothing up, and what was not told is due still when it can be
      // placed again.
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
