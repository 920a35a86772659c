import CSQLite

/// Opens the database, and tells it from files of other programs.
///
/// A file is written only after it has been recognised, in two looks:
///
/// 1. A glance at the file alone, which needs no lock and leaves no trace. It
///    refuses what is no database and what bears another program's mark.
/// 2. The real connection takes the lock, reads mark and schema number as the
///    journal has them, and only then may write.
enum DatabaseFile {
  /// "DtBk" in the header of each of our files (`PRAGMA application_id`), by
  /// which file(1) and we tell them from others.
  ///
  /// Source: sqlite.org/fileformat2.html section 1.3.
  static let applicationID: Int32 = 0x4474_426b

  /// What SQLite keeps of the file: a query touches a few dozen pages of 4 KiB.
  static let cacheKiB = 1024

  /// How long to wait for another process to let go: one that is being stopped
  /// while its successor starts.
  private static let busyTimeoutMilliseconds: Int32 = 200

  /// Opens the database, makes it if there is none, and brings its tables up to
  /// date.
  ///
  /// - Parameters:
  ///   - migrations: what to bring it up to date with.
  ///   - fill: writes the first rows of a new database.
  /// - Throws: ``StoreError``; a file that was there is unchanged then.
  static func open(
    _ path: String, migrations: Migrations, fill: (Database) throws(StoreError) -> Void
  ) throws(StoreError) -> Database {
    let exists = try glance(path, migrations)
    let database = try Database(path: path, mode: exists ? .existing : .create)
    do throws(StoreError) {
      // Until the file is known to be ours, closing must not write the journal
      // into it.
      database.set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
      let isNew = try lock(database, migrations)
      guard !database.isReadOnly else { throw StoreError.readOnly(path: path) }
      database.set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
      try configure(database)
      if isNew {
        try create(database, migrations, fill)
      } else {
        try migrations.run(on: database)
      }
      database.journalIdentity = FileIdentity(path + "-wal")
    } catch {
      database.close()
      throw error
    }
    return database
  }

  /// Returns whether there is a file, and refuses one that is plainly not ours.
  private static func glance(_ path: String, _ migrations: Migrations) throws(StoreError) -> Bool {
    let database: Database
    do {
      database = try Database(path: path, mode: .glance)
    } catch .unreachable {
      // No such file; if it is the folder that is missing, creating says so.
      return false
    }
    defer { database.close() }
    do throws(StoreError) {
      if try recognise(database) { try migrations.checkVersion(of: database) }
    } catch .corrupt {
      // The journal was being written into the file when the process or the machine died: alone the
      // file is half old and half new. The second look, with the journal, says whether it is sound.
    }
    return true
  }

  /// Takes the lock that is kept until the connection is closed, and returns
  /// whether the database is still empty.
  ///
  /// In this mode the first read locks the file against every other process,
  /// reader or writer, and the journal's index lives in our memory instead of a
  /// shared file. Nobody else has business in the file: calctl asks the agent.
  ///
  /// Source: sqlite.org/wal.html section 8, sqlite.org/pragma.html#pragma_locking_mode.
  private static func lock(_ database: Database, _ migrations: Migrations) throws(StoreError)
    -> Bool
  {
    sqlite3_busy_timeout(database.handle, busyTimeoutMilliseconds)
    try database.execute("PRAGMA locking_mode = EXCLUSIVE")
    guard !database.isReadOnly else { throw .readOnly(path: database.path) }
    // A rollback journal (a new or copied file) locks for reading only at first.
    try database.execute("BEGIN EXCLUSIVE")
    let isOurs: Bool
    do throws(StoreError) {
      isOurs = try recognise(database)
      try migrations.checkVersion(of: database)
    } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
    try database.execute("COMMIT")
    return !isOurs
  }

  /// Returns true for one of our databases and false for an empty one.
  ///
  /// - Throws: ``StoreError/foreignDatabase(path:applicationID:)``,
  ///   ``StoreError/notADatabase(path:)``.
  private static func recognise(_ database: Database) throws(StoreError) -> Bool {
    let mark = Int32(truncatingIfNeeded: try database.integer("PRAGMA application_id"))
    if mark == applicationID { return true }
    let tables = try database.integer("SELECT count(*) FROM sqlite_schema")
    let version = try database.integer("PRAGMA user_version")
    guard mark == 0, tables == 0, version == 0 else {
      throw .foreignDatabase(path: database.path, applicationID: mark)
    }
    return false
  }

  /// Source: sqlite.org/pragma.html.
  private static func configure(_ database: Database) throws(StoreError) {
    try database.execute(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA temp_store = MEMORY;
      -- Negative: KiB.
      PRAGMA cache_size = -\(cacheKiB);
      -- What a big import leaves of the journal, in octets.
      PRAGMA journal_size_limit = 4194304;
      """)
  }

  private static func create(
    _ database: Database, _ migrations: Migrations, _ fill: (Database) throws(StoreError) -> Void
  ) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      try database.execute("PRAGMA application_id = \(applicationID)")
      try database.execute(Schema.tables)
      try migrations.setVersion(migrations.latest, of: database)
      try fill(database)
    }
    // From the journal into the file, so that a glance at the file alone knows it.
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
