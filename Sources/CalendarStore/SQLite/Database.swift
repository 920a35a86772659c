import CSQLite

/// One connection to one database file: statements, transactions, errors.
///
/// It knows nothing about calendars. ``DatabaseFile`` opens it in the right way.
final class Database {
  /// How to open a file.
  enum Mode {
    /// Reads the file alone, to check its header: no locks, no journal, nothing created.
    case glance
    /// Reads and writes a file that must exist.
    case existing
    /// Reads and writes a file, and creates it if needed.
    case create
  }

  let path: String
  fileprivate(set) var handle: OpaquePointer?
  /// Whether a shared transaction is open; see ``part(wrapping:_:)``.
  var isShared = false
  /// Called to end the shared transaction before another begins; returns whether that succeeded.
  ///
  /// It must call ``commitShared()``.
  var endShared: (() -> Bool)?
  /// Cached statements by the address of their SQL, which avoids hashing the text.
  private var statements: [StatementName: Statement] = [:]
  /// Cached statements whose SQL is composed at run time.
  private var composed: [String: Statement] = [:]

  /// Whether the transaction of a batch is open; see ``stagedPart(_:)``.
  private var hasPart = false
  /// Why a batch was lost; its change can then only be discarded.
  var partFailure: StoreError?

  /// Why nothing may be written any more; see ``requireSound()``.
  var fault: StoreError?
  /// Called once, when ``fault`` is set, possibly in the middle of a statement.
  var onFault: ((StoreError) -> Void)?
  /// The file that was opened; nil for ``Mode/glance``, or to stop checking it.
  var identity: FileIdentity?
  /// The journal file, once it exists.
  var journalIdentity: FileIdentity?

  /// The pages in the journal after the last commit; 0 once they were written back.
  private(set) var journalPages = 0
  /// As ``journalPages``, but not reset when the commit wrote the journal back.
  private(set) var journalEnd = 0
  /// Whether the disk has the whole journal.
  private var isJournalSynced = false
  /// Whether the disk failed to sync the journal.
  ///
  /// The state on disk is then unknown, and a second sync would report no error. So nothing is
  /// written back; the next to open the file reads the intact part of the journal.
  ///
  /// Source: fsync(2); PostgreSQL wiki, "Fsync Errors".
  private(set) var isJournalDoubtful = false
  /// Whether a commit waits for the disk.
  private var waitsForDisk = true
  /// Whether commits leave a long journal to ``writeBack()``, up to a limit.
  var keepsJournal = false
  /// A commit writes the journal back from this many pages on: SQLite's own default.
  static let usualJournalPages = 1000
  /// The same limit while ``keepsJournal`` is set.
  private static let longestJournalPages = 12_000

  /// The addresses of a statement's SQL in the program.
  private struct StatementName: Hashable {
    let start: UnsafePointer<UInt8>
    let rest: UnsafePointer<UInt8>?
  }

  /// Opens a connection.
  ///
  /// - Throws: ``StoreError`` if the file cannot be opened.
  init(path: String, mode: Mode) throws(StoreError) {
    self.path = path
    _ = Database.isPrepared
    let (name, flags) =
      switch mode {
      case .glance: (Database.immutableURI(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
      case .existing: (path, SQLITE_OPEN_READWRITE)
      case .create: (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      }
    // No mutex: only one thread uses the connection.
    let code = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else {
      let error = error(code)
      close()
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    // Nothing in the file may run code or damage the file with SQL.
    // Source: sqlite.org/security.html.
    set(SQLITE_DBCONFIG_DEFENSIVE, true)
    set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    SearchText.addFunctions(to: handle)
    followJournal()
    if mode != .glance { identity = FileIdentity(path) }
  }

  /// Replaces SQLite's automatic checkpoint after each commit, to follow ``keepsJournal``.
  ///
  /// Source: sqlite.org/c3ref/wal_hook.html.
  private func followJournal() {
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        let database = Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
        database.journalPages = Int(pages)
        database.journalEnd = Int(pages)
        database.isJournalSynced = database.waitsForDisk
        let limit =
          database.keepsJournal ? Database.longestJournalPages : Database.usualJournalPages
        if database.journalPages >= limit { database.writeBack() }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Writes the journal back into the file.
  ///
  /// If that fails, the pages stay durable in the journal and are tried again later. SQLite's
  /// automatic checkpoint reports no error either.
  func writeBack() {
    if handle == nil || isJournalDoubtful || fault != nil { return }
    sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    journalPages = 0
  }

  /// Waits until the whole journal is on disk; ``writeBack()`` then takes half as long.
  ///
  /// - Returns: false if it was on disk already.
  /// - Throws: ``StoreError``, once; see ``isJournalDoubtful``.
  func syncJournal() throws(StoreError) -> Bool {
    if handle == nil || isJournalSynced { return false }
    var systemError: Int32 = 0
    let code = datebook_sqlite3_sync_journal(handle, &systemError)
    guard code == SQLITE_OK else {
      isJournalDoubtful = true
      set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
      throw StoreError(syncing: path, code: code, systemError: systemError)
    }
    isJournalSynced = true
    return true
  }

  /// Configures SQLite once, before the first connection.
  private static let isPrepared = datebook_sqlite3_keep_no_statistics() == SQLITE_OK

  deinit { close() }

  /// Closes the connection: the lock is released, and the journal written back.
  ///
  /// With a ``fault``, the file is not written, and the journal stays next to it. Closing twice
  /// does nothing.
  func close() {
    if handle != nil, identity != nil {
      try? requireSound()
      if fault != nil { set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) }
    }
    for statement in statements.values { statement.finalize() }
    for statement in composed.values { statement.finalize() }
    statements = [:]
    composed = [:]
    sqlite3_close_v2(handle)
    handle = nil
    journalPages = 0
  }

  /// Sets a boolean option of the connection.
  ///
  /// Source: sqlite.org/c3ref/c_dbconfig_defensive.html.
  func set(_ option: Int32, _ on: Bool) {
    _ = datebook_sqlite3_switch(handle, option, on ? 1 : 0)
  }

  /// Whether SQLite could open the file only for reading.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  var changedRows: Int { Int(sqlite3_changes64(handle)) }

  /// The key of the last inserted row.
  var lastKey: Int64 { sqlite3_last_insert_rowid(handle) }

  func error(_ code: Int32, sql: String = "") -> StoreError {
    let error = StoreError(code: code, handle: handle, path: path, sql: sql)
    if error.isDamage { note(fault: error) }
    return error
  }

  /// Returns a `file:` URI with the characters escaped that have a meaning in a URI.
  ///
  /// Source: sqlite.org/uri.html.
  private static func immutableURI(_ path: String) -> String {
    var uri = Array("file:".utf8)
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"):
        uri += Array("%\(String(byte, radix: 16))".utf8)
      default: uri.append(byte)
      }
    }
    return String(decoding: uri, as: UTF8.self) + "?immutable=1"
  }
}

extension Database {
  /// Runs SQL and ignores its rows, if any.
  ///
  /// - Throws: ``StoreError`` if the SQL fails.
  func execute(_ sql: String) throws(StoreError) {
    try requireOpen()
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
  }

  /// Returns the cached statement for this SQL, prepared on first use.
  ///
  /// - Throws: ``StoreError`` if the SQL cannot be prepared.
  func statement(_ sql: StaticString) throws(StoreError) -> Statement {
    try statement(StatementName(start: sql.utf8Start, rest: nil)) { sql.description }
  }

  /// Returns the cached statement for SQL in two parts; several statements may share the first.
  ///
  /// - Throws: ``StoreError`` if the SQL cannot be prepared.
  func statement(_ sql: StaticString, _ rest: StaticString) throws(StoreError) -> Statement {
    try statement(StatementName(start: sql.utf8Start, rest: rest.utf8Start)) {
      "\(sql) \(rest)"
    }
  }

  /// Returns the cached statement for SQL in several parts; the first two must identify it.
  ///
  /// - Throws: ``StoreError`` if the SQL cannot be prepared.
  func statement(parts: [StaticString]) throws(StoreError) -> Statement {
    try statement(StatementName(start: parts[0].utf8Start, rest: parts[1].utf8Start)) {
      parts.map(\.description).joined(separator: " ")
    }
  }

  /// Returns the cached statement for SQL that is composed at run time.
  ///
  /// The whole text is the key, so use this for rare statements.
  ///
  /// - Throws: ``StoreError`` if the SQL cannot be prepared.
  func statement(composed sql: String) throws(StoreError) -> Statement {
    if let known = composed[sql] { return known }
    try requireOpen()
    let statement = try Statement(sql, in: self)
    composed[sql] = statement
    return statement
  }

  private func statement(
    _ name: StatementName, _ sql: () -> String
  ) throws(StoreError) -> Statement {
    if let known = statements[name] { return known }
    try requireOpen()
    let statement = try Statement(sql(), in: self)
    statements[name] = statement
    return statement
  }

  /// Returns the integer that this SQL selects; 0 if it has no row.
  ///
  /// - Throws: ``StoreError`` if the SQL fails.
  func integer(_ sql: StaticString) throws(StoreError) -> Int64 {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Runs `body` in one transaction: it is durable when this returns, and undone when this throws.
  ///
  /// - Parameter waiting: whether to wait for the disk; see ``transactionAheadOfDisk(_:)``.
  /// - Throws: what `body` throws, or a wrapped ``StoreError`` when the transaction fails.
  func transaction<T, E: Error>(
    waiting: Bool = true, wrapping: (StoreError) -> E, _ body: () throws(E) -> T
  ) throws(E) -> T {
    do throws(StoreError) {
      if isShared { try settleShared() }
      try endPart()
      try requireSound()
      try setWaitsForDisk(waiting)
      try execute("BEGIN IMMEDIATE")
    } catch { throw wrapping(error) }
    let result: T
    do throws(E) { result = try body() } catch {
      rollBack()
      throw error
    }
    do throws(StoreError) { try execute("COMMIT") } catch {
      rollBack()
      throw wrapping(error)
    }
    return result
  }

  /// Runs `body` in one transaction; see ``transaction(waiting:wrapping:_:)``.
  func transaction<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try transaction(wrapping: { $0 }, body)
  }

  /// Runs `body` in one transaction that does not wait for the disk.
  ///
  /// The result survives a crash of the program at once, and a loss of power after the next
  /// transaction that waits. Until then a loss of power undoes it as a whole, since the journal is
  /// written in order.
  ///
  /// - Throws: as ``transaction(_:)``.
  func transactionAheadOfDisk<T>(
    _ body: () throws(StoreError) -> T
  ) throws(StoreError) -> T {
    defer { waitForDiskAgain() }
    return try transaction(waiting: false, wrapping: { $0 }, body)
  }

  /// Sets whether the following commits wait for the disk.
  ///
  /// Every transaction sets this at its start, in case an earlier one failed to restore it.
  ///
  /// Source: sqlite.org/pragma.html#pragma_synchronous.
  func setWaitsForDisk(_ waits: Bool) throws(StoreError) {
    try execute(waits ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
    waitsForDisk = waits
  }

  /// Restores waiting for statements outside of transactions.
  ///
  /// This fails only when memory is exhausted, and each transaction sets the mode for itself.
  private func waitForDiskAgain() { try? setWaitsForDisk(true) }

  /// Runs `body`, which only reads, in one read transaction, to avoid system calls for each row.
  ///
  /// - Throws: what `body` throws, or a ``StoreError`` when the transaction fails.
  func reading<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    if isTransactionOpen { return try body() }
    try statement("BEGIN").run()
    let result: T
    do throws(StoreError) { result = try body() } catch {
      rollBack()
      throw error
    }
    try statement("COMMIT").run()
    return result
  }

  // MARK: Batches of a staged change

  /// Runs `body` in a transaction that stays open for the next batch, and begins it if needed.
  ///
  /// Batches need not be durable at once, and pages written again and again then go into the
  /// journal only once. Any other write ends the transaction first; see ``StagedChange``.
  ///
  /// - Throws: ``StoreError``, also if an earlier batch was lost. Everything in the open
  ///   transaction is rolled back then.
  func stagedPart(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    if let partFailure { throw partFailure }
    do throws(StoreError) { try requireSound() } catch { try losePart(error) }
    if !hasPart {
      if isShared { try settleShared() }
      // After a loss of power an unfinished change is removed as after a kill: the journal is
      // written in order, and the end of the change waits for all of it.
      try setWaitsForDisk(false)
      hasPart = true
      do throws(StoreError) { try execute("BEGIN IMMEDIATE") } catch {
        try losePart(error)
      }
    }
    do throws(StoreError) { try body() } catch { try losePart(error) }
  }

  /// Commits the open transaction of batches, if there is one.
  func endPart() throws(StoreError) {
    guard hasPart else { return }
    do throws(StoreError) {
      try requireSound()
      try execute("COMMIT")
    } catch { return try losePart(error) }
    hasPart = false
    waitForDiskAgain()
  }

  /// Rolls back the transaction of batches if the file has a fault; see ``EventStore/copy(to:)``.
  func abandonPart() {
    guard hasPart, let fault else { return }
    try? losePart(fault)
  }

  private func losePart(_ failure: StoreError) throws(StoreError) {
    rollBack()
    hasPart = false
    partFailure = failure
    waitForDiskAgain()
    throw failure
  }

  /// Rolls back the open transaction, unless an error has ended it already.
  ///
  /// This cannot fail otherwise: the new pages are only in the journal.
  func rollBack() {
    if isTransactionOpen { try? execute("ROLLBACK") }
  }

  /// Whether a transaction begun with BEGIN is open.
  var isTransactionOpen: Bool { handle != nil && sqlite3_get_autocommit(handle) == 0 }
}
