package import CalendarModel

/// An event as lists name it.
package struct ListedEvent: Equatable, Sendable {
  /// Its place among all; grows with each event that is added.
  package let key: Int64
  package let calendar: CalendarID
  package let uid: EventUID
  /// The revision that changed it last.
  package let revision: UInt64
}

extension EventStore {
  /// Returns the names of events (series, no to-dos) in the order of their keys, those
  /// without any occurrence as well.
  ///
  /// - Parameters:
  ///   - calendars: nil asks for all.
  ///   - after: the key of the last one before; 0 begins.
  ///   - limit: the most that are returned.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func events(
    in calendars: Set<CalendarID>?, after: Int64, limit: Int
  ) throws(StoreError) -> [ListedEvent] {
    let row = try database.statement(
      """
      SELECT key, calendar, uid, revision FROM series
      WHERE key > ?1 AND key <= ?2 AND key NOT IN (SELECT series FROM components WHERE kind <> 'event')
      ORDER BY key
      """)
    row.bind(1, after)
    row.bind(2, seriesRows.shownThrough)
    defer { row.reset() }
    var found: [ListedEvent] = []
    while found.count < limit, try row.step() {
      guard let calendar = calendarRows[key: row.integer(1)]?.info.id,
        calendars?.contains(calendar) ?? true
      else { continue }
      found.append(
        ListedEvent(
          key: row.integer(0), calendar: calendar, uid: EventUID(row.text(2)),
          revision: UInt64(max(0, row.integer(3)))))
    }
    return found
  }
}
