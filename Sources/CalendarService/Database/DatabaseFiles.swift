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

  /// Makes an empty private file for SQLite to fill, replacing an existing one.
  ///
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

  /// Replaces this database by another one, and saves this one with its journal as a backup.
  ///
  /// - Throws: ``SystemError``.
  func replace(with other: String, keepingAs id: String) throws(SystemError) {
    let kept = backups.file(of: id)
    if DatabaseFiles.isThere(path) {
      try FileNames.keep(path, as: kept)
      // SQLite would apply the journal of the old database to the new one.
      if DatabaseFiles.isThere(journal) { try FileNames.move(journal, to: kept + "-wal") }
    }
    try FileNames.move(other, to: path)
    try FileNames.synchronize(folder: folder)
  }
}
