import CSQLite

/// Opens the database, and recognizes files of other programs.
///
/// A file is written only after two checks:
///
/// 1. A look at the file alone, without a lock or a trace. It refuses files that are no database or
/// are marked by another program.
/// 2. The real connection locks the file, and reads mark and schema number including the journal.
enum DatabaseFile {
  /// "DtBk", the `PRAGMA application_id` in the header of our files, which file(1) also shows.
  ///
  /// Source: sqlite.org/fileformat2.html section 1.3.
  static let applicationID: Int32 = 0x4474_426b

  /// SQLite's page cache: a query touches a few dozen pages of 4 KiB.
  static let cacheKiB = 1024

  /// How long to wait for another process, such as an agent that is still stopping.
  private static let busyTimeoutMilliseconds: Int32 = 200

  /// Opens the database. Creates it if needed, and migrates an older one.
  ///
  /// - Parameters:
  ///   - migrations: the migrations to run.
  ///   - fill: writes the first rows of a new database.
  ///   - keepOld: see ``EventStore``.
  /// - Throws: ``StoreError``; then an existing file is unchanged.
  static func open(
    _ path: String, migrations: Migrations, keepOld: EventStore.OldCopy = { _, _ in },
    fill: (Database) throws(StoreError) -> Void
  ) throws(StoreError) -> Database {
    let exists = try glance(path, migrations)
    let database = try Database(path: path, mode: exists ? .existing : .create)
    do throws(StoreError) {
      // Until the file is known to be ours, closing must not write the journal back.
      database.set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
      let isNew = try lock(database, migrations)
      guard !database.isReadOnly else { throw StoreError.readOnly(path: path) }
      database.set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
      try configure(database)
      if isNew {
        try create(database, migrations, fill)
      } else {
        let version = try migrations.version(of: database)
        if version < migrations.latest {
          try keepOld(version) { path throws(StoreError) in try database.vacuum(into: path) }
        }
        try migrations.run(on: database)
      }
      database.journalIdentity = FileIdentity(path + "-wal")
    } catch {
      database.close()
      throw error
    }
    return database
  }

  /// Returns whether the file exists, and refuses one that is plainly not ours.
  private static func glance(_ path: String, _ migrations: Migrations) throws(StoreError) -> Bool {
    let database: Database
    do {
      database = try Database(path: path, mode: .glance)
    } catch .unreachable {
      // No such file. If its folder is missing, creating the file reports that.
      return false
    }
    defer { database.close() }
    do throws(StoreError) {
      if try recognise(database) { try migrations.checkVersion(of: database) }
    } catch .corrupt {
      // The file may look damaged because a process or the machine died while the journal was
      // written back. The second check reads the journal too, and decides.
    }
    return true
  }

  /// Takes a lock that lasts until close, and returns whether the database is empty.
  ///
  /// In this mode the first read locks out every other process, readers too, and the journal's
  /// index is in our memory instead of a shared file. No other process needs the file: calctl asks
  /// the agent.
  ///
  /// Source: sqlite.org/wal.html section 8, sqlite.org/pragma.html#pragma_locking_mode.
  private static func lock(_ database: Database, _ migrations: Migrations) throws(StoreError)
    -> Bool
  {
    sqlite3_busy_timeout(database.handle, busyTimeoutMilliseconds)
    try database.execute("PRAGMA locking_mode = EXCLUSIVE")
    guard !database.isReadOnly else { throw .readOnly(path: database.path) }
    // With a rollback journal (a new or copied file), a read would only take a shared lock.
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

  /// Sets the options of the connection.
  ///
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
    // Write the journal back, so that the first check recognizes the file alone.
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
