/// The key of the last series before those that are staged, in `meta`.
struct StagingCheckpoint {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// Returns the key; nil where nothing is staged.
  func read() throws(StoreError) -> Int64? {
    let row = try database.statement("SELECT value FROM meta WHERE name = 'staged_after'")
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  /// Returns the key of the last calendar before those that are staged; nil where nothing is staged, or by an
  /// older version, which staged none.
  func readCalendars() throws(StoreError) -> Int64? {
    let row = try database.statement("SELECT value FROM meta WHERE name = 'staged_calendars_after'")
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  /// - Parameter calendars: The key of the last calendar before those that are staged.
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

  /// Forgets the calendars that never came to be, and the mark.
  func clearUnfinished() throws(StoreError) {
    // Without its mark, as an older version leaves it, nothing compares.
    try database.statement(
      """
      DELETE FROM calendars
      WHERE key > (SELECT value FROM meta WHERE name = 'staged_calendars_after')
      """
    ).run()
    try clear()
  }

  /// The last of the series that are staged, in the order of their keys.
  func keys(after last: Int64, limit: Int) throws(StoreError) -> [Int64] {
    let row = try database.statement(
      "SELECT key FROM series WHERE key > ?1 ORDER BY key DESC LIMIT ?2")
    row.bind(1, last)
    row.bind(2, Int64(limit))
    defer { row.reset() }
    var keys: [Int64] = []
    while try row.step() { keys.append(row.integer(0)) }
    return keys.reversed()
  }
}
