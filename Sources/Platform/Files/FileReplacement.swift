import Glibc

/// A file that replaces an old one once it is complete; another program writes its content.
///
/// Until ``commit()`` the old file is unchanged. Without it, the content is dropped with the last
/// reference.
package final class FileReplacement {
  /// The descriptor to write the new content to.
  package let descriptor: FileDescriptor
  private let path: String
  /// Where the content is until it is complete.
  private var place: Place

  private enum Place {
    /// In a file without a name: if the process is killed, nothing is left.
    case nameless
    /// In a temporary file next to it, where the file system has no nameless files.
    case aside(String)
    /// In the file itself, which is not a regular file; or it was committed.
    case inPlace
  }

  /// Makes a file in the folder of the one that it is to replace.
  ///
  /// It has the permissions of the old file, and never more; a new one has those that the umask
  /// leaves. A symbolic link is followed, as in writing in place: its target is replaced or made.
  /// Anything but a regular file, such as a pipe or /dev/null, is written in place.
  ///
  /// A read-only file is left alone, even if its folder can be written.
  ///
  /// - Throws: ``SystemError`` with the path, also for a read-only file.
  package init(of path: String) throws(SystemError) {
    let old = try SystemCalls.status(ofPath: path)?.mode
    if let old, old & S_IFMT != S_IFREG {
      self.path = path
      descriptor = FileDescriptor(owning: try SystemCalls.open(path, O_WRONLY | O_NOCTTY))
      place = .inPlace
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
      if let nameless = try SystemCalls.makeNameless(in: directory, mode: mode) {
        descriptor = FileDescriptor(owning: nameless)
        place = .nameless
      } else {
        let (aside, descriptor) = try AtomicFile.makeAside(directory, name, mode: mode)
        self.descriptor = descriptor
        place = .aside(aside)
      }
    } catch {
      // Report the file's own path, not that of the temporary file.
      throw SystemError(error.code, call: error.call, path: path)
    }
    if let old { try SystemCalls.setMode(descriptor.number, old & 0o777, path: path) }
  }

  /// Returns what symbolic links lead to, even if it does not exist.
  private static func target(of path: String) -> String {
    var path = path
    // More links than the system follows; a loop has already failed in `init`.
    for _ in 0..<40 {
      guard let target = try? SystemCalls.linkTarget(path) else { break }
      path = target.hasPrefix("/") ? target : AtomicFile.split(path).directory + "/" + target
    }
    return path
  }

  /// Replaces the old content once the new one is on the disk, so that a crash leaves one of them.
  ///
  /// - Throws: ``SystemError`` with the path; the old content stays.
  package func commit() throws(SystemError) {
    if case .inPlace = place { return }
    try SystemCalls.synchronize(descriptor.number, path: path)
    if case .nameless = place {
      // A link cannot replace an existing name, so give it a temporary name and rename that.
      let (directory, name) = AtomicFile.split(path)
      place = .aside(try AtomicFile.name(descriptor.number, directory, name))
    }
    guard case .aside(let aside) = place else { return }
    try SystemCalls.rename(aside, to: path)
    place = .inPlace
  }

  deinit {
    if case .aside(let aside) = place { try? SystemCalls.unlink(aside) }
  }
}
