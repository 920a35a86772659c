internal import CSQLite
import CalendarModel

/// Makes a new database from the readable parts of a damaged one.
///
/// The damaged file is not modified. Rows are copied as they are, table by table, without those on
/// unreadable pages. Derived data (search index, spans, next alarms) are computed again.
///
/// The undo history is left out, since an incomplete step would restore half of a change. The trash
/// is copied.
package struct Recovery {
  /// How many events were recovered.
  package struct Report: Sendable, Equatable {
    /// The events, to-dos and others that were saved, including ``incomplete`` ones.
    package var saved = 0
    /// The saved ones with unreadable components, such as overrides.
    package var incomplete = 0
    /// Those of which only the existence could be read.
    package var lost = 0
  }

  /// The damaged database, which is not modified.
  private let source: Database
  private let target: Database
  private var report = Report()

  /// Copies the rows; ``EventStore/placeRecovered()`` does the rest.
  ///
  /// This needs no zones, and may run on any thread.
  ///
  /// - Parameters:
  ///   - damaged: the damaged database; no program has it open.
  ///   - path: the new database, which does not exist yet.
  ///   - mark: a number that identifies the damaged file; see ``EventStore/recoveryMark(ofFile:)``.
  /// - Throws: ``StoreError`` if nothing of the damaged file can be read, or the new one cannot be
  ///   written.
  @discardableResult
  package static func copyRows(
    from damaged: String, to path: String, mark: Int64
  ) throws(StoreError) -> Report {
    let source = try Database(path: damaged, mode: .existing)
    defer { source.close() }
    // The damaged file and its journal stay unmodified.
    source.set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
    // Needed for a truncated file, whose header gives more pages than it has.
    // Source: sqlite.org/pragma.html#pragma_writable_schema.
    source.set(SQLITE_DBCONFIG_DEFENSIVE, false)
    source.set(SQLITE_DBCONFIG_WRITABLE_SCHEMA, true)
    source.identity = nil
    // A daily backup may still hold the file.
    sqlite3_busy_timeout(source.handle, 3000)
    try source.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cell_size_check = ON")
    _ = try source.integer("SELECT count(*) FROM sqlite_schema")
    let target = try DatabaseFile.open(path, migrations: .all) { _ in }
    defer { target.close() }
    try target.execute("PRAGMA foreign_keys = OFF")
    var recovery = Recovery(source: source, target: target)
    try recovery.copyRows(mark: mark)
    return recovery.report
  }

  private init(source: Database, target: Database) {
    (self.source, self.target) = (source, target)
  }

  // MARK: Rows

  private mutating func copyRows(mark: Int64) throws(StoreError) {
    let known = try knownComponents()
    try target.transaction { () throws(StoreError) in
      for table in ["meta", "zones"] { try copyNamed(table) }
      for table in ["calendars", "series", "components", "reminders"] { try copy(table) }
      try copyTrash()
      try copySources()
      try addSeriesFromIndex()
      try dropWhatIsIncomplete()
      try addMissingCalendars()
      try writeMarks(mark)
      try target.execute(
        """
        INSERT INTO search (rowid, summary, location, description, attendees, categories)
        SELECT key, search_text(summary), search_text(location), search_text(description),
          search_people(organizer || attendees), search_items(categories)
        FROM components WHERE kind = 'event';
        """)
    }
    try count(known)
  }

  /// Copies a table with integer keys; bisects from an unreadable row to the next readable one.
  private func copy(_ table: String, where condition: String = "true") throws(StoreError) {
    let columns = try sharedColumns(table)
    guard !columns.isEmpty, let range = keys(of: table) else { return }
    let names = columns.joined(separator: ", ")
    let copier = try RowCopier(
      from: "SELECT key, \(names) FROM \(table) WHERE key BETWEEN ?1 AND ?2 AND \(condition) ORDER BY key",
      in: source, to: table, columns, in: target)
    defer { copier.end() }
    // Each failure reads a page in vain; if a table's root page is lost, every read would fail.
    var failures = 0
    var open = [range]
    while let range = open.popLast(), failures < Recovery.mostFailures {
      guard let next = try copier.copy(range) else { continue }
      failures += 1
      let rest = next...max(next, range.upperBound)
      guard rest.lowerBound < rest.upperBound else { continue }
      // Keys from a damaged page may be anything.
      let distance = UInt64(bitPattern: rest.upperBound &- rest.lowerBound)
      let middle = rest.lowerBound &+ Int64(distance / 2)
      open.append(middle + 1...rest.upperBound)
      open.append(rest.lowerBound...middle)
    }
  }

  private static let mostFailures = 200_000

  /// Returns the range of a table's keys, from the table or an index; nil if it is empty.
  private func keys(of table: String) -> ClosedRange<Int64>? {
    let indexes = [
      "series": "sqlite_autoindex_series_1", "components": "components_by_series",
      "reminders": "reminders_by_id",
    ]
    let sources = ["NOT INDEXED"] + (indexes[table].map { ["INDEXED BY \($0)"] } ?? [])
    for place in sources {
      guard
        let row = try? Statement("SELECT min(key), max(key) FROM \(table) \(place)", in: source)
      else { continue }
      defer { row.finalize() }
      guard let isThere = try? row.step(), isThere else { continue }
      return row.isNull(0) ? nil : row.integer(0)...max(row.integer(0), row.integer(1))
    }
    return 1...Recovery.greatestGuess
  }

  /// The last key to try if no index gives the range.
  private static let greatestGuess: Int64 = 1 << 21

  /// Copies a small table with text keys, from both ends up to the damage.
  private func copyNamed(_ table: String) throws(StoreError) {
    let columns = try sharedColumns(table)
    guard !columns.isEmpty else { return }
    for order in ["ASC", "DESC"] {
      let copier = try RowCopier(
        from: "SELECT 0, \(columns.joined(separator: ", ")) FROM \(table) ORDER BY \(columns[0]) \(order)",
        in: source, to: table, columns, in: target)
      defer { copier.end() }
      if try copier.copy(nil) == nil { return }
    }
  }

  /// Returns the columns that both databases have, the key first: the damaged one may be older.
  private func sharedColumns(_ table: String) throws(StoreError) -> [String] {
    func columns(_ database: Database) throws(StoreError) -> [String] {
      let row = try Statement("SELECT name FROM pragma_table_info('\(table)')", in: database)
      defer { row.finalize() }
      var names: [String] = []
      while try row.step() { names.append(row.text(0)) }
      return names
    }
    let known = Set(try columns(source))
    return try columns(target).filter(known.contains)
  }

  private func copyTrash() throws(StoreError) {
    try copy("series_images", where: "removed_on IS NOT NULL")
    try copy("component_images")
    try target.execute(
      """
      UPDATE series_images SET step = NULL;
      DELETE FROM component_images WHERE image NOT IN (SELECT key FROM series_images);
      DELETE FROM series_images WHERE key NOT IN (SELECT image FROM component_images);
      """)
  }

  /// Copies sources without their items: an event that was lost here must not be deleted there.
  private func copySources() throws(StoreError) {
    try copy("sources")
    try copy("collections", where: "source IN (SELECT key FROM sources)")
    try target.execute("UPDATE collections SET token = ''")
  }

  // MARK: Consistency

  /// Returns how many components the index has for each series; nil if it cannot be read.
  ///
  /// The index is stored on other pages than the rows.
  private func knownComponents() throws(StoreError) -> [Int64: Int64]? {
    do throws(StoreError) {
      let row = try Statement(
        "SELECT series, count(*) FROM components INDEXED BY components_by_series GROUP BY series",
        in: source)
      defer { row.finalize() }
      var known: [Int64: Int64] = [:]
      while try row.step() { known[row.integer(0)] = row.integer(1) }
      return known
    } catch {
      return nil
    }
  }

  /// Adds series whose rows cannot be read but whose index entries can.
  private func addSeriesFromIndex() throws(StoreError) {
    let insert = try Statement(
      """
      INSERT OR IGNORE INTO series (key, calendar, uid, revision, alarms_through, is_unplaced)
      SELECT ?1, ?2, ?3, 0, coalesce((SELECT value FROM meta WHERE name = 'alarms_through'), 0), 1
      WHERE ?1 IN (SELECT series FROM components)
      """, in: target)
    defer { insert.finalize() }
    for order in ["ASC", "DESC"] {
      do throws(StoreError) {
        let row = try Statement(
          """
          SELECT key, calendar, uid FROM series INDEXED BY sqlite_autoindex_series_1
          ORDER BY calendar \(order), uid \(order)
          """, in: source)
        defer { row.finalize() }
        while try row.step() {
          insert.bind(1, row.integer(0))
          insert.bind(2, row.integer(1))
          insert.bind(3, row.text(2))
          try insert.run()
        }
        return
      } catch {
        if case .full = error { throw error }
      }
    }
  }

  /// Deletes malformed rows, components without a series, and series without components.
  ///
  /// This includes those of an import that was not finished.
  private func dropWhatIsIncomplete() throws(StoreError) {
    for table in ["components", "component_images"] { try dropUnreadable(table) }
    try dropUnreadableReminders()
    try target.execute(
      """
      DELETE FROM components WHERE series > (SELECT value FROM meta WHERE name = 'staged_after');
      DELETE FROM components WHERE series NOT IN (SELECT key FROM series);
      DELETE FROM series WHERE key NOT IN (SELECT series FROM components);
      DELETE FROM series_images WHERE key NOT IN (SELECT image FROM component_images);
      """)
  }

  /// Deletes components that were read but cannot be decoded.
  private func dropUnreadable(_ table: String) throws(StoreError) {
    let row = try Statement(
      "\(ComponentRow.select) key, 0, '', 0 FROM \(table) ORDER BY key", in: target)
    defer { row.finalize() }
    var keys: [Int64] = []
    while try row.step() {
      if (try? ComponentRow.read(row, uid: EventUID(""))) == nil {
        keys.append(row.integer(ComponentRow.key))
      }
    }
    try drop(keys, from: table)
  }

  /// Deletes reminders that cannot be decoded, since one would fail a query for many.
  private func dropUnreadableReminders() throws(StoreError) {
    let ledger = ReminderRows(database: target)
    target.identity = nil
    let row = try target.statement("SELECT key, earlier FROM reminders ORDER BY key")
    var (keys, unclear): ([Int64], [Int64]) = ([], [])
    while try row.step() {
      let key = row.integer(0)
      let one = try target.statement(ReminderRows.select, "WHERE key = ?1")
      one.bind(1, key)
      if (try? ledger.all(one)) == nil { keys.append(key) }
      if LedgerSteps.read(row.text(1)) == nil { unclear.append(key) }
    }
    row.reset()
    try drop(keys, from: "reminders")
    for key in unclear {
      let row = try target.statement("UPDATE reminders SET earlier = '' WHERE key = ?1")
      row.bind(1, key)
      try row.run()
    }
  }

  private func drop(_ keys: [Int64], from table: String) throws(StoreError) {
    let row = try Statement("DELETE FROM \(table) WHERE key = ?1", in: target)
    defer { row.finalize() }
    for key in keys {
      row.bind(1, key)
      try row.run()
    }
  }

  private func addMissingCalendars() throws(StoreError) {
    let row = try Statement(
      "SELECT DISTINCT calendar FROM series WHERE calendar NOT IN (SELECT key FROM calendars)",
      in: target)
    defer { row.finalize() }
    var missing = try row.integers()
    let hasAny = try target.integer("SELECT count(*) FROM calendars") > 0
    if missing.isEmpty, !hasAny { missing = [1] }
    for key in missing {
      let insert = try target.statement(
        """
        INSERT INTO calendars (key, id, name, color, is_visible, is_read_only, is_default, source,
          place, timed_reminders, all_day_reminders)
        VALUES (?1, 'recovered-' || ?1, 'Recovered ' || ?1, 0x3584e4, 1, 0, 0, '', ?1, '', '')
        """)
      insert.bind(1, key)
      try insert.run()
    }
    try target.execute(
      """
      UPDATE calendars SET is_default = 1
      WHERE NOT EXISTS (SELECT 1 FROM calendars WHERE is_default = 1)
        AND key = (SELECT key FROM calendars ORDER BY is_read_only, place, id LIMIT 1)
      """)
    // One malformed list would make all calendars unreadable.
    if (try? CalendarRows(target)) == nil {
      try target.execute(
        """
        UPDATE calendars SET timed_reminders = '', all_day_reminders = '', properties = '',
          late_telling = ''
        """)
    }
  }

  /// Writes the revision and the mark. The change log is not copied, so clients must reload.
  private func writeMarks(_ mark: Int64) throws(StoreError) {
    try target.execute(
      """
      DELETE FROM meta WHERE name GLOB 'staged_*' OR name GLOB 'turned_*';
      INSERT OR REPLACE INTO meta (name, value)
      SELECT 'revision', 1 + max(
        coalesce((SELECT value FROM meta WHERE name = 'revision'), 0),
        coalesce((SELECT max(revision) FROM series), 0));
      INSERT OR REPLACE INTO meta (name, value)
      SELECT 'log_after', value FROM meta WHERE name = 'revision';
      """)
    let row = try target.statement(
      "INSERT OR REPLACE INTO meta (name, value) VALUES ('recovered_from', ?1)")
    row.bind(1, mark)
    try row.run()
  }

  private mutating func count(_ known: [Int64: Int64]?) throws(StoreError) {
    let row = try Statement(
      "SELECT series, count(*) FROM components GROUP BY series", in: target)
    defer { row.finalize() }
    var left = known ?? [:]
    while try row.step() {
      report.saved += 1
      if let count = left.removeValue(forKey: row.integer(0)), count > row.integer(1) {
        report.incomplete += 1
      }
    }
    report.lost = left.count
    for (name, value) in [
      ("recovered_incomplete", report.incomplete), ("recovered_lost", report.lost),
    ] {
      let row = try target.statement("INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)")
      row.bind(1, name)
      row.bind(2, Int64(value))
      try row.run()
    }
  }
}
