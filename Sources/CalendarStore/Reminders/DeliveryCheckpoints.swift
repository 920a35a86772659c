/// How far things have been delivered, in rows of `meta`.
package enum DeliveryCheckpoint: String, Sendable {
  /// Events that are running: seconds since 1970-01-01T00:00:00Z.
  case running = "told_running"
  /// New days: days since 1970-01-01.
  case day = "told_day"
  /// The number of missed reminders that nobody has been shown.
  case unshownMissed = "unshown_missed"
}

extension EventStore {
  /// Returns a checkpoint; nil if nothing was delivered yet.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func told(_ mark: DeliveryCheckpoint) throws(StoreError) -> Int64? {
    let row = try database.statement("SELECT value FROM meta WHERE name = ?1")
    row.bind(1, mark.rawValue)
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  /// Stores a checkpoint.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func put(_ mark: DeliveryCheckpoint, _ value: Int64) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      let row = try database.statement("INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)")
      row.bind(1, mark.rawValue)
      row.bind(2, value)
      try row.run()
    }
  }
}
