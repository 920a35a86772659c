internal import CSQLite

/// A copy of the database in a new file, made some pages at a time while others read and write.
///
/// Source: sqlite.org/backup.html.
package final class DatabaseCopy {
  private let source: EventStore
  private let target: Database
  private var handle: OpaquePointer?

  /// - Parameter path: of a file that is not there yet.
  /// - Throws: ``StoreError``.
  package init(of store: EventStore, to path: String) throws(StoreError) {
    source = store
    target = try Database(path: path, mode: .create)
    // The copy is read once and thrown away: nobody waits for the disk.
    try target.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
    handle = sqlite3_backup_init(target.handle, "main", store.database.handle, "main")
    if handle == nil { throw target.error(sqlite3_errcode(target.handle)) }
  }

  deinit { end() }

  /// How many pages are copied at once: 1 MiB.
  private static let pagesAtOnce: Int32 = 256

  package enum Progress {
    case goesOn
    /// A transaction is open that writes: its pages can be copied once it is over.
    case waits
    case isDone
  }

  /// Copies some pages.
  ///
  /// - Throws: ``StoreError``; the copy is of no use then.
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
  /// Writes all that a database holds whose file was moved into a new one, at once. Of a change that is being
  /// stored what is durable is in it.
  ///
  /// - Throws: ``StoreError``.
  package func copy(to path: String) throws(StoreError) {
    database.abandonPart()
    try database.vacuum(into: path)
  }

  /// Checks a copy of a database, and writes it into a new file without the pages that are free.
  /// It needs no store, and may run on any thread.
  ///
  /// - Throws: ``StoreError/corrupt(path:detail:)`` with the path of the copy where what was copied
  ///   is damaged, and what writing brings up.
  package static func checkAndCompact(
    _ copy: String, into path: String
  ) throws(StoreError) {
    let database = try Database(path: copy, mode: .existing)
    defer { database.close() }
    let fault = try database.quickCheck()
    if let fault { throw .corrupt(path: copy, detail: fault) }
    try database.vacuum(into: path)
  }

  /// Writes all that a database holds which no program has open into a new file.
  ///
  /// - Throws: ``StoreError``.
  package static func copy(ofFile path: String, to other: String) throws(StoreError) {
    let database = try Database(path: path, mode: .existing)
    defer { database.close() }
    try database.vacuum(into: other)
  }

  /// How much a database file holds.
  package struct Summary: Sendable {
    package let events: Int
    package let revision: UInt64
  }

  /// Looks at a database that no program has open, such as a backup.
  ///
  /// - Throws: ``StoreError``, for one that is not ours, too.
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
  /// Returns the first fault of the file; nil where it has none.
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
  fileprivate func vacuum(into path: String) throws(StoreError) {
    let statement = try Statement("VACUUM INTO ?1", in: self)
    defer { statement.finalize() }
    statement.bind(1, path)
    try statement.run()
  }
}
