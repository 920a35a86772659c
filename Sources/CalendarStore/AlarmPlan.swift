import CalendarModel
import CivilTime

// When each series rings next, kept in `series.next_alarm`, so that the agent
// reads one number to know when to wake. What is due is taken in DueAlarms.swift.

extension SeriesRows {
  /// Returns the first alarm of all; nil if there is none.
  ///
  /// - Complexity: one step in an index.
  func nextAlarm() throws(StoreError) -> Timestamp? {
    let row = try database.statement(
      """
      SELECT next_alarm FROM series WHERE next_alarm IS NOT NULL ORDER BY next_alarm LIMIT 1
      """)
    defer { row.reset() }
    return try row.step() ? Timestamp(seconds: row.integer(0)) : nil
  }

  /// Plans anew whatever can still ring; see ``EventStore/replanAlarms(after:)``.
  ///
  /// A zone that lies to the west puts an alarm that has been told at a later
  /// instant, and so under a new key. That key goes into the ledger as closed, so
  /// that it is known there and not told.
  func replanAlarms(after now: Timestamp, into ledger: ReminderRows) throws(StoreError) {
    let row = try database.statement(
      """
      SELECT key FROM series
      WHERE next_alarm IS NOT NULL OR is_unplaced = 1 OR alarms_through > ?1
      """)
    row.bind(1, now.seconds)
    let keys = try keys(row)
    let told = ToldAlarms(database: database, zone: changePlannedZone())
    try replan(keys) { row, series throws(StoreError) in
      let dealtWith = min(row.alarmsThrough, now)
      try close(told, of: series, after: dealtWith, into: ledger, at: now)
      return dealtWith
    }
  }

  /// Writes those alarms of a series down as closed that were told when the
  /// agent's zone was another.
  private func close(
    _ told: ToldAlarms, of series: EventSeries, after dealtWith: Timestamp,
    into ledger: ReminderRows, at now: Timestamp
  ) throws(StoreError) {
    guard series.components.contains(where: { $0.start.zoneName == nil }) else { return }
    var past = dealtWith
    let end = dealtWith.adding(seconds: ToldAlarms.furthestSeconds)
    while past < end {
      let batch: AlarmBatch
      do throws(CivilTimeError) {
        batch = try series.alarms(
          after: past, through: end, limit: 500, defaults: defaults(of: series), context: context)
      } catch {
        // The plan meets it, too, and says so.
        return
      }
      for alarm in batch.alarms where try told.contain(alarm) {
        var reminder = Reminder(alarm)
        reminder.state = .closed(.eventMoved)
        _ = try ledger.insertNew(reminder, at: now)
      }
      past = batch.through
    }
  }

  /// Plans the alarms of one calendar anew, whose defaults have changed. What
  /// those would have rung before `now` is past.
  func replanAlarms(of calendar: Int64, after now: Timestamp) throws(StoreError) {
    let row = try database.statement("SELECT key FROM series WHERE calendar = ?1")
    row.bind(1, calendar)
    try replan(keys(row)) { row, _ in row.alarmsPast(now) }
  }

  /// The latest instant up to which the alarms of any series are dealt with.
  func latestKnownInstant() throws(StoreError) -> Timestamp {
    Timestamp(seconds: try database.integer("SELECT max(alarms_through) FROM series"))
  }

  private func keys(_ row: Statement) throws(StoreError) -> [Int64] {
    defer { row.reset() }
    var keys: [Int64] = []
    while try row.step() { keys.append(row.integer(0)) }
    return keys
  }

  private func replan(
    _ keys: [Int64], through: (Row, EventSeries) throws(StoreError) -> Timestamp
  ) throws(StoreError) {
    let context = context
    for key in keys {
      guard let row = try row(key) else { continue }
      let series = try load(row)
      let dealtWith = try through(row, series)
      let plan = plan(series, alarmsThrough: dealtWith, context: context)
      try write(plan, of: key, alarmsThrough: dealtWith)
      try spans.put(key, plan.extent)
    }
  }
}
