package import CalendarModel
package import CivilTime

extension EventStore {
  /// An event, to-do or other component, as lists for an export have it.
  package struct PlacedEvent: Sendable {
    /// Its key, which another event may get once this one is gone.
    package let key: Int64
    package let calendar: CalendarID
    /// A hash of its uid, which detects that the key belongs to another event now.
    package let fingerprint: UInt64
    /// A span that contains every occurrence.
    package let lies: TimeSpan

    /// Returns the FNV-1a hash of a uid's bytes.
    static func fingerprint(of uid: UnsafeBufferPointer<UInt8>) -> UInt64 {
      var hash = FNVHash()
      hash.mix(uid)
      return hash.value
    }
  }

  /// Returns the events, to-dos and other components after a key, in the order of their keys.
  ///
  /// A long list can so be read in batches, nearly in the order in which the events were added.
  ///
  /// - Parameters:
  ///   - key: 0 for the first ones.
  ///   - limit: the most that are returned, at about 5 µs each.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func events(after key: Int64, limit: Int) throws(StoreError) -> [PlacedEvent] {
    let row = try database.statement(
      EventStore.placed, "WHERE key > ?1 AND key <= ?3 ORDER BY key LIMIT ?2")
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

  /// Returns the event with a uid in a calendar; nil if there is none.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func event(_ uid: EventUID, in calendar: CalendarID) throws(StoreError) -> PlacedEvent? {
    guard let key = try eventKey(uid, in: calendar) else { return nil }
    return try event(key)
  }

  /// Returns the event with a key; nil if there is none.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func event(_ key: Int64) throws(StoreError) -> PlacedEvent? {
    let row = try database.statement(EventStore.placed, "WHERE key = ?1")
    row.bind(1, key)
    defer { row.reset() }
    return try row.step() && key <= seriesRows.shownThrough ? placedEvent(row) : nil
  }

  private static let placed: StaticString = """
    SELECT key, calendar, uid,
      coalesce(first_minute, (SELECT spans.first_minute FROM spans WHERE spans.series = key)),
      coalesce(last_minute, (SELECT spans.last_minute FROM spans WHERE spans.series = key))
    FROM series
    """

  private func placedEvent(_ row: Statement) -> PlacedEvent? {
    guard let calendar = calendarRows[key: row.integer(1)] else { return nil }
    let lies =
      row.isNull(3) ? TimeSpan.always : SpanIndex.span(from: row.integer(3), to: row.integer(4))
    return PlacedEvent(
      key: row.integer(0), calendar: calendar.info.id,
      fingerprint: PlacedEvent.fingerprint(of: row.bytes(2)), lies: lies)
  }

  /// Returns the greatest key of an event; 0 if there are no events.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func lastEventKey() throws(StoreError) -> Int64 {
    let row = try database.statement("SELECT max(key) FROM series")
    defer { row.reset() }
    return try row.step() ? min(row.integer(0), seriesRows.shownThrough) : 0
  }

  /// Returns the key of the event with a uid in a calendar; nil if there is none.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func eventKey(_ uid: EventUID, in calendar: CalendarID) throws(StoreError) -> Int64? {
    guard let calendar = calendarRows[calendar] else { return nil }
    return try seriesRows.find(uid, in: calendar.key)?.key
  }

  /// Returns the calendars that have an event with this uid, the default one first.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func calendars(having uid: EventUID) throws(StoreError) -> [CalendarID] {
    // The "+" keeps SQLite on the index of calendar and uid, rather than on a range of keys.
    let row = try database.statement(
      """
      SELECT calendar FROM series
      WHERE calendar IN (SELECT key FROM calendars) AND uid = ?1 AND +key <= ?2
      """)
    row.bind(1, uid.text)
    row.bind(2, seriesRows.shownThrough)
    let keys = try row.integers()
    if keys.isEmpty { return [] }
    return calendarRows.defaultFirst.filter { keys.contains($0.key) }.map(\.info.id)
  }

  /// Returns the event with a key; nil if it is gone.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func series(ofEvent key: Int64) throws(StoreError) -> EventSeries? {
    try seriesRows.series(key)
  }
}
