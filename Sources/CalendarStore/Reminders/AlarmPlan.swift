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
      SELECT next_alarm FROM series WHERE next_alarm IS NOT NULL AND key <= ?1
      ORDER BY next_alarm LIMIT 1
      """)
    row.bind(1, shownThrough)
    defer { row.reset() }
    return try row.step() ? Timestamp(seconds: row.integer(0)) : nil
  }

  /// Plans again whatever can still ring, and every series where a zone that one names has moved; see
  /// ``EventStore/replanAlarms(after:by:isDataNew:)``.
  ///
  /// What was dealt with in the former zones and comes after the rest in those of now
  /// goes into the ledger as closed, so that it is known there and not told.
  func replanAlarms(
    after now: Timestamp, isDataNew: Bool, into ledger: ReminderRows
  ) throws(StoreError) -> Replanned {
    var moved = 0
    var latest = try latestKnownInstant()
    if isDataNew { forgetDays() }
    let context = context
    let former = try plannedRules.former(context)
    // An update of the zone data moves few zones, and most often none that an event names.
    let areGuessed = try plannedRules.areGuessed()
    let haveMoved = isDataNew && (former.haveMoved || areGuessed)
    var told = ZoneChangeDeduplicator(
      former: former.context, current: context, haveNamedMoved: haveMoved, ledger: ledger)
    var used: Set<String> = []
    for key in try keysToReplan(now, all: haveMoved) {
      guard let row = try row(key) else { continue }
      let series = try load(row)
      series.forEachClock { if case .zoned(_, let zone) = $0 { used.insert(zone) } }
      let through = min(row.alarmsThrough, now)
      guard told.mayHaveMoved(series) else {
        // Most zones stay as they were in most updates; but one that is there now may not have been.
        if haveMoved, through == row.alarmsThrough, !areGuessed,
          try !isUnplaced(key)
        {
          continue
        }
        let next = try replan(key, series, through: through, context: context)
        if next != row.nextAlarm, isShown(series) { moved += 1 }
        continue
      }
      // It was dealt with in whatever zones there were meanwhile, none of which planned it again.
      if row.nextAlarm == nil, row.alarmsThrough <= now, try !isUnplaced(key) {
        try replan(key, series, through: row.alarmsThrough, isDone: true, context: context)
        continue
      }
      let carried = try told.carry(series, through: through, defaults: defaults(of: series))
      for reminder in carried.told {
        _ = try ledger.insertNew(reminder, at: now)
        // A clock that is set back to before this one has more to plan again.
        latest = max(latest, reminder.key.trigger)
      }
      let next = try replan(key, series, through: carried.through, context: context)
      if next != row.nextAlarm, isShown(series) { moved += 1 }
    }
    let placed = try reschedule(&told, at: now)
    try plannedRules.replace(used: used, areAll: haveMoved, context)
    try marks.put(latest: min(now, latest).seconds)
    return Replanned(events: moved, reminders: placed)
  }

  /// Where no zone of an event has moved, what has a clock of its own and rings where it did is skipped:
  /// of a hundred thousand events that may be all of them, and callers wait. A time that goes with
  /// the agent's zone is written without a zone; see ``EventTimeText``.
  private func keysToReplan(_ now: Timestamp, all: Bool) throws(StoreError) -> [Int64] {
    let row = try database.statement(
      """
      SELECT key FROM series
      WHERE ?2 OR is_unplaced = 1 OR alarms_through > ?1
        OR next_alarm IS NOT NULL AND EXISTS (
          SELECT 1 FROM components
          WHERE components.series = series.key
            AND (length(start) < 16 OR length(finish) < 16 AND finish GLOB '[0-9][0-9]*'))
      """)
    row.bind(1, now.seconds)
    row.bind(2, all)
    return try keys(row)
  }

  /// Plans the alarms of one calendar again, whose defaults have changed. What
  /// those would have rung before `now` is past.
  func replanAlarms(of calendar: Int64, after now: Timestamp) throws(StoreError) {
    let row = try database.statement("SELECT key FROM series WHERE calendar = ?1")
    row.bind(1, calendar)
    for key in try keys(row) {
      guard let row = try self.row(key) else { continue }
      try replan(key, load(row), through: row.alarmsPast(now), context: context)
    }
  }

  /// Plans no alarm up to an instant: what rang until then is not in the ledger any more.
  func passAlarms(through instant: Timestamp) throws(StoreError) {
    let row = try database.statement("SELECT key FROM series WHERE next_alarm <= ?1")
    row.bind(1, instant.seconds)
    for key in try keys(row) {
      guard let row = try self.row(key) else { continue }
      try replan(key, load(row), through: instant, context: context)
    }
    try keepLatestThrough()
  }

  /// The latest instant up to which the alarms of any series are dealt with, or were.
  func latestKnownInstant() throws(StoreError) -> Timestamp {
    if let latest = try marks.latest() { return Timestamp(seconds: latest) }
    return Timestamp(seconds: try database.integer("SELECT max(alarms_through) FROM series"))
  }

  private func keys(_ row: Statement) throws(StoreError) -> [Int64] {
    defer { row.reset() }
    var keys: [Int64] = []
    while try row.step() { keys.append(row.integer(0)) }
    return keys
  }

  private func isShown(_ series: EventSeries) -> Bool {
    calendars.owner(series.calendar)?.info.isVisible ?? false
  }

  private func isUnplaced(_ key: Int64) throws(StoreError) -> Bool {
    let row = try database.statement("SELECT is_unplaced FROM series WHERE key = ?1")
    row.bind(1, key)
    defer { row.reset() }
    return try row.step() && row.bool(0)
  }

  /// Returns the next alarm.
  ///
  /// - Parameter isDone: whether nothing of it is to come, wherever it is now.
  @discardableResult
  private func replan(
    _ key: Int64, _ series: EventSeries, through: Timestamp, isDone: Bool = false,
    context: ZoneContext
  ) throws(StoreError) -> Timestamp? {
    var plan = plan(series, alarmsThrough: through, context: context)
    if isDone { plan.nextAlarm = nil }
    try write(plan, of: key, alarmsThrough: through)
    try spans.replace(key, plan)
    return plan.nextAlarm
  }
}
