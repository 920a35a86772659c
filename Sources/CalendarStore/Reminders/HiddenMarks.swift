package import CalendarModel
package import CivilTime

// When calendars were hidden, in rows of `meta`: "hidden ID", seconds since 1970-01-01T00:00:00Z. A
// calendar that an older version hid has no row.

extension EventStore {
  /// Returns since when a calendar is hidden; nil if it is not, or if that is unknown.
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
  /// Records that a calendar was hidden or shown.
  ///
  /// - Parameters:
  ///   - old: its former state; nil if it was added.
  ///   - new: its present state; nil if it was removed.
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
