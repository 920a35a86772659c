/// The keys after which series and calendars are staged, in `meta`.
struct StagingCheckpoint {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// Returns the last series key before the staged ones; nil if nothing is staged.
  func read() throws(StoreError) -> Int64? {
    let row = try database.statement("SELECT value FROM meta WHERE name = 'staged_after'")
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  /// Returns the last calendar key before the staged ones.
  ///
  /// nil if nothing is staged, or if an older version staged it, which staged no calendars.
  func readCalendars() throws(StoreError) -> Int64? {
    let row = try database.statement("SELECT value FROM meta WHERE name = 'staged_calendars_after'")
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  /// Writes the checkpoint.
  ///
  /// - Parameter calendars: the last calendar key before the staged ones.
  func write(_ last: Int64, calendars: Int64) throws(StoreError) {
    let row = try database.statement(
      """
      INSERT OR REPLACE INTO meta (name, value)
      VALUES ('staged_after', ?1), ('staged_calendars_after', ?2)
      """)
    row.bind(1, last)
    row.bind(2, calendars)
    try row.run()
  }

  func clear() throws(StoreError) {
    try database.statement(
      "DELETE FROM meta WHERE name IN ('staged_after', 'staged_calendars_after')"
    ).run()
  }

  /// Deletes the staged calendars of an unfinished change, and the checkpoint.
  func clearUnfinished() throws(StoreError) {
    // Without the row, as an older version leaves it, the comparison with NULL deletes nothing.
    try database.statement(
      """
      DELETE FROM calendars
      WHERE key > (SELECT value FROM meta WHERE name = 'staged_calendars_after')
      """
    ).run()
    try clear()
  }

  /// Returns the last staged series, at most `limit`, by ascending key.
  func keys(after last: Int64, limit: Int) throws(StoreError) -> [Int64] {
    let row = try database.statement(
      "SELECT key FROM series WHERE key > ?1 ORDER BY key DESC LIMIT ?2")
    row.bind(1, last)
    row.bind(2, Int64(limit))
    return try row.integers().reversed()
  }
}
