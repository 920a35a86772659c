import Glibc

/// A file that another program writes, and that takes the place of an old one when it is whole.
///
/// Until ``commit()`` the old file is as it was. What is not committed goes with the
/// last reference.
package final class FileReplacement {
  /// Where the new content goes.
  package let descriptor: FileDescriptor
  private let path: String
  /// Where the content lies until it is whole; nil for what is written in place.
  private var aside: String?

  /// Makes a file beside the one that is to be replaced.
  ///
  /// It gets the permissions of the old one, from its first moment on none that the old
  /// one has not; where there is none, those that the umask leaves. A symbolic link is
  /// followed, as programs that write in place do: what it points to is replaced, or
  /// made. What is no regular file, such as a pipe or /dev/null, is written in place.
  ///
  /// What nobody may write, as its permissions say, is left alone: that the folder could be written is an
  /// accident.
  ///
  /// - Throws: ``SystemError`` with the path, for a file that is read-only too.
  package init(of path: String) throws(SystemError) {
    let old = try SystemCalls.status(ofPath: path)?.mode
    if let old, old & S_IFMT != S_IFREG {
      self.path = path
      descriptor = FileDescriptor(owning: try SystemCalls.open(path, O_WRONLY | O_NOCTTY))
      return
    }
    if let old, old & 0o222 == 0 || !SystemCalls.isWritable(path) {
      throw SystemError(.permissionDenied, call: "access", path: path)
    }
    let target = FileReplacement.target(of: path)
    self.path = target
    let (directory, name) = AtomicFile.split(target)
    do throws(SystemError) {
      let mode = old.map { $0 & 0o777 } ?? 0o666
      let (aside, descriptor) = try AtomicFile.makeAside(directory, name, mode: mode)
      self.descriptor = descriptor
      self.aside = aside
    } catch {
      // The name of the file beside it is nobody's business.
      throw SystemError(error.code, call: error.call, path: path)
    }
    if let old { try SystemCalls.setMode(descriptor.number, old & 0o777, path: path) }
  }

  /// What symbolic links lead to, whether that is there or not.
  private static func target(of path: String) -> String {
    var path = path
    // More than the system follows; it has told of a circle before this is asked.
    for _ in 0..<40 {
      guard let target = try? SystemCalls.linkTarget(path) else { break }
      path = target.hasPrefix("/") ? target : AtomicFile.split(path).directory + "/" + target
    }
    return path
  }

  /// Puts the new content in the place of the old, once it is on the disk: a machine that
  /// stops has the one or the other.
  ///
  /// - Throws: ``SystemError`` with the path; the old content stays.
  package func commit() throws(SystemError) {
    guard let aside else { return }
    try SystemCalls.synchronize(descriptor.number, path: path)
    try SystemCalls.rename(aside, to: path)
    self.aside = nil
  }

  deinit {
    if let aside { try? SystemCalls.unlink(aside) }
  }
}
