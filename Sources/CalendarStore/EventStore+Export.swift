package import CalendarModel
package import CivilTime

extension EventStore {
  /// One component as an export reads it, without making an event of it.
  package struct StoredComponent {
    /// Its canonical text in UTF-8, good until the next one is read; empty until
    /// somebody has written it.
    package let text: UnsafeBufferPointer<UInt8>
    /// Whether its CLASS is PUBLIC, or not given.
    package let isPublic: Bool
  }

  /// Returns the number of each event, to-do and so on that a calendar has, in the
  /// order in which they came; none for a calendar that there is not.
  package func eventKeys(in calendar: CalendarID) throws(StoreError) -> [Int64] {
    guard let calendar = calendarRows[calendar] else { return [] }
    let row = try database.statement("SELECT key FROM series WHERE calendar = ?1 ORDER BY key")
    row.bind(1, calendar.key)
    defer { row.reset() }
    var keys: [Int64] = []
    while try row.step() { keys.append(row.integer(0)) }
    return keys
  }

  /// Returns the number of an event in a calendar; nil if it has none with this uid.
  package func eventKey(_ uid: EventUID, in calendar: CalendarID) throws(StoreError) -> Int64? {
    guard let calendar = calendarRows[calendar] else { return nil }
    return try seriesRows.find(uid, in: calendar.key)?.key
  }

  /// Returns a span that holds every occurrence, for each event by its number.
  package func extents() throws(StoreError) -> [Int64: TimeSpan] {
    try seriesRows.spans.all()
  }

  /// Returns an event by its number; nil if it is gone.
  package func series(ofEvent key: Int64) throws(StoreError) -> EventSeries? {
    guard let row = try seriesRows.row(key) else { return nil }
    return try seriesRows.load(row)
  }

  /// Calls `body` with each component of an event, the master first; never for one
  /// that is gone.
  ///
  /// - Parameter body: It must not ask the store anything.
  package func forEachComponent(
    ofEvent key: Int64, _ body: (StoredComponent) -> Void
  ) throws(StoreError) {
    let row = try database.statement(
      "SELECT component, class FROM components WHERE series = ?1 ORDER BY key")
    row.bind(1, key)
    defer { row.reset() }
    while try row.step() {
      body(
        StoredComponent(
          text: row.bytes(0),
          isPublic: row.text(1) == Event.Classification.open.rawValue))
    }
  }
}
