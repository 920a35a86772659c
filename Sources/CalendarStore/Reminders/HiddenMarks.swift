package import CalendarModel
package import CivilTime

// Since when calendars are hidden, in rows of `meta`: "hidden ID", seconds since
// 1970-01-01T00:00:00Z. One that was hidden before this was kept has no row.

extension EventStore {
  /// Returns since when a calendar is hidden; nil where it is not, or nobody noted it.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func hiddenSince(_ calendar: CalendarID) throws(StoreError) -> Timestamp? {
    let row = try database.statement("SELECT value FROM meta WHERE name = 'hidden ' || ?1")
    row.bind(1, calendar.text)
    defer { row.reset() }
    return try row.step() ? Timestamp(seconds: row.integer(0)) : nil
  }
}

extension PlanMarks {
  /// Notes that a calendar has been hidden or shown.
  ///
  /// - Parameters:
  ///   - old: how it was; nil: there was none.
  ///   - new: how it is; nil: it is gone.
  func noteVisibility(
    of calendar: CalendarID, from old: CalendarInfo?, to new: CalendarInfo?, now: Timestamp
  ) throws(StoreError) {
    guard old?.isVisible ?? true != new?.isVisible ?? true else { return }
    if new?.isVisible ?? true {
      let row = try database.statement("DELETE FROM meta WHERE name = 'hidden ' || ?1")
      row.bind(1, calendar.text)
      try row.run()
    } else {
      let row = try database.statement(
        "INSERT OR REPLACE INTO meta (name, value) VALUES ('hidden ' || ?1, ?2)")
      row.bind(1, calendar.text)
      row.bind(2, now.seconds)
      try row.run()
    }
  }
}
