import Glibc

/// Files that are replaced and read as a whole.
package enum AtomicFile {
  /// Removes a file.
  ///
  /// - Throws: ``SystemError`` if it is not there or cannot be removed.
  package static func remove(_ path: String) throws(SystemError) {
    try SystemCalls.unlink(path)
  }

  /// Replaces a file: a reader sees the old content or the new, never a part.
  ///
  /// The content is written to a new file next to it, which is renamed over it. If that fails, the
  /// old file stays and the new one is removed. A symbolic link is replaced, not followed.
  ///
  /// - Parameters:
  ///   - mode: The permissions, regardless of the umask.
  ///   - isDurable: Whether to wait until the content is on the disk.
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
      // Report the first error, not one of the clean-up.
      try? SystemCalls.unlink(aside)
      throw error
    }
    guard isDurable else { return }
    let parent = FileDescriptor(
      owning: try SystemCalls.open(directory, O_RDONLY | O_DIRECTORY))
    try SystemCalls.synchronize(parent.number, path: directory)
  }

  /// Replaces a private file, and makes its private folder if it is missing.
  ///
  /// - Throws: See ``UserDirectories/makePrivate(_:)``; ``PlatformError/system(_:)`` with the path.
  package static func writePrivate(
    _ bytes: some Collection<UInt8>, to path: String
  ) throws(PlatformError) {
    try UserDirectories.makePrivateFolder(of: path)
    do throws(SystemError) {
      try write(bytes, to: path)
    } catch {
      // Report the file's own path, not that of the temporary file.
      throw .system(SystemError(error.code, call: error.call, path: path))
    }
  }

  /// Replaces a file whose permissions the user has chosen: an existing file keeps them.
  ///
  /// - Parameter newMode: The permissions of a new file, regardless of the umask.
  /// - Throws: See ``write(_:to:mode:isDurable:)``.
  package static func write(
    _ bytes: some Collection<UInt8>, to path: String, newMode: UInt32
  ) throws(SystemError) {
    let old = try SystemCalls.status(ofPath: path)?.mode
    // A link may lead to a device, whose permissions are for everybody.
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

  /// Makes a temporary file next to the file of that name.
  static func makeAside(
    _ directory: String, _ name: String, mode: UInt32 = 0o600
  ) throws(SystemError) -> (path: String, descriptor: FileDescriptor) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
    let (path, number) = try withFreeName(directory, name) { (path) throws(SystemError) in
      try SystemCalls.open(path, flags, mode: mode)
    }
    return (path, FileDescriptor(owning: number))
  }

  /// Gives a nameless file a temporary name next to the file of that name, and returns the path.
  static func name(
    _ descriptor: Int32, _ directory: String, _ name: String
  ) throws(SystemError) -> String {
    try withFreeName(directory, name) { (path) throws(SystemError) in
      try SystemCalls.link(descriptor, as: path)
    }.path
  }

  /// Runs an operation that needs an unused name, with such a name.
  private static func withFreeName<Answer>(
    _ directory: String, _ name: String, _ body: (String) throws(SystemError) -> Answer
  ) throws(SystemError) -> (path: String, answer: Answer) {
    // A name is in use only if a crashed process with the same ID left it behind.
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
/// - Parameter waitsForWriter: Whether a pipe that the user has named is allowed; reading blocks
///   until it ends. Otherwise only a regular file is read.
/// - Throws: ``PlatformError/system(_:)`` with the path;
///   ``PlatformError/tooLarge(source:maximumBytes:)`` after that many bytes;
///   ``PlatformError/unsafeDirectory(path:reason:)`` if it is not a regular file.
package func readFile(
  _ path: String, maximumBytes: Int, waitsForWriter: Bool = false
) throws(PlatformError) -> [UInt8] {
  if !waitsForWriter { try UserDirectories.checkRegular(path) }
  let descriptor: FileDescriptor
  do {
    // The path may have become a FIFO since it was checked.
    let flags = waitsForWriter ? O_RDONLY : O_RDONLY | O_NONBLOCK | O_NOCTTY
    descriptor = FileDescriptor(owning: try SystemCalls.open(path, flags))
  } catch {
    throw .system(error)
  }
  return try readToEnd(
    descriptor: descriptor.number, maximumBytes: maximumBytes, source: path)
}

/// Reads a descriptor to its end, and blocks if it is a pipe; the agent uses ``DescriptorReader``.
///
/// - Parameter source: The name of the descriptor in messages: a path or words.
/// - Throws: ``PlatformError/system(_:)``;
///   ``PlatformError/tooLarge(source:maximumBytes:)`` after that many bytes.
package func readToEnd(
  descriptor: Int32, maximumBytes: Int, source: String = localized("the input")
) throws(PlatformError) -> [UInt8] {
  var bytes: [UInt8] = []
  while try readSome(descriptor, into: &bytes, maximumBytes: maximumBytes, source: source) {}
  return bytes
}

/// The number of bytes that are read at once.
let octetsOfReading = 65_536

/// Reads once and appends; false at the end.
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
