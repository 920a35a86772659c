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
  /// It gets the permissions of the old one; where there is none, those that the
  /// umask leaves. What is no regular file, such as a pipe or /dev/null, is written
  /// in place.
  ///
  /// - Throws: ``SystemError`` with the path.
  package init(of path: String) throws(SystemError) {
    self.path = path
    let old = try SystemCalls.status(ofPath: path)?.mode
    if let old, old & S_IFMT != S_IFREG {
      descriptor = FileDescriptor(owning: try SystemCalls.open(path, O_WRONLY | O_NOCTTY))
      return
    }
    let (directory, name) = AtomicFile.split(path)
    do throws(SystemError) {
      let (aside, descriptor) = try AtomicFile.makeAside(directory, name, mode: 0o666)
      self.descriptor = descriptor
      self.aside = aside
    } catch {
      // The name of the file beside it is nobody's business.
      throw SystemError(error.code, call: error.call, path: path)
    }
    if let old { try SystemCalls.setMode(descriptor.number, old & 0o777, path: path) }
  }

  /// Puts the new content in the place of the old.
  ///
  /// - Throws: ``SystemError`` with the path; the old content stays.
  package func commit() throws(SystemError) {
    guard let aside else { return }
    try SystemCalls.rename(aside, to: path)
    self.aside = nil
  }

  deinit {
    if let aside { try? SystemCalls.unlink(aside) }
  }
}
