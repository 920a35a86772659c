package import CalendarModel
package import CivilTime

/// The user's calendars, events and reminders, in one SQLite file.
///
/// Only this type opens the file, on one thread, and keeps it open until ``close()``. A call that
/// throws has changed nothing; a call that returns is durable, with these exceptions:
///
/// - Others see the batches of a ``StagedChange`` or ``BatchedUndo``, which are undone after a
///   crash before its end.
/// - A loss of power undoes what ``takeDue(through:limit:)`` took if nothing was written after it.
/// - Changes that share a transaction are durable after ``settleChanges()``.
package final class EventStore {
  let database: Database
  let calendarRows: CalendarRows
  let seriesRows: SeriesRows
  let ledger: ReminderRows
  let log: ChangeLog
  let undoRows: UndoRows
  let retention: LedgerRetention
  /// The state before the changes that are not durable yet.
  var durableState: DurableState?
  /// Whether an undo or redo is running in batches; see ``BatchedUndo``.
  var isTurning = false
  /// A batched change that a killed process left behind; nil if there is none any more.
  ///
  /// While there is one, ``isStaging`` is true. Undoing it takes seconds for a hundred thousand
  /// events, so it is left to the caller.
  package internal(set) var unfinished: InterruptedBatch?

  /// Copies a database of an older schema with `write`, which is given an empty or missing file.
  package typealias OldCopy = (
    _ schema: Int, _ write: (String) throws(StoreError) -> Void
  ) throws(StoreError) -> Void

  /// Opens the database. Creates it if needed, and migrates an older one.
  ///
  /// A new database has one calendar.
  ///
  /// SQLite creates files with the mode that the umask leaves, and checks no owners. To keep the
  /// file private, the caller creates its folder with mode 0700 and an empty file with mode 0600,
  /// and checks both. An empty file counts as new. The files next to it (`-wal`, `-journal`) get
  /// its mode and owner.
  ///
  /// - Parameters:
  ///   - path: the file; absolute, or relative to the working directory.
  ///   - zones: the installed zones. Their data may change later; see
  ///     ``replanAlarms(after:by:isDataNew:mistaken:)``.
  ///   - localZone: returns the agent's current zone; called whenever it is needed.
  ///   - firstName: the name of the calendar in a new database.
  ///   - reminders: its default reminders.
  ///   - ownAddresses: see ``EventStore/ownAddresses``.
  ///   - loadZones: called once with ``customZones()``, so that `zones` knows them. It runs before
  ///     an interrupted import is undone, which needs them.
  ///   - prepareFile: creates and checks the file as above, before anything else.
  ///   - keepOld: copies a database of an older schema before it is migrated. If that fails, it is
  ///     not migrated.
  /// - Throws: ``StoreError``, and what `prepareFile` throws. A file that is in use, read-only,
  ///   newer, damaged or not ours is not modified.
  package init(
    path: String, zones: any Zones, localZone: @escaping () -> ZoneRules,
    firstName: String = CalendarInfo.first.name, reminders: DefaultReminders = .none,
    ownAddresses: [String] = [],
    loadZones: ([(id: String, component: String)]) -> Void = { _ in },
    prepareFile: (String) throws(StoreError) -> Void = { _ in },
    keepOld: OldCopy = { _, _ in }
  ) throws(StoreError) {
    try prepareFile(path)
    database = try DatabaseFile.open(path, migrations: .all, keepOld: keepOld) {
      database throws(StoreError) in
      try database.execute("INSERT INTO meta (name, value) VALUES ('revision', 0)")
      try PlanMarks(database: database).put(latest: 0)
      var first = CalendarInfo.first
      first.name = firstName
      (first.timedReminders, first.allDayReminders) = (reminders.timed, reminders.allDay)
      try CalendarRows(database).put(first)
    }
    calendarRows = try CalendarRows(database)
    seriesRows = SeriesRows(
      database, calendars: calendarRows, zones: zones, localZone: localZone)
    ledger = ReminderRows(database: database)
    retention = LedgerRetention(database)
    log = try ChangeLog(database)
    undoRows = try UndoRows(database, log: log)
    seriesRows.ownAddresses = ownAddresses
    try loadZones(customZones())
    let planned = try seriesRows.marks.zone().flatMap { try? zones.rules(named: $0.name) }
    try seriesRows.plannedRules.fill(agents: planned ?? localZone(), zones: zones)
    unfinished = try InterruptedBatch(self)
  }

  /// Closes the file. After this, only `close()` may be called.
  package func close() {
    database.close()
  }

  /// The number of the last change: it only grows, and survives a restart. 0 is a new database.
  package var revision: UInt64 { log.revision }

  // MARK: Calendars

  /// Returns the calendars in display order.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func calendars() throws(StoreError) -> [CalendarInfo] {
    calendarRows.infos
  }

  /// Returns how many events (series, not occurrences; no to-dos) each calendar has.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func eventCounts() throws(StoreError) -> [CalendarID: Int] {
    let row = try database.statement(
      """
      SELECT calendar, count(*) FROM series
      WHERE key <= ?1 AND key NOT IN (SELECT series FROM components WHERE kind <> 'event')
      GROUP BY calendar
      """)
    row.bind(1, seriesRows.shownThrough)
    defer { row.reset() }
    var counts: [CalendarID: Int] = [:]
    for calendar in calendarRows.all { counts[calendar.info.id] = 0 }
    while try row.step() {
      guard let calendar = calendarRows[key: row.integer(0)] else { continue }
      counts[calendar.info.id] = Int(row.integer(1))
    }
    return counts
  }

  /// Returns how many of each kind but events a calendar has, by ``CalendarModel/Event/Kind/word``.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func otherCounts() throws(StoreError) -> [CalendarID: [String: Int]] {
    let row = try database.statement(
      """
      SELECT calendar, kind, count(DISTINCT series) FROM components
      JOIN series ON series.key = components.series
      WHERE kind <> 'event' AND components.series <= ?1
      GROUP BY calendar, kind
      """)
    row.bind(1, seriesRows.shownThrough)
    defer { row.reset() }
    var counts: [CalendarID: [String: Int]] = [:]
    while try row.step() {
      guard let calendar = calendarRows[key: row.integer(0)] else { continue }
      counts[calendar.info.id, default: [:]][row.text(1)] = Int(row.integer(2))
    }
    return counts
  }

  /// Inserts a calendar, or updates the one with its id; a change unless nothing differs.
  ///
  /// Exactly one calendar is the default. If this one is marked as default, the other loses the
  /// mark; the only calendar is always the default.
  ///
  /// - Parameter now: if the default reminders change, those before it are past.
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func put(calendar: CalendarInfo, now: Timestamp) throws(StoreError) {
    try change(origin: .local, now: now) { change throws(StoreError) in
      try change.put(calendar: calendar)
    }
  }

  // MARK: Events

  /// Returns the revision of an event's last change; nil if there is no such event.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func revision(
    of uid: EventUID, in calendar: CalendarID
  ) throws(StoreError) -> UInt64? {
    guard let calendar = calendarRows[calendar] else { return nil }
    return try seriesRows.revision(of: uid, in: calendar.key)
  }

  /// Returns a series by its uid; nil if there is none.
  ///
  /// - Parameter calendar: nil searches all calendars, the default one first.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func series(_ uid: EventUID, in calendar: CalendarID?) throws(StoreError) -> EventSeries?
  {
    try seriesRows.series(uid, in: calendar)
  }

  /// Returns when `count` of the events that begin in a span are over, with all their occurrences.
  ///
  /// The result is the end of a minute, and up to a day late. nil if fewer events begin and end in
  /// the span.
  ///
  /// - Parameters:
  ///   - calendars: nil for all.
  ///   - few: the result of ``fewEventKeys(in:)`` for the calendars, if known.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func minute(
    inWhich count: Int, endIn span: TimeSpan, calendars: Set<CalendarID>? = nil, few: [Int64]? = nil
  ) throws(StoreError) -> Timestamp? {
    if let few { return try seriesRows.spans.minute(inWhich: count, of: few, endIn: span) }
    return try seriesRows.minute(inWhich: count, endIn: span, calendars: calendars)
  }

  /// Returns the keys of the first long or recurring series that begin in a span, in all calendars.
  ///
  /// They are ordered by their indexed start, which may be earlier than the real one.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func seriesKeys(
    _ count: Int, beginningIn span: TimeSpan
  ) throws(StoreError) -> [Int64] {
    try seriesRows.spans.first(count, beginningIn: span)
  }

  /// Whether a set contains every calendar.
  package func areAll(_ calendars: Set<CalendarID>) -> Bool { seriesRows.areAll(calendars) }

  /// Returns the keys of the series in some calendars, if there are few enough to check one by one.
  ///
  /// nil if there are more, or if the set contains every calendar.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func fewEventKeys(in calendars: Set<CalendarID>) throws(StoreError) -> [Int64]? {
    try seriesRows.few(in: calendars)
  }

  /// Returns the series that can have an occurrence in a span, in no order.
  ///
  /// To-dos are included: they have a time, but no occurrences. None that has an occurrence is
  /// missing, but some may have none: a recurring series matches between its first start and its
  /// last end, and a series whose zone is not installed always matches.
  ///
  /// - Parameter calendars: nil for all.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func series(
    touching span: TimeSpan, calendars: Set<CalendarID>?
  ) throws(StoreError) -> [EventSeries] {
    var found: [EventSeries] = []
    try seriesRows.forEach(touching: span, in: calendars) { found.append($0) }
    return found
  }

  /// Returns the keys of ``series(touching:calendars:)`` for all calendars, to read in batches.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func seriesKeys(touching span: TimeSpan) throws(StoreError) -> [Int64] {
    try seriesRows.keysInPlace(touching: span, in: nil)
  }

  /// Calls `body` with each of some series that still exists, one in memory at a time.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func forEachSeries(
    withKeys keys: ArraySlice<Int64>, _ body: (EventSeries) -> Void
  ) throws(StoreError) {
    try seriesRows.forEach(keys, in: nil, body)
  }

  /// Returns the to-dos of some calendars, in no order.
  ///
  /// - Parameter calendar: nil for all.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func toDos(calendars: Set<CalendarID>?) throws(StoreError) -> [EventSeries] {
    try seriesRows.toDos(calendars: calendars)
  }

  /// Returns the components that are neither events nor to-dos, by ascending key.
  ///
  /// - Parameters:
  ///   - calendars: nil for all.
  ///   - after: the key of the last one of the previous call; 0 for the first call.
  ///   - limit: the most that are returned.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func kept(
    in calendars: Set<CalendarID>?, after: Int64, limit: Int
  ) throws(StoreError) -> [(key: Int64, series: EventSeries)] {
    try seriesRows.kept(calendars: calendars, after: after, limit: limit)
  }

  /// Returns the VTIMEZONE components of zones that are not installed.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func customZones() throws(StoreError) -> [(id: String, component: String)] {
    let row = try database.statement("SELECT id, component FROM zones ORDER BY id")
    defer { row.reset() }
    var zones: [(id: String, component: String)] = []
    while try row.step() { zones.append((row.text(0), row.text(1))) }
    return zones
  }
}
