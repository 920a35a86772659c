import Glibc

/// Files under other names, which a crash leaves under the one or the other.
package enum FileNames {
  /// Gives a file another name, in the place of one that has it.
  ///
  /// - Throws: ``SystemError`` with the path.
  package static func move(_ path: String, to other: String) throws(SystemError) {
    try SystemCalls.rename(path, to: other)
  }

  /// Keeps a file under another name before another one takes its place; where the file system has no
  /// second names, it is moved.
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

  /// Waits until the disk has the names of a folder.
  ///
  /// - Throws: ``SystemError`` with the path.
  package static func synchronize(folder path: String) throws(SystemError) {
    let folder = FileDescriptor(owning: try SystemCalls.open(path, O_RDONLY | O_DIRECTORY))
    try SystemCalls.synchronize(folder.number, path: path)
  }
}
