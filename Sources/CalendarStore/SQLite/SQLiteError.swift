import CSQLite

extension StoreError {
  /// Makes the error for a result code of SQLite.
  ///
  /// - Parameter handle: the connection whose last call failed; it is asked for
  ///   the words and for errno.
  ///
  /// Source: sqlite.org/rescode.html.
  init(code: Int32, handle: OpaquePointer?, path: String, sql: String = "") {
    let message =
      handle.flatMap(sqlite3_errmsg).map { String(cString: $0) }
      ?? String(cString: sqlite3_errstr(code))
    let systemError = handle.map(sqlite3_system_errno) ?? 0
    switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .held(path: path)
    case SQLITE_READONLY, SQLITE_PERM: self = .readOnly(path: path)
    case SQLITE_NOTADB: self = .notADatabase(path: path)
    case SQLITE_CORRUPT: self = .corrupt(path: path, detail: message)
    // A sector that the disk cannot read any more is damage as well.
    case SQLITE_IOERR where ReadErrors.codes.contains(code):
      self = .corrupt(path: path, detail: message)
    case SQLITE_FULL: self = .full(path: path)
    case SQLITE_IOERR where SystemErrors.full.contains(systemError): self = .full(path: path)
    case SQLITE_IOERR where systemError == SystemErrors.isDirectory:
      self = .unreachable(path: path, reason: SystemErrors.words[systemError] ?? message)
    case SQLITE_CANTOPEN:
      self = .unreachable(path: path, reason: SystemErrors.words[systemError] ?? message)
    default:
      self = .failed(code: code, message: message, sql: sql)
    }
  }

  /// What came up as the disk was to have the journal, of which the connection knows nothing.
  init(syncing path: String, code: Int32, systemError: Int32) {
    if SystemErrors.full.contains(systemError) {
      self = .full(path: path)
    } else {
      let message = String(cString: sqlite3_errstr(code))
      self = .failed(
        code: code, message: "\(message), as the journal was to be on the disk", sql: "")
    }
  }
}

/// The extended result codes of reading that fails; the header has them as sums, which Swift does not import.
///
/// Source: sqlite.org/rescode.html#extrc.
private enum ReadErrors {
  /// SQLITE_IOERR_READ and SQLITE_IOERR_CORRUPTFS.
  static let codes: Set<Int32> = [266, 8458]
}

/// The few values of errno that SQLite passes on and that say more than its own
/// code. They are Linux's; this target does not import Glibc for five numbers.
private enum SystemErrors {
  /// ENOSPC and EDQUOT.
  static let full: Set<Int32> = [28, 122]
  static let isDirectory: Int32 = 21
  /// ENOENT, EACCES, ENOTDIR, EISDIR, ELOOP, EROFS.
  static let words: [Int32: String] = [
    2: "no such file or folder", 13: "permission denied", 20: "a part of the path is no folder",
    21: "it is a folder", 30: "the file system is read-only", 40: "too many symbolic links",
  ]
}
