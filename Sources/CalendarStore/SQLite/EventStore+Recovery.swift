internal import CSQLite
import CalendarModel
package import CivilTime

extension EventStore {
  /// Returns the mark of the damaged file that a database was recovered from; nil if it was not.
  ///
  /// No other program may have the file open. See ``Recovery``.
  ///
  /// - Throws: ``StoreError`` when the file cannot be read.
  /// - Throws: ``StoreError``.
  package static func recoveryMark(ofFile path: String) throws(StoreError) -> Int64? {
    let database = try Database(path: path, mode: .glance)
    defer { database.close() }
    let row = try database.statement("SELECT value FROM meta WHERE name = 'recovered_from'")
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  /// Returns how many events were recovered from the damaged file.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func recoveryReport() throws(StoreError) -> Recovery.Report {
    func number(_ name: StaticString) throws(StoreError) -> Int {
      Int(try database.integer(name))
    }
    return Recovery.Report(
      saved: try number("SELECT count(*) FROM series"),
      incomplete: try number("SELECT value FROM meta WHERE name = 'recovered_incomplete'"),
      lost: try number("SELECT value FROM meta WHERE name = 'recovered_lost'"))
  }

  /// Indexes the recovered series whose spans are not in their rows.
  ///
  /// Those were in an index that is not copied, or only their uid could be read.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func placeRecovered() throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      let row = try database.statement(
        "SELECT key FROM series WHERE first_minute IS NULL ORDER BY key")
      for key in try row.integers() {
        guard let old = try seriesRows.row(key), let series = try seriesRows.series(key) else {
          continue
        }
        _ = try seriesRows.update(
          key, to: series, revision: max(1, old.revision), alarmsThrough: old.alarmsThrough,
          context: seriesRows.context)
      }
      try seriesRows.keepLatestThrough()
      try seriesRows.words.finish()
    }
  }

  /// Continues after another database that this one replaces.
  ///
  /// Revisions continue to grow, and clients that saw the other database reload everything.
  /// Reminders that it delivered are not delivered again, even if its ledger no longer has them.
  ///
  /// - Parameters:
  ///   - revision: the last revision of the other database.
  ///   - path: the other database; nil if it cannot be read.
  /// - Throws: ``StoreError``; then nothing has changed.
  package func succeed(
    revision: UInt64, ledgerOf path: String?, now: Timestamp
  ) throws(StoreError) {
    // The other database keeps its journal, if it has one.
    database.set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, path != nil)
    defer { database.set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false) }
    if let path {
      let attach = try Statement("ATTACH DATABASE ?1 AS former", in: database)
      attach.bind(1, path)
      defer { attach.finalize() }
      try attach.run()
    }
    defer { if path != nil { try? database.execute("DETACH DATABASE former") } }
    try database.transaction { () throws(StoreError) in
      let row = try database.statement(
        "INSERT OR REPLACE INTO meta (name, value) VALUES ('revision', ?1), ('log_after', ?1)")
      row.bind(1, Int64(max(revision, self.revision) + 1))
      try row.run()
      guard path != nil else { return }
      let columns = """
        id, calendar, uid, recurrence_id, alarm, trigger_at, summary, location, join_url, span_start,
        span_end, is_all_day, is_private, state, close_reason, due, snoozes, is_missed, due_at,
        delivered_at, snoozed_at, acknowledged_at, closed_at, closed_by, earlier, zone, clock_name
        """
      try database.execute(
        """
        INSERT OR REPLACE INTO main.reminders (\(columns)) SELECT \(columns) FROM former.reminders
        WHERE true
        """)
      try database.execute(
        """
        INSERT OR REPLACE INTO main.meta (name, value)
        SELECT name, value FROM former.meta WHERE name = 'ledger_through'
        """)
      try seriesRows.passAlarms(through: ledger.forgottenThrough(now: now))
    }
  }
}
