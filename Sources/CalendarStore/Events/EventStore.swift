package import CalendarModel
package import CivilTime

/// The user's calendars, events and reminders, in one SQLite file.
///
/// It is the only one that opens the file, on one thread, and holds it until
/// ``close()``. Everything that throws has changed nothing, and everything that returns is safe
/// from a crash, but for the parts of a ``StagedChange`` and a ``BatchedUndo``; and from a loss of
/// power, but for what ``takeDue(at:limit:)`` took and nothing was written behind, and for changes that
/// share a transaction until that is settled.
package final class EventStore {
  let database: Database
  let calendarRows: CalendarRows
  let seriesRows: SeriesRows
  let ledger: ReminderRows
  let log: ChangeLog
  let undoRows: UndoRows
  let retention: LedgerRetention
  /// What was known before the changes that are not durable yet.
  var durableState: DurableState?
  /// Whether a step is being turned in parts; see ``BatchedUndo``.
  var isTurning = false
  /// What a process has left that was killed in the middle of a change of many events; nil where there is nothing, or
  /// not any more. As long as there is, ``isStaging``.
  package internal(set) var unfinished: InterruptedBatch?

  /// Opens the database, makes it if there is none (with one calendar,
  /// "Personal"), and brings an older one up to date.
  ///
  /// SQLite makes a file with the mode that the process's umask leaves, and
  /// knows no owners. So that the file is the user's alone, the caller makes its
  /// folder with mode 0700, checks both, and makes an empty file with mode 0600
  /// where there is none: empty, it counts as new. The two files beside it
  /// (`-wal`, `-journal`) get their mode and owner from it.
  ///
  /// - Parameters:
  ///   - path: the file; absolute, or relative to the working directory.
  ///   - zones: the installed zones; what it says of a name may change later, see
  ///     ``replanAlarms(after:by:isDataNew:)``.
  ///   - localZone: the agent's zone, asked each time that it matters.
  ///   - reminders: of the calendar that a new database begins with.
  ///   - ownAddresses: see ``EventStore/ownAddresses``.
  ///   - loadZones: is called once with ``customZones()``, so that `zones` knows them from then on. It comes before
  ///     what a killed import has changed is put back, which is placed by them.
  ///   - prepareFile: what the paragraph above leaves to the caller; it runs
  ///     before anything else and throws ``StoreError/insecure(path:reason:)``.
  ///   - takesBack: whether what a process has left that was killed in the middle of a change of many events
  ///     is undone at once, which takes seconds for a hundred thousand; else that is left to
  ///     ``unfinished``.
  /// - Throws: ``StoreError``. A file that is in use, read-only, newer, damaged
  ///   or not ours is left as it is, to the octet.
  package init(
    path: String, zones: any Zones, localZone: @escaping () -> ZoneRules,
    reminders: DefaultReminders = .none, ownAddresses: [String] = [],
    loadZones: ([(id: String, component: String)]) -> Void = { _ in },
    takesBack: Bool = true,
    prepareFile: (String) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) {
    try prepareFile(path)
    database = try DatabaseFile.open(path, migrations: .all) { database throws(StoreError) in
      try database.execute("INSERT INTO meta (name, value) VALUES ('revision', 0)")
      try PlanMarks(database: database).put(latest: 0)
      var first = CalendarInfo.first
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
    if takesBack, let unfinished {
      while try unfinished.discard() {}
      tidyJournal()
    }
  }

  /// Lets go of the file. Nothing else may be called afterwards but this again.
  package func close() {
    database.close()
  }

  /// The number of the last change: it grows with each, never falls, and
  /// survives a restart. 0 is a new database.
  package var revision: UInt64 { log.revision }

  // MARK: Calendars

  /// Returns the calendars in the order of lists.
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

  /// Returns how many each calendar has of each kind but events, by ``CalendarModel/Event/Kind/word``.
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

  /// Inserts a calendar, or changes the one with its id. It counts as a change
  /// of the database, unless nothing differs.
  ///
  /// One calendar is the default always: one that is put as such takes it over
  /// from the other, and the only one stays it whatever it says.
  ///
  /// - Parameter now: where default reminders change: those before it are past.
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func put(calendar: CalendarInfo, now: Timestamp) throws(StoreError) {
    try change(origin: .local, now: now) { change throws(StoreError) in
      try change.put(calendar: calendar)
    }
  }

  // MARK: Events

  /// Returns the revision that changed an event last; nil if there is no such event.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func revision(
    of uid: EventUID, in calendar: CalendarID
  ) throws(StoreError) -> UInt64? {
    guard let calendar = calendarRows[calendar] else { return nil }
    return try seriesRows.revision(of: uid, in: calendar.key)
  }

  /// Returns a series by its uid, nil if there is none.
  ///
  /// - Parameter calendar: nil looks in all, the default one first.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func series(_ uid: EventUID, in calendar: CalendarID?) throws(StoreError) -> EventSeries?
  {
    try seriesRows.series(uid, in: calendar)
  }

  /// Returns when so many events are over, of those that begin in a span, all their occurrences with
  /// them: to the end of the minute, and up to a day later than they really are. nil where there are fewer.
  ///
  /// - Parameters:
  ///   - calendars: nil asks for all.
  ///   - few: what ``fewEventKeys(in:)`` has said of them, if anybody has asked.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func minute(
    inWhich count: Int, endIn span: TimeSpan, calendars: Set<CalendarID>? = nil, few: [Int64]? = nil
  ) throws(StoreError) -> Timestamp? {
    if let few { return try seriesRows.spans.minute(inWhich: count, of: few, endIn: span) }
    return try seriesRows.minute(inWhich: count, endIn: span, calendars: calendars)
  }

  /// Returns the keys of the series that begin first within a span, about, of those that go on for days: the
  /// first one first, of all calendars.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func seriesKeys(
    _ count: Int, beginningIn span: TimeSpan
  ) throws(StoreError) -> [Int64] {
    try seriesRows.spans.first(count, beginningIn: span)
  }

  /// Whether some calendars are all that there are.
  package func areAll(_ calendars: Set<CalendarID>) -> Bool { seriesRows.areAll(calendars) }

  /// Returns the numbers of the events and to-dos of some calendars where they are so few that each can be looked
  /// at by itself; nil where they are more, or the calendars are all that there are.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func fewEventKeys(in calendars: Set<CalendarID>) throws(StoreError) -> [Int64]? {
    try seriesRows.few(in: calendars)
  }

  /// Returns the series that can have an occurrence in a span, in no order; to-dos,
  /// which have a place in time and no occurrences, are among them.
  ///
  /// A recurring series may come for any span between its first start and its
  /// last end, and one whose zone is not installed comes always: whoever expands
  /// them sees. None that has an occurrence there is missing.
  ///
  /// - Parameter calendars: nil asks for all.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func series(
    touching span: TimeSpan, calendars: Set<CalendarID>?
  ) throws(StoreError) -> [EventSeries] {
    var found: [EventSeries] = []
    try seriesRows.forEach(touching: span, in: calendars) { found.append($0) }
    return found
  }

  /// Returns the keys of ``series(touching:calendars:)`` of all calendars, by which a few at a time can be read.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func seriesKeys(touching span: TimeSpan) throws(StoreError) -> [Int64] {
    try seriesRows.keysInPlace(touching: span, in: nil)
  }

  /// Calls `body` with each of some series that is still there, of which no more than one is held at a time.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func forEachSeries(
    withKeys keys: ArraySlice<Int64>, _ body: (EventSeries) -> Void
  ) throws(StoreError) {
    try seriesRows.forEach(keys, in: nil, body)
  }

  /// Returns the to-dos of some calendars, in no order.
  ///
  /// - Parameter calendars: nil asks for all.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func toDos(calendars: Set<CalendarID>?) throws(StoreError) -> [EventSeries] {
    try seriesRows.toDos(calendars: calendars)
  }

  /// Returns what is neither an event nor a to-do, in the order of the keys.
  ///
  /// - Parameters:
  ///   - calendars: nil asks for all.
  ///   - after: the key of the last one before; 0 begins.
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
