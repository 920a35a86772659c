internal import CSQLite

/// A copy of the database, made some pages at a time while others read and write.
///
/// Source: sqlite.org/backup.html.
package final class DatabaseCopy {
  private let source: EventStore
  private let target: Database
  private var handle: OpaquePointer?

  /// Begins a copy.
  ///
  /// - Parameter path: a file that does not exist yet.
  /// - Throws: ``StoreError`` if the file cannot be created.
  package init(of store: EventStore, to path: String) throws(StoreError) {
    source = store
    target = try Database(path: path, mode: .create)
    // The copy is temporary: it need not survive a loss of power.
    try target.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
    handle = sqlite3_backup_init(target.handle, "main", store.database.handle, "main")
    if handle == nil { throw target.error(sqlite3_errcode(target.handle)) }
  }

  deinit { end() }

  /// The pages per call: 1 MiB.
  private static let pagesAtOnce: Int32 = 256

  package enum Progress {
    case goesOn
    /// Another transaction is writing; try again when it is over.
    case waits
    case isDone
  }

  /// Copies some pages.
  ///
  /// - Throws: ``StoreError``; then the copy is unusable.
  package func copySome() throws(StoreError) -> Progress {
    try source.database.requireOpen()
    let code = sqlite3_backup_step(handle, DatabaseCopy.pagesAtOnce)
    switch code {
    case SQLITE_OK: return .goesOn
    case SQLITE_BUSY, SQLITE_LOCKED: return .waits
    case SQLITE_DONE:
      end()
      return .isDone
    default: throw StoreError(code: code, handle: target.handle, path: target.path)
    }
  }

  private func end() {
    sqlite3_backup_finish(handle)
    handle = nil
    target.close()
  }
}

extension EventStore {
  /// Writes the content of a database whose file was moved away into a new file, at once.
  ///
  /// Of an unfinished batched change it contains the committed batches.
  ///
  /// - Throws: ``StoreError`` if reading or writing fails.
  package func copy(to path: String) throws(StoreError) {
    database.abandonPart()
    try database.vacuum(into: path)
  }

  /// Checks a copy of a database, and writes it into a new file without its free pages.
  ///
  /// It needs no store, and may run on any thread.
  ///
  /// - Throws: ``StoreError/corrupt(path:detail:)`` with the path of the copy if the content is
  ///   damaged, or another ``StoreError`` when writing fails.
  package static func checkAndCompact(
    _ copy: String, into path: String
  ) throws(StoreError) {
    let database = try Database(path: copy, mode: .existing)
    defer { database.close() }
    let fault = try database.quickCheck()
    if let fault { throw .corrupt(path: copy, detail: fault) }
    try database.vacuum(into: path)
  }

  /// Copies the content of a database file that no program has open into a new file.
  ///
  /// - Throws: ``StoreError`` if reading or writing fails.
  package static func copy(ofFile path: String, to other: String) throws(StoreError) {
    let database = try Database(path: path, mode: .existing)
    defer { database.close() }
    try database.vacuum(into: other)
  }

  /// The size and revision of a database file.
  package struct Summary: Sendable {
    package let events: Int
    package let revision: UInt64
  }

  /// Reads the summary of a database that no program has open, such as a backup.
  ///
  /// - Throws: ``StoreError``; ``StoreError/notADatabase(path:)`` if another program made the file.
  package static func summary(ofFile path: String) throws(StoreError) -> Summary {
    let database = try Database(path: path, mode: .glance)
    defer { database.close() }
    guard try database.integer("PRAGMA application_id") == Int64(DatabaseFile.applicationID) else {
      throw .notADatabase(path: path)
    }
    return Summary(
      events: Int(try database.integer("SELECT count(*) FROM series")),
      revision: UInt64(
        max(0, try database.integer("SELECT value FROM meta WHERE name = 'revision'"))))
  }
}

extension Database {
  /// Returns the first fault of the file; nil if it has none.
  ///
  /// Source: sqlite.org/pragma.html#pragma_quick_check.
  fileprivate func quickCheck() throws(StoreError) -> String? {
    let check = try Statement("PRAGMA quick_check(1)", in: self)
    defer { check.finalize() }
    guard try check.step() else { return nil }
    let text = check.text(0)
    return text == "ok" ? nil : text
  }

  /// Source: sqlite.org/lang_vacuum.html#vacuuminto.
  func vacuum(into path: String) throws(StoreError) {
    let statement = try Statement("VACUUM INTO ?1", in: self)
    defer { statement.finalize() }
    statement.bind(1, path)
    try statement.run()
  }
}
