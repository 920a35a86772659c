import Glibc

/// A file that another program writes, and that takes the place of an old one when it is whole.
///
/// Until ``commit()`` the old file is as it was. What is not committed goes with the
/// last reference.
package final class FileReplacement {
  /// Where the new content goes.
  package let descriptor: FileDescriptor
  private let path: String
  /// Where the content lies until it is whole.
  private var place: Place

  private enum Place {
    /// In a file without a name: of a process that is killed nothing is left.
    case nameless
    /// In a file next to it, where the file system has no other.
    case aside(String)
    /// In the file itself, or what it is.
    case inPlace
  }

  /// Makes a file for what is to take the place of another, in its folder.
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
      // The name of the file next to it is nobody's business.
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
    if case .inPlace = place { return }
    try SystemCalls.synchronize(descriptor.number, path: path)
    if case .nameless = place {
      // A name cannot be given to it that there is already: the last step is that of any other.
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
