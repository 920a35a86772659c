package import CalendarModel
package import CivilTime

extension EventStore {
  /// Returns the components of events that match a query, best first, in all calendars.
  ///
  /// The caller applies ``SearchQuery/calendars``, for example with ``found(_:among:in:)``.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  /// - Complexity: linear in the components that are read from the result; no event is decoded.
  package func hits(of query: SearchQuery) throws(StoreError) -> SearchHits {
    try SearchHits(of: query, in: SearchIndex(database: database))
  }

  /// An event with components that match a query.
  package struct FoundEvent {
    /// The key of the event, the same for all its hits.
    package let key: Int64
    package let series: EventSeries
    /// The matching components; nil if the only component matches.
    fileprivate let some: [Event]?

    /// The matching components: the master, overrides, or both.
    package var components: [Event] { some ?? Array(series.components) }

    /// Whether the component that an occurrence comes from matches.
    package func has(_ occurrence: Occurrence) -> Bool {
      some?.contains { $0.recurrenceID == occurrence.event.recurrenceID } ?? true
    }
  }

  /// Returns the key of a hit's event; nil if it is gone, or not in one of the wanted calendars.
  ///
  /// - Parameter calendars: nil for all.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func eventKey(
    of hit: SearchHit, in calendars: Set<CalendarID>? = nil
  ) throws(StoreError) -> Int64? {
    let row = try database.statement(
      """
      SELECT series.key, series.calendar FROM components JOIN series ON series.key = components.series
      WHERE components.key = ?1
      """)
    row.bind(1, hit.component)
    defer { row.reset() }
    guard try row.step(), row.integer(0) <= seriesRows.shownThrough else { return nil }
    if let calendars {
      guard let owner = calendarRows.id(ofKey: row.integer(1)), calendars.contains(owner) else {
        return nil
      }
    }
    return row.integer(0)
  }

  /// Returns an event with its matching components; nil if it is gone.
  ///
  /// - Parameters:
  ///   - key: as returned by ``eventKey(of:in:)``.
  ///   - hits: all hits of the query.
  ///   - calendars: nil for all. Events of other calendars are not decoded, and nil is returned.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func found(
    _ key: Int64, among hits: SearchHits, in calendars: Set<CalendarID>? = nil
  ) throws(StoreError) -> FoundEvent? {
    guard let series = try seriesRows.series(key, in: calendars) else { return nil }
    if series.master == nil ? series.overrides.count == 1 : series.overrides.isEmpty {
      return FoundEvent(key: key, series: series, some: nil)
    }
    let keys = try database.statement("SELECT key FROM components WHERE series = ?1 ORDER BY key")
    keys.bind(1, key)
    defer { keys.reset() }
    var found: [Event] = []
    // The components were loaded in this order.
    for event in series.components {
      guard try keys.step() else { break }
      if try hits.contains(keys.integer(0)) { found.append(event) }
    }
    return FoundEvent(key: key, series: series, some: found)
  }

  /// Returns the keys of the events that can have an occurrence in a span.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func eventKeys(touching span: TimeSpan) throws(StoreError) -> Set<Int64> {
    Set(try seriesRows.spans.series(touching: span))
  }

  /// Returns a span that contains every occurrence of an event; nil if it is gone.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func extent(ofEvent key: Int64) throws(StoreError) -> TimeSpan? {
    try seriesRows.spans.span(of: key)
  }
}
