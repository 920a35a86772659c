import Glibc

/// Renames files so that a crash leaves each under its old or its new name.
package enum FileNames {
  /// Renames a file, replacing one that already has that name.
  ///
  /// - Throws: ``SystemError`` with the path.
  package static func move(_ path: String, to other: String) throws(SystemError) {
    try SystemCalls.rename(path, to: other)
  }

  /// Preserves a file under a second name before it is replaced.
  ///
  /// Does nothing if that name exists; where the file system has no hard links, the file is
  /// renamed.
  ///
  /// - Throws: ``SystemError`` with the path.
  package static func keep(_ path: String, as other: String) throws(SystemError) {
    do throws(SystemError) {
      try SystemCalls.link(path, as: other)
    } catch  where error.code != .fileExists {
      try SystemCalls.rename(path, to: other)
    } catch {
      throw error
    }
  }

  /// Waits until the names in a folder are on the disk.
  ///
  /// - Throws: ``SystemError`` with the path.
  package static func synchronize(folder path: String) throws(SystemError) {
    let folder = FileDescriptor(owning: try SystemCalls.open(path, O_RDONLY | O_DIRECTORY))
    try SystemCalls.synchronize(folder.number, path: path)
  }
}
