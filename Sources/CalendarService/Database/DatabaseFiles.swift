import CalendarStore
import Platform

/// The paths of the database and of the files next to it.
struct DatabaseFiles {
  /// The database itself.
  let path: String

  var folder: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
  var name: String { String(path[path.index(folder.endIndex, offsetBy: 1)...]) }
  var journal: String { path + "-wal" }
  /// The readable rows of a damaged database.
  var readable: String { path + "-readable" }
  /// A new database that will replace this one.
  var new: String { path + "-new" }
  /// The file that exists while the agent is paused.
  var pauseMark: String { folder + "/paused" }
  var backups: BackupFolder { BackupFolder(path: folder + "/backups") }

  /// Whether a path leads to a file.
  static func isThere(_ path: String) -> Bool { SystemCalls.size(ofPath: path) != nil }

  /// Makes an empty file that is the user's alone, replacing an existing one, for SQLite to fill:
  /// SQLite itself makes files with the permissions of the umask.
  ///
  /// - Throws: as ``UserDirectories/makePrivateFile(_:)``.
  static func make(_ path: String) throws(PlatformError) {
    remove(path)
    try UserDirectories.makePrivateFile(path)
  }

  /// Removes a file with its journal, if they exist.
  static func remove(_ path: String) {
    for end in ["", "-wal", "-shm", "-journal"] { try? AtomicFile.remove(path + end) }
  }

  /// Replaces this database by another, and saves this one as a backup with its journal. A crash
  /// leaves the one or the other.
  ///
  /// - Throws: ``SystemError``.
  func replace(with other: String, keepingAs id: String) throws(SystemError) {
    let kept = backups.file(of: id)
    if DatabaseFiles.isThere(path) {
      try FileNames.keep(path, as: kept)
      // The journal of one must not be read into the other.
      if DatabaseFiles.isThere(journal) { try FileNames.move(journal, to: kept + "-wal") }
    }
    try FileNames.move(other, to: path)
    try FileNames.synchronize(folder: folder)
  }
}
