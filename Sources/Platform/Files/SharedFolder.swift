import Glibc
import Messages

/// A folder of small files that other programs write too, at any time.
///
/// Nobody locks anything, so each change is checked once more after it was made, and taken back if
/// another program was quicker. Others see complete files only, under names that they ignore until
/// then (`.….tmp`); the folder's time changes with each, which is what they look at.
package struct SharedFolder {
  package enum Failure: Error, Hashable, Sendable {
    /// The file is not the version that was named.
    case changed
    /// There is a file of that name already.
    case exists
    /// There is no such file.
    case missing
    /// The file is no regular one, or too large.
    case unreadable(PlatformError)
    case system(SystemError)
  }

  package let path: String
  /// Runs after the last check of a version: tests let another program write there.
  var afterCheck: () -> Void = {}

  package init(_ path: String) { self.path = path }

  // MARK: Reading

  /// The files of a name's ending.
  package struct Listing {
    package var files: [(name: String, version: FileVersion)] = []
    /// Those that are there, but cannot be read, each with the reason.
    package var unreadable: [(name: String, reason: PlatformError)] = []
  }

  /// Returns the files whose names end like this, in the order of their names.
  ///
  /// Folders are ignored. A link to nothing counts as no file.
  ///
  /// - Throws: ``Failure/system(_:)``.
  package func files(ending: String) throws(Failure) -> Listing {
    var listing = Listing()
    let names = try call { () throws(SystemError) in try SystemCalls.names(inFolder: path) }
    for name in names.sorted() where name.hasSuffix(ending) && name != ending {
      do throws(SystemError) {
        let status = try SystemCalls.fileStatus(ofPath: place(name))
        if status.isFolder { continue }
        if status.isRegular, SystemCalls.isReadable(place(name)) {
          listing.files.append((name, status.version))
        } else if status.isRegular {
          let refusal = SystemError(.permissionDenied, call: "open", path: place(name))
          listing.unreadable.append((name, .system(refusal)))
        } else {
          let reason = PlatformError.notRegular(place(name))
          listing.unreadable.append((name, reason))
        }
      } catch  where error.code == .noSuchFileOrDirectory {
        // Another program has removed it since.
      } catch {
        listing.unreadable.append((name, .system(error)))
      }
    }
    return listing
  }

  /// Returns a file's content and its version.
  ///
  /// - Throws: ``Failure/missing``, ``Failure/unreadable(_:)``, ``Failure/system(_:)``.
  package func read(
    _ name: String, maximumBytes: Int
  ) throws(Failure) -> (bytes: [UInt8], version: FileVersion) {
    let path = place(name)
    let number = try call { () throws(SystemError) in
      try SystemCalls.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    }
    let descriptor = FileDescriptor(owning: number)
    func status() throws(Failure) -> SystemCalls.FileStatus {
      try call { () throws(SystemError) in try SystemCalls.fileStatus(number, path: path) }
    }
    // Some programs write in place: what changes while it is read is read again.
    for _ in 0..<8 {
      let before = try status()
      guard before.isRegular else { throw .unreadable(.notRegular(path)) }
      try call { () throws(SystemError) in try SystemCalls.rewind(number) }
      let bytes: [UInt8]
      do throws(PlatformError) {
        bytes = try readToEnd(
          descriptor: descriptor.number, maximumBytes: maximumBytes, source: path)
      } catch {
        throw .unreadable(error)
      }
      let after = try status().version
      if after.isSameContent(as: before.version) { return (bytes, after) }
    }
    throw .changed
  }
}

// MARK: Writing

extension SharedFolder {
  /// Writes a new file.
  ///
  /// - Throws: ``Failure/exists``; ``Failure/missing`` without the folder; ``Failure/system(_:)``.
  package func create(_ name: String, _ bytes: [UInt8]) throws(Failure) {
    let aside = try write(bytes, mode: 0o600).path
    defer { try? SystemCalls.unlink(aside) }
    try moveToFreeName(aside, place(name))
    try synchronize()
  }

  /// Replaces a version of a file, with the same permissions.
  ///
  /// - Throws: ``Failure/changed``, ``Failure/missing``, ``Failure/system(_:)``.
  package func replace(_ name: String, _ bytes: [UInt8], version: String) throws(Failure) {
    let path = place(name)
    let mode = try status(of: name, version).mode
    let (aside, own) = try write(bytes, mode: mode & 0o777)
    var mayGo = true
    defer { if mayGo { try? SystemCalls.unlink(aside) } }
    let known = try status(of: name, version).version
    afterCheck()
    guard try call({ () throws(SystemError) in try SystemCalls.exchange(aside, with: path) }) else {
      // All that such a file system can do.
      try call { () throws(SystemError) in try SystemCalls.rename(aside, to: path) }
      return try synchronize()
    }
    mayGo = false
    if try status(aside).version.isSameContent(as: known) {
      mayGo = true
      return try synchronize()
    }
    // Another program was quicker: its file gets the name back.
    do throws(Failure) {
      _ = try call { () throws(SystemError) in try SystemCalls.exchange(aside, with: path) }
      // Unless a third program has replaced ours by now, whose file then stays next to it.
      mayGo = try status(aside).version.inode == own
    } catch .missing {
      try moveToFreeName(aside, path)
    }
    throw .changed
  }

  /// Removes a version of a file.
  ///
  /// - Throws: ``Failure/changed``, ``Failure/missing``, ``Failure/system(_:)``.
  package func remove(_ name: String, version: String) throws(Failure) {
    let known = try status(of: name, version).version
    afterCheck()
    let aside = unusedPath()
    try call { () throws(SystemError) in try SystemCalls.rename(place(name), to: aside) }
    guard try status(aside).version.isSameContent(as: known) else {
      // If the name is in use again, the other program has written twice; its first file stays.
      try? moveToFreeName(aside, place(name))
      throw .changed
    }
    try call { () throws(SystemError) in try SystemCalls.unlink(aside) }
    try synchronize()
  }

  /// Writes a file under a name that others ignore, and waits until it is on the disk.
  private func write(_ bytes: [UInt8], mode: UInt32) throws(Failure) -> (
    path: String, inode: UInt64
  ) {
    let path = unusedPath()
    let number = try call { () throws(SystemError) in
      try SystemCalls.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    }
    let descriptor = FileDescriptor(owning: number)
    do throws(SystemError) {
      try AtomicFile.writeAll(bytes, to: descriptor.number, path: path)
      try SystemCalls.setMode(descriptor.number, mode, path: path)
      try SystemCalls.synchronize(descriptor.number, path: path)
      return (path, try SystemCalls.fileStatus(descriptor.number, path: path).version.inode)
    } catch {
      try? SystemCalls.unlink(path)
      throw .system(error)
    }
  }

  private func unusedPath() -> String {
    place("." + String(UInt64.random(in: .min ... .max), radix: 36) + ".tmp")
  }

  private func place(_ name: String) -> String { path + "/" + name }

  /// The status of a file, if it is the version that was named.
  private func status(
    of name: String, _ version: String
  ) throws(Failure) -> SystemCalls.FileStatus {
    let status = try status(place(name))
    guard status.isRegular, status.version.text == version else { throw .changed }
    return status
  }

  private func status(_ path: String) throws(Failure) -> SystemCalls.FileStatus {
    try call { () throws(SystemError) in
      try SystemCalls.fileStatus(ofPath: path, followingLinks: false)
    }
  }

  private func moveToFreeName(_ old: String, _ new: String) throws(Failure) {
    let isMoved = try call { () throws(SystemError) in
      try SystemCalls.renameToFreeName(old, to: new)
    }
    if isMoved { return }
    try call { () throws(SystemError) in
      try SystemCalls.link(old, as: new)
      try SystemCalls.unlink(old)
    }
  }

  private func synchronize() throws(Failure) {
    try call { () throws(SystemError) in try FileNames.synchronize(folder: path) }
  }

  private func call<Answer>(_ body: () throws(SystemError) -> Answer) throws(Failure) -> Answer {
    do throws(SystemError) {
      return try body()
    } catch {
      switch error.code {
      case .noSuchFileOrDirectory: throw .missing
      case .fileExists: throw .exists
      default: throw .system(error)
      }
    }
  }
}

extension PlatformError {
  fileprivate static func notRegular(_ path: String) -> PlatformError {
    .unsafeDirectory(path: path, reason: UserText("it is not a regular file"))
  }
}
