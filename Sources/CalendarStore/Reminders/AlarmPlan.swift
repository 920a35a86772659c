import CalendarModel
import CivilTime

// The next alarm of each series, stored in `series.next_alarm`, so that one number shows when the
// agent must wake. DueAlarms.swift takes what is due.

extension SeriesRows {
  /// Returns the earliest next alarm of all series; nil if there is none.
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

  /// Plans the alarms again that can still fire.
  ///
  /// See ``EventStore/replanAlarms(after:by:isDataNew:mistaken:)``. If a zone that events name has
  /// moved, every series is planned. Alarms that were handled in the former zones, but now come
  /// later, are put into the ledger as closed, so that they are not delivered again.
  func replanAlarms(
    after now: Timestamp, isDataNew: Bool, into ledger: ReminderRows
  ) throws(StoreError) -> Replanned {
    var moved = 0
    var latest = try latestKnownInstant()
    if isDataNew { forgetDays() }
    let context = context
    let former = try plannedRules.former(context)
    // A zone data update moves few zones, and usually none that an event names.
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
        // Most updates leave most zones unchanged, but a newly installed zone may differ.
        if haveMoved, through == row.alarmsThrough, !areGuessed,
          try !isUnplaced(key)
        {
          continue
        }
        let next = try replan(key, series, through: through, context: context)
        if next != row.nextAlarm, isShown(series) { moved += 1 }
        continue
      }
      // All its alarms were handled, whatever the zones were meanwhile.
      if row.nextAlarm == nil, row.alarmsThrough <= now, try !isUnplaced(key) {
        try replan(key, series, through: row.alarmsThrough, isDone: true, context: context)
        continue
      }
      let carried = try told.carry(series, through: through, defaults: defaults(of: series))
      for reminder in carried.told {
        _ = try ledger.insertNew(reminder, at: now)
        // If the clock is set back to before this alarm, there is more to plan again.
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

  /// Returns the series to plan again.
  ///
  /// If no named zone has moved, fixed times that keep their alarms are skipped: that may be all of
  /// a hundred thousand events, and callers wait. Times in the agent's zone are stored without a
  /// zone; see ``EventTimeText``.
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
    return try row.integers()
  }

  /// Plans the alarms of a calendar again after its defaults changed; those before `now` are past.
  func replanAlarms(of calendar: Int64, after now: Timestamp) throws(StoreError) {
    let row = try database.statement("SELECT key FROM series WHERE calendar = ?1")
    row.bind(1, calendar)
    for key in try row.integers() {
      guard let row = try self.row(key) else { continue }
      try replan(key, load(row), through: row.alarmsPast(now), context: context)
    }
  }

  /// Skips alarms up to an instant, since the ledger no longer has those that were delivered.
  func passAlarms(through instant: Timestamp) throws(StoreError) {
    let row = try database.statement("SELECT key FROM series WHERE next_alarm <= ?1")
    row.bind(1, instant.seconds)
    for key in try row.integers() {
      guard let row = try self.row(key) else { continue }
      try replan(key, load(row), through: instant, context: context)
    }
    try keepLatestThrough()
  }

  /// Returns the latest instant through which alarms of any series are or were handled.
  func latestKnownInstant() throws(StoreError) -> Timestamp {
    if let latest = try marks.latest() { return Timestamp(seconds: latest) }
    return Timestamp(seconds: try database.integer("SELECT max(alarms_through) FROM series"))
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

  /// Writes the plan of a series, and returns its next alarm.
  ///
  /// - Parameter isDone: whether no alarm is left, in whatever zone.
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
