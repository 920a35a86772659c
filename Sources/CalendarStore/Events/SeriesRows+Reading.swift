import CalendarModel
import CivilTime

// Reading series from their rows.

extension SeriesRows {
  /// Returns the uids of the series in a calendar.
  func uids(in calendar: Int64) throws(StoreError) -> [EventUID] {
    let row = try database.statement("SELECT uid FROM series WHERE calendar = ?1 ORDER BY key")
    row.bind(1, calendar)
    defer { row.reset() }
    var uids: [EventUID] = []
    while try row.step() { uids.append(EventUID(row.text(0))) }
    return uids
  }

  /// Returns how many series a calendar has, including to-dos.
  func count(in calendar: Int64) throws(StoreError) -> Int {
    try count("SELECT count(*) FROM series WHERE calendar = ?1", calendar)
  }

  /// Whether a key is unused.
  func isFree(_ key: Int64) throws(StoreError) -> Bool {
    let row = try database.statement("SELECT 1 FROM series WHERE key = ?1")
    row.bind(1, key)
    defer { row.reset() }
    return try !row.step()
  }

  /// Whether a series recurs, by a rule or by RDATEs.
  func isRecurring(_ key: Int64) throws(StoreError) -> Bool {
    let row = try database.statement(
      "SELECT 1 FROM components WHERE series = ?1 AND (rules <> '' OR added <> '') LIMIT 1")
    row.bind(1, key)
    defer { row.reset() }
    return try row.step()
  }

  /// Reads the series of a row.
  ///
  /// - Throws: ``StoreError/corrupt(path:detail:)`` if it has no component or cannot be decoded.
  func load(_ row: Row) throws(StoreError) -> EventSeries {
    guard let series = try series(row.key) else {
      throw corrupt("nothing is left of the event \(row.uid)")
    }
    return series
  }

  /// Returns the series with a key; nil if it is gone, or not in one of the wanted calendars.
  ///
  /// - Parameter wanted: nil for all. Series of other calendars are not decoded.
  /// - Throws: as ``load(_:)``.
  func series(
    _ key: Int64, in wanted: Set<CalendarID>? = nil
  ) throws(StoreError) -> EventSeries? {
    guard key <= shownThrough else { return nil }
    if let known = cache[key] { return wanted?.contains(known.calendar) ?? true ? known : nil }
    let statement = try database.statement(ComponentRow.select, ComponentRow.ofSeries)
    statement.bind(1, key)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let uid = EventUID(statement.text(ComponentRow.uid))
    guard !statement.isNull(ComponentRow.key),
      let calendar = calendars.id(ofKey: statement.integer(ComponentRow.calendar))
    else { throw corrupt("nothing is left of the event \(uid)") }
    guard wanted?.contains(calendar) ?? true else { return nil }
    let series = try read(statement, uid, in: calendar) { () throws(StoreError) in
      try count("SELECT count(*) FROM components WHERE series = ?1", key)
    }
    cache.keep(series, key, zones: zones)
    return series
  }

  private func count(_ sql: StaticString, _ key: Int64) throws(StoreError) -> Int {
    let row = try database.statement(sql)
    row.bind(1, key)
    defer { row.reset() }
    return try row.step() ? Int(row.integer(0)) : 0
  }

  /// Beyond this many overrides the rest is counted first, since a growing array copies itself.
  private static let fewOverrides = 64

  /// Reads the series whose first component is the statement's current row.
  ///
  /// - Parameter count: returns how many components it has.
  /// - Throws: as ``load(_:)``.
  private func read(
    _ statement: Statement, _ uid: EventUID, in calendar: CalendarID,
    count: () throws(StoreError) -> Int
  ) throws(StoreError) -> EventSeries {
    let revision = UInt64(max(0, statement.integer(ComponentRow.revision)))
    var master: Event?
    var overrides: [Event] = []
    var countedEnds: [CivilDateTime?] = []
    repeat {
      if overrides.count == SeriesRows.fewOverrides {
        overrides.reserveCapacity(try count())
      }
      do {
        let event = try ComponentRow.read(statement, uid: uid)
        if event.recurrenceID == nil {
          countedEnds = try ComponentRow.countedEnds(statement)
          master = event
        } else {
          overrides.append(event)
        }
      } catch {
        throw corrupt("\(error.what) of the event \(uid)")
      }
    } while try statement.step()
    return EventSeries(
      calendar: calendar, master: master, overrides: overrides, countedEnds: countedEnds,
      revision: revision)
  }

  /// Returns the series stored in an image.
  ///
  /// - Throws: as ``load(_:)``.
  func series(of image: UndoRows.Image) throws(StoreError) -> EventSeries {
    let statement = try database.statement(ComponentRow.select, ComponentRow.ofImage)
    statement.bind(1, image.key)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(ComponentRow.key) else {
      throw corrupt("nothing is left of the event \(image.name.uid)")
    }
    return try read(statement, image.name.uid, in: image.name.calendar) {
      () throws(StoreError) in
      try count("SELECT count(*) FROM component_images WHERE image = ?1", image.key)
    }
  }

  /// Calls `body` with each series that can have an occurrence in a span, in no order.
  ///
  /// Series whose cached days miss the span are skipped.
  ///
  /// - Parameter wanted: the calendars; nil for all.
  func forEach(
    touching span: TimeSpan, in wanted: Set<CalendarID>?, _ body: (EventSeries) -> Void
  ) throws(StoreError) {
    try forEach(try keysInPlace(touching: span, in: wanted)[...], in: wanted, body)
  }

  /// Calls `body` with each of some series that exists and is in a wanted calendar.
  func forEach(
    _ keys: ArraySlice<Int64>, in wanted: Set<CalendarID>?, _ body: (EventSeries) -> Void
  ) throws(StoreError) {
    try database.reading { () throws(StoreError) in
      for key in keys {
        if let series = try series(key, in: wanted) { body(series) }
      }
    }
  }

  /// Returns the keys of ``forEach(touching:in:_:)`` in ascending order, to read each page once.
  func keysInPlace(
    touching span: TimeSpan, in wanted: Set<CalendarID>?
  ) throws(StoreError) -> [Int64] {
    try database.reading { () throws(StoreError) in
      var keys = try keys(touching: span, in: wanted)
      keys.removeAll { cache.misses($0, span) }
      keys.sort()
      return keys
    }
  }
}
