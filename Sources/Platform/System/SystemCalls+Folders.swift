import CLinux
import Glibc

/// What identifies the content of a file without reading it.
package struct FileVersion: Hashable, Sendable {
  let size: Int64
  /// Nanoseconds since 1970.
  let modified: Int64
  /// When the content, the name or the permissions changed, likewise. Some clocks of files have
  /// steps of milliseconds.
  let changed: Int64
  let inode: UInt64

  /// The same for the same version, in every process.
  package var text: String {
    [UInt64(bitPattern: size), UInt64(bitPattern: modified), UInt64(bitPattern: changed), inode]
      .map { String($0, radix: 36) }.joined(separator: "-")
  }

  /// Whether both are the same file with the same content, perhaps under another name.
  ///
  /// Renaming a file counts as a change of its status.
  func isSameContent(as other: FileVersion) -> Bool {
    (size, modified, inode) == (other.size, other.modified, other.inode)
  }
}

extension SystemCalls {
  /// The version of a file, its permissions and what it is.
  struct FileStatus {
    let version: FileVersion
    let mode: UInt32

    var isRegular: Bool { mode & S_IFMT == S_IFREG }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }

    fileprivate init(_ status: stat) {
      func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
      }
      version = FileVersion(
        size: Int64(status.st_size), modified: nanoseconds(status.st_mtim),
        changed: nanoseconds(status.st_ctim), inode: UInt64(status.st_ino))
      mode = status.st_mode
    }
  }

  /// Returns the status of an open file. fstat(2).
  static func fileStatus(_ descriptor: Int32, path: String) throws(SystemError) -> FileStatus {
    var status = stat()
    try check("fstat", path) { fstat(descriptor, &status) }
    return FileStatus(status)
  }

  /// Returns the status of a path; links are followed. stat(2), lstat(2).
  static func fileStatus(
    ofPath path: String, followingLinks: Bool = true
  ) throws(SystemError) -> FileStatus {
    var status = stat()
    try check("stat", path) { followingLinks ? stat(path, &status) : lstat(path, &status) }
    return FileStatus(status)
  }

  /// Returns a number for the file system that a folder is in; nil if there is no such folder.
  ///
  /// It may be another one after a restart. stat(2), `st_dev`.
  package static func fileSystem(ofFolder path: String) -> UInt64? {
    identity(ofFolder: path)?.device
  }

  /// Returns whether this process may read a file. access(2), R_OK.
  static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Returns whether this process may add files to a folder. access(2), W_OK and X_OK.
  package static func isWritable(folder path: String) -> Bool { access(path, W_OK | X_OK) == 0 }

  /// Makes a folder. mkdir(2).
  ///
  /// - Throws: ``SystemError`` with the path.
  package static func makeFolder(_ path: String) throws(SystemError) {
    try makeDirectory(path, mode: 0o777)
  }

  /// Exchanges the files of two names at once; false where the file system cannot.
  ///
  /// renameat2(2), RENAME_EXCHANGE.
  static func exchange(_ path: String, with other: String) throws(SystemError) -> Bool {
    try renameByFlag(path, to: other, flag: 2)
  }

  /// Renames a file unless the new name is in use; false where the file system cannot.
  ///
  /// renameat2(2), RENAME_NOREPLACE.
  static func renameToFreeName(_ path: String, to other: String) throws(SystemError) -> Bool {
    try renameByFlag(path, to: other, flag: 1)
  }

  private static func renameByFlag(
    _ path: String, to other: String, flag: UInt32
  ) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try check("renameat2", other) { renameat2(AT_FDCWD, path, AT_FDCWD, other, flag) }
      return true
    } catch {
      // The errors of kernels and file systems that do not support it.
      guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code.rawValue) else { throw error }
      return false
    }
  }
}
