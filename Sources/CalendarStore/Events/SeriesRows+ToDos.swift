import CalendarModel

extension SeriesRows {
  /// Returns the to-dos of some calendars; see ``EventStore/toDos(calendars:)``.
  ///
  /// - Complexity: one step for each to-do; events are not read.
  func toDos(calendars wanted: Set<CalendarID>?) throws(StoreError) -> [EventSeries] {
    var found: [EventSeries] = []
    // The first condition is that of the partial index, so that SQLite uses it.
    let row = try database.statement(
      "SELECT DISTINCT series FROM components WHERE kind <> 'event' AND kind = 'to-do'")
    for key in try row.integers() {
      if let series = try series(key, calendars: wanted) { found.append(series) }
    }
    return found
  }

  /// Returns components that are no events or to-dos; see ``EventStore/kept(in:after:limit:)``.
  func kept(
    calendars wanted: Set<CalendarID>?, after: Int64, limit: Int
  ) throws(StoreError) -> [(key: Int64, series: EventSeries)] {
    var found: [(key: Int64, series: EventSeries)] = []
    let row = try database.statement(
      """
      SELECT DISTINCT series FROM components
      WHERE kind <> 'event' AND kind <> 'to-do' AND series > ?1 AND series <= ?2
      ORDER BY series
      """)
    row.bind(1, after)
    row.bind(2, shownThrough)
    for key in try row.integers() where found.count < limit {
      if let series = try series(key, calendars: wanted) { found.append((key, series)) }
    }
    return found
  }

  private func series(
    _ key: Int64, calendars wanted: Set<CalendarID>?
  ) throws(StoreError) -> EventSeries? {
    guard let row = try row(key), let calendar = calendars[key: row.calendar],
      wanted?.contains(calendar.info.id) ?? true
    else { return nil }
    return try load(row)
  }
}
