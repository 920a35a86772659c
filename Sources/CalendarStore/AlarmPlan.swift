import CalendarModel
import CivilTime

// When each series rings next, kept in `series.next_alarm`, so that the agent
// reads one number to know when to wake.

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

  /// Writes what fell due into the ledger; see ``EventStore/takeDue(through:limit:)``.
  ///
  /// The index is the queue: the series that rings first is taken, the alarms of
  /// that one instant are written, and the series is put back with its next one.
  /// So thousands of missed alarms come in order, without being held in memory.
  func takeDue(
    through now: Timestamp, limit: Int, into ledger: ReminderRows
  ) throws(StoreError) -> [Reminder] {
    let context = context
    var taken: [Reminder] = []
    while taken.count < limit, let row = try firstDue(through: now), let instant = row.nextAlarm {
      let series = try load(row)
      let defaults = calendars[series.calendar]?.defaults ?? .none
      // A zone that went away since is caught by the plan below.
      let alarms =
        (try? series.alarms(
          after: instant.adding(seconds: -1), through: instant, defaults: defaults,
          context: context)) ?? []
      var isCutShort = false
      for alarm in alarms {
        isCutShort = taken.count == limit
        if isCutShort { break }
        let reminder = Reminder(alarm)
        if try ledger.insertNew(reminder, at: now) { taken.append(reminder) }
      }
      // The rest of this instant at the next call: what is in the ledger is not
      // taken again.
      if isCutShort { break }
      try write(
        plan(series, alarmsThrough: instant, context: context), of: row.key,
        alarmsThrough: max(instant, row.alarmsThrough))
    }
    taken.sort {
      ($0.key.trigger, $0.summary, $0.id) < ($1.key.trigger, $1.summary, $1.id)
    }
    return taken
  }

  private func firstDue(through now: Timestamp) throws(StoreError) -> Row? {
    let row = try database.statement(
      """
      SELECT key, calendar, uid, alarms_through, next_alarm FROM series
      WHERE next_alarm IS NOT NULL AND next_alarm <= ?1 ORDER BY next_alarm, key LIMIT 1
      """)
    row.bind(1, now.seconds)
    return try first(row)
  }

  /// Plans anew whatever can still ring; see ``EventStore/replanAlarms(after:)``.
  func replanAlarms(after now: Timestamp) throws(StoreError) {
    let row = try database.statement(
      """
      SELECT key FROM series
      WHERE next_alarm IS NOT NULL OR is_unplaced = 1 OR alarms_through > ?1
      """)
    row.bind(1, now.seconds)
    try replan(keys(row)) { min($0.alarmsThrough, now) }
  }

  /// Plans the alarms of one calendar anew, whose defaults have changed. What
  /// those would have rung before `now` is past.
  func replanAlarms(of calendar: Int64, after now: Timestamp) throws(StoreError) {
    let row = try database.statement("SELECT key FROM series WHERE calendar = ?1")
    row.bind(1, calendar)
    try replan(keys(row)) { $0.alarmsPast(now) }
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

  private func replan(_ keys: [Int64], through: (Row) -> Timestamp) throws(StoreError) {
    let context = context
    for key in keys {
      guard let row = try row(key) else { continue }
      let dealtWith = through(row)
      let plan = plan(try load(row), alarmsThrough: dealtWith, context: context)
      try write(plan, of: key, alarmsThrough: dealtWith)
      try spans.put(key, plan.extent)
    }
  }
}
