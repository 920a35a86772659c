package import CalendarModel

/// An event in a list.
package struct ListedEvent: Equatable, Sendable {
  /// Its key: an event that is added gets a greater one.
  package let key: Int64
  package let calendar: CalendarID
  package let uid: EventUID
  /// The revision of its last change.
  package let revision: UInt64
}

extension EventStore {
  /// Lists events (series, no to-dos) by ascending key, also those without any occurrence.
  ///
  /// - Parameters:
  ///   - calendars: nil asks for all.
  ///   - after: the key of the last event of the previous call; 0 for the first call.
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
