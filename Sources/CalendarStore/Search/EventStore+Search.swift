package import CalendarModel
package import CivilTime

extension EventStore {
  /// Returns the components of events that a query finds, best first, whatever
  /// their calendar is: ``SearchQuery/calendars`` is the caller's to hold against
  /// ``found(_:among:in:)``.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  /// - Complexity: of the components found, as far as they are asked for; no event is read.
  package func hits(of query: SearchQuery) throws(StoreError) -> SearchHits {
    try SearchHits(of: query, in: SearchIndex(database: database))
  }

  /// The event of a hit.
  package struct FoundEvent {
    /// One number for all hits of an event.
    package let key: Int64
    package let series: EventSeries
    /// nil is all.
    fileprivate let some: [Event]?

    /// Those of its components that were found: the master, overrides, or both.
    package var components: [Event] { some ?? Array(series.components) }

    /// Whether the component that an occurrence is of was found.
    package func has(_ occurrence: Occurrence) -> Bool {
      some?.contains { $0.recurrenceID == occurrence.event.recurrenceID } ?? true
    }
  }

  /// Returns the number of a hit's event, one for all its components; nil if it is
  /// gone, or of another calendar than is wanted.
  ///
  /// - Parameter calendars: nil is any. Whose an event is is known before it is read.
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

  /// Returns an event by ``eventKey(of:)``, with the components that are among the
  /// hits; nil if it is gone.
  ///
  /// - Parameters:
  ///   - hits: all that the query found.
  ///   - calendars: nil is any; no event of the others is read.
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
    // They were loaded in this order.
    for event in series.components {
      guard try keys.step() else { break }
      if try hits.contains(keys.integer(0)) { found.append(event) }
    }
    return FoundEvent(key: key, series: series, some: found)
  }

  /// Returns the numbers of the events that can have an occurrence in a span.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func eventKeys(touching span: TimeSpan) throws(StoreError) -> Set<Int64> {
    Set(try seriesRows.spans.series(touching: span))
  }

  /// Returns a span that holds every occurrence of an event.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func extent(ofEvent key: Int64) throws(StoreError) -> TimeSpan? {
    try seriesRows.spans.span(of: key)
  }
}
