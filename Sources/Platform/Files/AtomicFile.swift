import Glibc

/// Files that are replaced whole, and read whole.
package enum AtomicFile {
  /// Removes a file.
  ///
  /// - Throws: ``SystemError`` if it is not there or cannot be removed.
  package static func remove(_ path: String) throws(SystemError) {
    try SystemCalls.unlink(path)
  }

  /// Replaces a file: a reader sees the old content or the new, never a part.
  ///
  /// The content is written next to the file under a name of its own, and renamed
  /// over it. If that fails the old file stays, and nothing is left next to it. A
  /// symbolic link is replaced, not followed.
  ///
  /// - Parameters:
  ///   - mode: Permissions, whatever the umask says.
  ///   - isDurable: Whether it waits until the content is on the disk.
  /// - Throws: ``SystemError`` with the path.
  package static func write(
    _ bytes: some Collection<UInt8>, to path: String, mode: UInt32 = 0o600, isDurable: Bool = false
  ) throws(SystemError) {
    let (directory, name) = split(path)
    let (aside, descriptor) = try makeAside(directory, name)
    do {
      try writeAll(Array(bytes), to: descriptor.number, path: path)
      try SystemCalls.setMode(descriptor.number, mode, path: path)
      if isDurable { try SystemCalls.synchronize(descriptor.number, path: path) }
      try SystemCalls.rename(aside, to: path)
    } catch {
      // The first error is the one to tell.
      try? SystemCalls.unlink(aside)
      throw error
    }
    guard isDurable else { return }
    let parent = FileDescriptor(
      owning: try SystemCalls.open(directory, O_RDONLY | O_DIRECTORY))
    try SystemCalls.synchronize(parent.number, path: directory)
  }

  /// Replaces a file of the user's alone in a folder of the user's alone, which is made where it
  /// is missing.
  ///
  /// - Throws: as ``UserDirectories/makePrivate(_:)``; ``PlatformError/system(_:)`` with the path.
  package static func writePrivate(
    _ bytes: some Collection<UInt8>, to path: String
  ) throws(PlatformError) {
    try UserDirectories.makePrivateFolder(of: path)
    do throws(SystemError) {
      try write(bytes, to: path)
    } catch {
      // The name of the file next to it is nobody's business.
      throw .system(SystemError(error.code, call: error.call, path: path))
    }
  }

  /// Replaces a file of which its owner says who may read it: one that is there keeps its
  /// permissions.
  ///
  /// - Parameter newMode: Those of one that is not there, whatever the umask says.
  /// - Throws: as ``write(_:to:mode:isDurable:)``.
  package static func write(
    _ bytes: some Collection<UInt8>, to path: String, newMode: UInt32
  ) throws(SystemError) {
    let old = try SystemCalls.status(ofPath: path)?.mode
    // A link may lead to a device, which anybody may write.
    let kept = old.flatMap { $0 & S_IFMT == S_IFREG ? $0 & 0o777 : nil }
    try write(bytes, to: path, mode: kept ?? newMode)
  }

  /// Writes all bytes to a descriptor that blocks.
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32, path: String? = nil)
    throws(SystemError)
  {
    var done = 0
    while done < bytes.count {
      done += try SystemCalls.write(descriptor, bytes, from: done, path: path)
    }
  }

  /// Makes a new file next to the one of that name.
  static func makeAside(
    _ directory: String, _ name: String, mode: UInt32 = 0o600
  ) throws(SystemError) -> (path: String, descriptor: FileDescriptor) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
    let (path, number) = try withFreeName(directory, name) { (path) throws(SystemError) in
      try SystemCalls.open(path, flags, mode: mode)
    }
    return (path, FileDescriptor(owning: number))
  }

  /// Gives a file without a name one next to the one of that name, and returns it.
  static func name(
    _ descriptor: Int32, _ directory: String, _ name: String
  ) throws(SystemError) -> String {
    try withFreeName(directory, name) { (path) throws(SystemError) in
      try SystemCalls.link(descriptor, as: path)
    }.path
  }

  /// Does what takes a name, with one that nothing has.
  private static func withFreeName<Answer>(
    _ directory: String, _ name: String, _ body: (String) throws(SystemError) -> Answer
  ) throws(SystemError) -> (path: String, answer: Answer) {
    // Names are taken only by what a crash of a process of the same number
    // left behind.
    var attempt = 0
    while true {
      let path = "\(directory)/.\(name).\(SystemCalls.processIdentifier()).\(attempt).new"
      do throws(SystemError) {
        return (path, try body(path))
      } catch  where error.code == .fileExists && attempt < 100 {
        attempt += 1
      } catch {
        throw error
      }
    }
  }

  static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = path[..<slash]
    return (directory.isEmpty ? "/" : String(directory), String(path[path.index(after: slash)...]))
  }
}

/// Reads a file to its end.
///
/// - Parameter waitsForWriter: Whether it may be a pipe as well, which the user has named, and
///   blocks until it ends. Else what is no regular file is refused.
/// - Throws: ``PlatformError/system(_:)`` with the path;
///   ``PlatformError/tooLarge(source:maximumBytes:)`` after that many bytes;
///   ``PlatformError/unsafeDirectory(path:reason:)`` for what is no regular file.
package func readFile(
  _ path: String, maximumBytes: Int, waitsForWriter: Bool = false
) throws(PlatformError) -> [UInt8] {
  if !waitsForWriter { try UserDirectories.checkRegular(path) }
  let descriptor: FileDescriptor
  do {
    // The path may lead to a FIFO since it was checked.
    let flags = waitsForWriter ? O_RDONLY : O_RDONLY | O_NONBLOCK | O_NOCTTY
    descriptor = FileDescriptor(owning: try SystemCalls.open(path, flags))
  } catch {
    throw .system(error)
  }
  return try readToEnd(
    descriptor: descriptor.number, maximumBytes: maximumBytes, source: path)
}

/// Reads a descriptor to its end, waiting for it if it is a pipe: the agent
/// has ``DescriptorReader`` do it.
///
/// - Parameter source: What the descriptor is, for messages: a path or words.
/// - Throws: ``PlatformError/system(_:)``;
///   ``PlatformError/tooLarge(source:maximumBytes:)`` after that many bytes.
package func readToEnd(
  descriptor: Int32, maximumBytes: Int, source: String = localized("the input")
) throws(PlatformError) -> [UInt8] {
  var bytes: [UInt8] = []
  while try readSome(descriptor, into: &bytes, maximumBytes: maximumBytes, source: source) {}
  return bytes
}

/// So much is read at once.
let octetsOfReading = 65_536

/// Reads once; false at the end.
func readSome(
  _ descriptor: Int32, into bytes: inout [UInt8], maximumBytes: Int, source: String
) throws(PlatformError) -> Bool {
  let count: Int
  do {
    count = try withUnsafeTemporaryAllocation(byteCount: octetsOfReading, alignment: 8) {
      (buffer) throws(SystemError) in
      let count = try SystemCalls.read(descriptor, into: buffer, path: source)
      bytes.append(contentsOf: buffer[..<count])
      return count
    }
  } catch {
    throw .system(error)
  }
  guard bytes.count <= maximumBytes else {
    throw .tooLarge(source: source, maximumBytes: maximumBytes)
  }
  return count > 0
}
