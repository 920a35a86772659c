import CSQLite
import Messages

extension StoreError {
  /// Converts a result code of SQLite to an error.
  ///
  /// - Parameter handle: the connection whose last call failed; it has the message and errno.
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
    // A sector that the disk can no longer read is damage as well.
    case SQLITE_IOERR where ReadErrors.codes.contains(code):
      self = .corrupt(path: path, detail: message)
    case SQLITE_FULL: self = .full(path: path)
    case SQLITE_IOERR where SystemErrors.full.contains(systemError): self = .full(path: path)
    case SQLITE_IOERR where systemError == SystemErrors.isDirectory:
      self = .unreachable(path: path, reason: SystemErrors.text(systemError) ?? UserText(verbatim: message))
    case SQLITE_CANTOPEN:
      self = .unreachable(path: path, reason: SystemErrors.text(systemError) ?? UserText(verbatim: message))
    default:
      self = .failed(code: code, message: message, sql: sql)
    }
  }

  /// Creates the error for a failed sync of the journal.
  init(syncing path: String, code: Int32, systemError: Int32) {
    if SystemErrors.full.contains(systemError) {
      self = .full(path: path)
    } else {
      let message = String(cString: sqlite3_errstr(code))
      self = .failed(
        code: code, message: "\(message) while the journal was being synced", sql: "")
    }
  }
}

/// Extended result codes of failed reads, which are macros that Swift does not import.
///
/// Source: sqlite.org/rescode.html#extrc.
private enum ReadErrors {
  /// SQLITE_IOERR_READ and SQLITE_IOERR_CORRUPTFS.
  static let codes: Set<Int32> = [266, 8458]
}

/// The errno values (of Linux) that SQLite passes on and that say more than its own code.
///
/// They are repeated here so that this target need not import Glibc.
private enum SystemErrors {
  /// ENOSPC and EDQUOT.
  static let full: Set<Int32> = [28, 122]
  static let isDirectory: Int32 = 21

  /// Returns the text for an errno; nil if SQLite's own message explains it.
  static func text(_ error: Int32) -> UserText? {
    switch error {
    // ENOENT, EACCES, ENOTDIR, EISDIR, EROFS, ELOOP.
    case 2: UserText("no such file or folder")
    case 13: UserText("permission denied")
    case 20: UserText("a part of the path is not a folder")
    case isDirectory: UserText("it is a folder")
    case 30: UserText("the file system is read-only")
    case 40: UserText("too many symbolic links")
    default: nil
    }
  }
}
