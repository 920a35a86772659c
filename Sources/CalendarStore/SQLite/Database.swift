import CSQLite

/// One connection to one database file: statements, transactions, errors.
///
/// It knows nothing of calendars. ``DatabaseFile`` says how the file is opened.
final class Database {
  /// How a file is opened.
  enum Mode {
    /// Only the file itself is read: no lock, no journal, nothing beside it is
    /// looked at or made. Good for a glance at its header.
    case glance
    /// Read and written; it must exist.
    case existing
    /// Read and written; made if it is not there.
    case create
  }

  let path: String
  fileprivate(set) var handle: OpaquePointer?
  /// Whether the open transaction is one that changes share; see ``part(wrapping:_:)``.
  var isShared = false
  /// Makes the shared transaction durable before another begins; false where it could not. It
  /// calls ``commitShared()``.
  var endShared: (() -> Bool)?
  /// By the address of their text: one lookup in place of one compilation.
  private var statements: [StatementName: Statement] = [:]
  /// Those whose SQL is put together while the program runs.
  private var composed: [String: Statement] = [:]

  /// Whether a transaction is left open; see ``stagedPart(_:)``.
  private var hasPart = false
  /// Why a part was lost; its change can only be discarded then.
  var partFailure: StoreError?

  /// Why nothing is written any more; see ``requireSound()``.
  var fault: StoreError?
  /// Runs once, when ``fault`` was found. It may be in the middle of a statement.
  var onFault: ((StoreError) -> Void)?
  /// The file that was opened; nil of a glance, and where it is not watched.
  var identity: FileIdentity?
  /// The journal beside it, once that is there.
  var journalIdentity: FileIdentity?

  /// How many pages the journal had after the last commit, until they were written back.
  private(set) var journalPages = 0
  /// The same, and not forgotten where the commit that made it so long wrote it back.
  private(set) var journalEnd = 0
  /// Whether the disk has all of it.
  private var isJournalSynced = false
  /// Whether the disk has refused some of it. What it has of that nobody knows then, and a second try would tell
  /// of no error any more: nothing is written back from it. Who opens the file next reads what is whole of it.
  ///
  /// Source: fsync(2); PostgreSQL wiki, "Fsync Errors".
  private(set) var isJournalDoubtful = false
  /// Whether a commit waits for the disk.
  private var waitsForDisk = true
  /// Whether commits leave a long journal as it is, for ``writeBack()``, as far as they may.
  var keepsJournal = false
  /// A journal of so many pages is written back by the commit that makes it so long: SQLite's own
  /// default.
  static let usualJournalPages = 1000
  /// The same where journals are kept.
  private static let longestJournalPages = 12_000

  /// Where the SQL of a statement lies in the program.
  private struct StatementName: Hashable {
    let start: UnsafePointer<UInt8>
    let rest: UnsafePointer<UInt8>?
  }

  /// - Throws: ``StoreError``.
  init(path: String, mode: Mode) throws(StoreError) {
    self.path = path
    _ = Database.isPrepared
    let (name, flags) =
      switch mode {
      case .glance: (Database.immutableURI(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
      case .existing: (path, SQLITE_OPEN_READWRITE)
      case .create: (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      }
    // No mutex: there is one thread.
    let code = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else {
      let error = error(code)
      close()
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    // Nothing in the file may run code of its own or break the file by SQL.
    // Source: sqlite.org/security.html.
    set(SQLITE_DBCONFIG_DEFENSIVE, true)
    set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    SearchText.addFunctions(to: handle)
    followJournal()
    if mode != .glance { identity = FileIdentity(path) }
  }

  /// Does what SQLite does by itself after each commit, where that is wanted.
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

  /// Writes what the journal holds into the file.
  ///
  /// What cannot be written there stays in the journal, where it is durable, and is tried again
  /// when more has come: SQLite tells nobody of that either.
  func writeBack() {
    if handle == nil || isJournalDoubtful || fault != nil { return }
    sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    journalPages = 0
  }

  /// Waits until the disk has what the journal holds, which ``writeBack()`` would do first: it takes half as long then.
  ///
  /// - Returns: false where the disk has it already.
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

  /// What is said to SQLite once, before the first connection.
  private static let isPrepared = datebook_sqlite3_keep_no_statistics() == SQLITE_OK

  deinit { close() }

  /// Ends the connection; the lock is free and the journal is in the file when
  /// it returns. With a ``fault`` the journal stays next to the file, which is not
  /// written. Closing twice does nothing.
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

  /// Sets one of SQLite's switches.
  ///
  /// Source: sqlite.org/c3ref/c_dbconfig_defensive.html.
  func set(_ option: Int32, _ on: Bool) {
    _ = datebook_sqlite3_switch(handle, option, on ? 1 : 0)
  }

  /// Whether SQLite could open the file only for reading.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Rows that the last INSERT, UPDATE or DELETE touched.
  var changedRows: Int { Int(sqlite3_changes64(handle)) }

  /// The key of the row that was inserted last.
  var lastKey: Int64 { sqlite3_last_insert_rowid(handle) }

  func error(_ code: Int32, sql: String = "") -> StoreError {
    let error = StoreError(code: code, handle: handle, path: path, sql: sql)
    if error.isDamage { note(fault: error) }
    return error
  }

  /// `file:` with whatever a URI would read otherwise escaped.
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
  /// Runs SQL whose rows, if any, are of no interest.
  ///
  /// - Throws: ``StoreError``.
  func execute(_ sql: String) throws(StoreError) {
    try requireOpen()
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
  }

  /// Returns the statement for this SQL, prepared the first time and kept.
  ///
  /// - Throws: ``StoreError``.
  func statement(_ sql: StaticString) throws(StoreError) -> Statement {
    try statement(StatementName(start: sql.utf8Start, rest: nil)) { sql.description }
  }

  /// Returns the statement for SQL in two parts, of which others share the first.
  ///
  /// - Throws: ``StoreError``.
  func statement(_ sql: StaticString, _ rest: StaticString) throws(StoreError) -> Statement {
    try statement(StatementName(start: sql.utf8Start, rest: rest.utf8Start)) {
      "\(sql) \(rest)"
    }
  }

  /// Returns the statement for SQL in more parts; no other has the same two first ones.
  ///
  /// - Throws: ``StoreError``.
  func statement(parts: [StaticString]) throws(StoreError) -> Statement {
    try statement(StatementName(start: parts[0].utf8Start, rest: parts[1].utf8Start)) {
      parts.map(\.description).joined(separator: " ")
    }
  }

  /// Returns the statement for SQL that is put together while the program runs, for
  /// what is not asked often: it is found by its whole text.
  ///
  /// - Throws: ``StoreError``.
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

  /// Returns the integer that this SQL asks for; 0 if it has no row.
  ///
  /// - Throws: ``StoreError``.
  func integer(_ sql: StaticString) throws(StoreError) -> Int64 {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Runs `body` in one transaction: all that it does is durable when this
  /// returns, and nothing of it has happened when this throws.
  ///
  /// - Parameter waiting: whether the disk is waited for; see ``transactionAheadOfDisk(_:)``.
  /// - Throws: what `body` throws, or what beginning and committing bring up.
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

  /// Runs `body` in one transaction; see ``transaction(wrapping:_:)``.
  func transaction<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try transaction(wrapping: { $0 }, body)
  }

  /// Runs `body` in one transaction that does not wait for the disk: what it does is safe from a crash of
  /// the program when this returns, and from a loss of power with the next transaction that waits. Until then
  /// power may take it away, whole and never in part, since the journal is written in order.
  ///
  /// - Throws: as ``transaction(_:)``.
  func transactionAheadOfDisk<T>(
    _ body: () throws(StoreError) -> T
  ) throws(StoreError) -> T {
    defer { waitForDiskAgain() }
    return try transaction(waiting: false, wrapping: { $0 }, body)
  }

  /// Lets what is written from now on be waited for until the disk has it, or not.
  ///
  /// It comes before each transaction: one before it that could not go back to waiting must not take the
  /// durability of this one.
  ///
  /// Source: sqlite.org/pragma.html#pragma_synchronous.
  func setWaitsForDisk(_ waits: Bool) throws(StoreError) {
    try execute(waits ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
    waitsForDisk = waits
  }

  /// The same for what is written without a transaction, of which nobody is told that it is durable. It fails
  /// where memory is out alone, and each transaction says for itself whether it waits.
  private func waitForDiskAgain() { try? setWaitsForDisk(true) }

  /// Runs `body`, which only reads, in one look at the file: beginning one again for each row costs
  /// a call of the system and more.
  ///
  /// - Throws: what `body` throws, or what beginning and ending bring up.
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

  // MARK: Parts of a staged change

  /// Runs `body` in a transaction that is left open, unless one is: what is written there
  /// need not be durable yet, and pages that are written over and over go into the
  /// journal once. Whatever else is written ends it first; see ``StagedChange``.
  ///
  /// - Throws: ``StoreError``, also one that lost an earlier part; what `body` did is
  ///   undone then, and may be what was done before it.
  func stagedPart(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    if let partFailure { throw partFailure }
    do throws(StoreError) { try requireSound() } catch { try losePart(error) }
    if !hasPart {
      if isShared { try settleShared() }
      // What is lost with the power is taken out as after a kill: the journal is written
      // in order, and the end of the change waits for all of it.
      try setWaitsForDisk(false)
      hasPart = true
      do throws(StoreError) { try execute("BEGIN IMMEDIATE") } catch {
        try losePart(error)
      }
    }
    do throws(StoreError) { try body() } catch { try losePart(error) }
  }

  /// Ends the transaction that was left open, if there is one.
  func endPart() throws(StoreError) {
    guard hasPart else { return }
    do throws(StoreError) {
      try requireSound()
      try execute("COMMIT")
    } catch { return try losePart(error) }
    hasPart = false
    waitForDiskAgain()
  }

  /// Undoes the transaction of a part that is left open, whose change cannot go on; see
  /// ``EventStore/copy(to:)``.
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

  /// Undoes the open transaction. Some errors have ended it already; undoing
  /// cannot fail otherwise, since the journal is what holds the new pages.
  func rollBack() {
    if isTransactionOpen { try? execute("ROLLBACK") }
  }

  /// Whether a transaction is open that has begun with BEGIN.
  var isTransactionOpen: Bool { handle != nil && sqlite3_get_autocommit(handle) == 0 }
}
