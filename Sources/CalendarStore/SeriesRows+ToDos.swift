import CalendarModel

extension SeriesRows {
  /// Returns the to-dos of some calendars; see ``EventStore/toDos(calendars:)``.
  ///
  /// - Complexity: a look at each to-do; events are not touched.
  func toDos(calendars wanted: Set<CalendarID>?) throws(StoreError) -> [EventSeries] {
    var found: [EventSeries] = []
    for key in try toDoKeys() {
      guard let row = try row(key), let calendar = calendars[key: row.calendar],
        wanted?.contains(calendar.info.id) ?? true
      else { continue }
      found.append(try load(row))
    }
    return found
  }

  private func toDoKeys() throws(StoreError) -> [Int64] {
    // The first condition is the index's own, by which SQLite knows that it may use it.
    let row = try database.statement(
      "SELECT DISTINCT series FROM components WHERE kind <> 'event' AND kind = 'to-do'")
    defer { row.reset() }
    var keys: [Int64] = []
    while try row.step() { keys.append(row.integer(0)) }
    return keys
  }
}
