package import CivilTime

/// The stored quiet time.
///
/// Its rows in `meta` are "quiet_until", "quiet_since" and "quiet_lifted", in seconds since
/// 1970-01-01T00:00:00Z. A missing row means that none was requested; "quiet_since" is also missing
/// if an older version requested it.
package struct QuietMarks: Hashable, Sendable {
  package var until: Timestamp?
  package var since: Timestamp?
  package var liftedUntil: Timestamp?

  package init(until: Timestamp? = nil, since: Timestamp? = nil, liftedUntil: Timestamp? = nil) {
    self.until = until
    self.since = since
    self.liftedUntil = liftedUntil
  }
}

extension EventStore {
  /// Returns the stored quiet time.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func quietMarks() throws(StoreError) -> QuietMarks {
    func mark(_ name: String) throws(StoreError) -> Timestamp? {
      let row = try database.statement("SELECT value FROM meta WHERE name = ?1")
      row.bind(1, name)
      defer { row.reset() }
      return try row.step() ? Timestamp(seconds: row.integer(0)) : nil
    }
    return QuietMarks(
      until: try mark("quiet_until"), since: try mark("quiet_since"),
      liftedUntil: try mark("quiet_lifted"))
  }

  /// Replaces the stored quiet time, in one transaction.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func put(quietMarks marks: QuietMarks) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      try database.execute(
        "DELETE FROM meta WHERE name IN ('quiet_until', 'quiet_since', 'quiet_lifted')")
      for (name, instant) in [
        ("quiet_until", marks.until), ("quiet_since", marks.since),
        ("quiet_lifted", marks.liftedUntil),
      ] {
        guard let instant else { continue }
        let row = try database.statement("INSERT INTO meta (name, value) VALUES (?1, ?2)")
        row.bind(1, name)
        row.bind(2, instant.seconds)
        try row.run()
      }
    }
  }
}
