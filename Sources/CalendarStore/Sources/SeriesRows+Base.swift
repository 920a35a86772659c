import CalendarModel

// The text that both sides of a source agreed on, of series that are removed here. That of edited
// ones is kept by the trigger `keep_base`.

extension SeriesRows {
  /// Returns the revision that wrote what a series holds; nil if there is no such series.
  func content(of uid: EventUID, in calendar: Int64) throws(StoreError) -> Int64? {
    let row = try database.statement("SELECT content FROM series WHERE calendar = ?1 AND uid = ?2")
    row.bind(1, calendar)
    row.bind(2, uid.text)
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  /// Keeps the text of a series for its items, before it is deleted.
  ///
  /// So a source that only wrote it in another way meanwhile has not changed it.
  func keepBase(ofRemoved key: Int64) throws(StoreError) {
    let row = try database.statement(
      """
      UPDATE items SET base = (
        SELECT 'BEGIN:VCALENDAR' || char(13, 10) || group_concat(component, '')
          || 'END:VCALENDAR' || char(13, 10) FROM (
            SELECT component FROM components WHERE series = ?1 ORDER BY key))
      FROM (SELECT uid, content, calendar FROM series WHERE key = ?1) AS removed
      WHERE items.base IS NULL AND items.uid = removed.uid AND items.content = removed.content
        AND items.collection IN (
          SELECT collections.key FROM collections
          JOIN calendars ON calendars.id = collections.calendar
          WHERE calendars.key = removed.calendar)
      """)
    row.bind(1, key)
    try row.run()
  }

  /// Keeps the texts of all series of the ``BulkDeletion`` under way, likewise.
  func keepBasesOfLeaving() throws(StoreError) {
    // From the collections, of which there are few or none, to their items.
    try database.statement(
      """
      UPDATE items SET base = (
        SELECT 'BEGIN:VCALENDAR' || char(13, 10) || group_concat(component, '')
          || 'END:VCALENDAR' || char(13, 10) FROM (
            SELECT component FROM components WHERE series = (
              SELECT series.key FROM collections
              CROSS JOIN calendars ON calendars.id = collections.calendar
              CROSS JOIN series ON series.calendar = calendars.key AND series.uid = items.uid
              WHERE collections.key = items.collection) ORDER BY key))
      WHERE base IS NULL AND key IN (
        SELECT items.key FROM collections
        CROSS JOIN temp.leaving ON leaving.calendar = collections.calendar
        CROSS JOIN series ON series.key = leaving.series
        CROSS JOIN items ON items.collection = collections.key AND items.uid = leaving.uid
          AND items.content = series.content)
      """
    ).run()
  }
}
