package import CalendarModel
package import CivilTime

extension EventStore {
  /// An event, to-do and so on as a list of all of them has it.
  package struct PlacedEvent: Sendable {
    /// Its number, which another event may have when this one is gone.
    package let key: Int64
    package let calendar: CalendarID
    /// Stands for its uid, which tells it from another of the same number.
    package let fingerprint: UInt64
    /// A span that holds every occurrence.
    package let lies: TimeSpan

    /// FNV-1a of the octets of a uid.
    static func fingerprint(of uid: UnsafeBufferPointer<UInt8>) -> UInt64 {
      var hash = FNVHash()
      hash.mix(uid)
      return hash.value
    }
  }

  /// Returns the events, to-dos and so on of all calendars after a number, in the order
  /// of their numbers, so that a long list is read in slices: nearly that in which they
  /// came.
  ///
  /// - Parameters:
  ///   - key: 0 for the first ones.
  ///   - limit: The most that are returned, some 5 µs each.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func events(after key: Int64, limit: Int) throws(StoreError) -> [PlacedEvent] {
    let row = try database.statement(
      """
      SELECT key, calendar, uid,
        coalesce(first_minute, (SELECT spans.first_minute FROM spans WHERE spans.series = key)),
        coalesce(last_minute, (SELECT spans.last_minute FROM spans WHERE spans.series = key))
      FROM series WHERE key > ?1 AND key <= ?3 ORDER BY key LIMIT ?2
      """)
    row.bind(1, key)
    row.bind(2, Int64(limit))
    row.bind(3, seriesRows.shownThrough)
    defer { row.reset() }
    var events: [PlacedEvent] = []
    events.reserveCapacity(limit)
    while try row.step() {
      if let event = placedEvent(row) { events.append(event) }
    }
    return events
  }

  /// Returns the event of a uid in a calendar; nil if it has none.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func event(_ uid: EventUID, in calendar: CalendarID) throws(StoreError) -> PlacedEvent? {
    guard let key = try eventKey(uid, in: calendar) else { return nil }
    return try event(key)
  }

  /// Returns the event that has a number now; nil if none has.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func event(_ key: Int64) throws(StoreError) -> PlacedEvent? {
    let row = try database.statement(
      """
      SELECT key, calendar, uid,
        coalesce(first_minute, (SELECT spans.first_minute FROM spans WHERE spans.series = key)),
        coalesce(last_minute, (SELECT spans.last_minute FROM spans WHERE spans.series = key))
      FROM series WHERE key = ?1
      """)
    row.bind(1, key)
    defer { row.reset() }
    return try row.step() && key <= seriesRows.shownThrough ? placedEvent(row) : nil
  }

  private func placedEvent(_ row: Statement) -> PlacedEvent? {
    guard let calendar = calendarRows[key: row.integer(1)] else { return nil }
    let lies =
      row.isNull(3) ? TimeSpan.always : SpanIndex.span(from: row.integer(3), to: row.integer(4))
    return PlacedEvent(
      key: row.integer(0), calendar: calendar.info.id,
      fingerprint: PlacedEvent.fingerprint(of: row.bytes(2)), lies: lies)
  }

  /// The greatest number that an event has; 0 where there is none.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func lastEventKey() throws(StoreError) -> Int64 {
    let row = try database.statement("SELECT max(key) FROM series")
    defer { row.reset() }
    return try row.step() ? min(row.integer(0), seriesRows.shownThrough) : 0
  }

  /// Returns the number of an event in a calendar; nil if it has none with this uid.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func eventKey(_ uid: EventUID, in calendar: CalendarID) throws(StoreError) -> Int64? {
    guard let calendar = calendarRows[calendar] else { return nil }
    return try seriesRows.find(uid, in: calendar.key)?.key
  }

  /// Returns the calendars that have an event of this name, the default one first.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func calendars(having uid: EventUID) throws(StoreError) -> [CalendarID] {
    // The index is of calendar and uid: it is asked for each calendar, but for no range of keys.
    let row = try database.statement(
      """
      SELECT calendar FROM series
      WHERE calendar IN (SELECT key FROM calendars) AND uid = ?1 AND +key <= ?2
      """)
    row.bind(1, uid.text)
    row.bind(2, seriesRows.shownThrough)
    defer { row.reset() }
    var keys: [Int64] = []
    while try row.step() { keys.append(row.integer(0)) }
    if keys.isEmpty { return [] }
    return calendarRows.defaultFirst.filter { keys.contains($0.key) }.map(\.info.id)
  }

  /// Returns an event by its number; nil if it is gone.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func series(ofEvent key: Int64) throws(StoreError) -> EventSeries? {
    try seriesRows.series(key)
  }
}
