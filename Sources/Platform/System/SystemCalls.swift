import CLinux
import Glibc

/// All calls of glibc that this package makes, one function each.
///
/// They retry after an interrupting signal, mark new descriptors close-on-exec, and throw
/// ``SystemError``.
package enum SystemCalls {
  // MARK: Time

  /// Whole seconds since 1970 UTC, rounded down. clock_gettime(2), CLOCK_REALTIME.
  package static func realtimeSeconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }

  /// Nanoseconds of a clock that never jumps and does not count suspend.
  ///
  /// clock_gettime(2), CLOCK_MONOTONIC.
  package static func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Seconds since boot, including suspend. clock_gettime(2), CLOCK_BOOTTIME.
  static func uptimeSeconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec)
  }

  /// Nanoseconds of suspend since boot: CLOCK_BOOTTIME minus CLOCK_MONOTONIC. clock_gettime(2).
  package static func suspendedNanoseconds() -> Int64 {
    var suspended: Int64 = 0
    // A pause between the two readings would look like a suspend, so repeat after a long one.
    for _ in 0..<10 {
      let before = monotonicNanoseconds()
      var time = timespec()
      clock_gettime(CLOCK_BOOTTIME, &time)
      let after = monotonicNanoseconds()
      suspended = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) - after
      if after - before < 1_000_000 { break }
    }
    return suspended
  }

  // MARK: Descriptors

  /// open(2) with O_CLOEXEC.
  static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Int32 {
    try check("open", path) { Glibc.open(path, flags | O_CLOEXEC, mode) }
  }

  /// Opens a file to read; the caller closes it.
  ///
  /// - Throws: ``SystemError`` when the system call fails.
  package static func openForReading(_ path: String) throws(SystemError) -> Int32 {
    try open(path, O_RDONLY)
  }

  /// Makes a nameless file in memory; the caller closes it. memfd_create(2).
  ///
  /// - Throws: ``SystemError`` when the system call fails.
  package static func makeMemoryFile() throws(SystemError) -> Int32 {
    try check("memfd_create", nil) { memfd_create("datebook", 1 /* MFD_CLOEXEC */) }
  }

  /// Returns how many bytes of a regular file are left to read; nil for anything else.
  ///
  /// fstat(2), lseek(2).
  package static func octetsLeft(_ descriptor: Int32) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let place = lseek(descriptor, 0, SEEK_CUR)
    return place < 0 ? nil : max(0, Int(status.st_size) - Int(place))
  }

  /// Moves to the beginning of a file. lseek(2).
  ///
  /// - Throws: ``SystemError`` when the system call fails.
  package static func rewind(_ descriptor: Int32) throws(SystemError) {
    try check("lseek", nil) { lseek(descriptor, 0, SEEK_SET) }
  }

  /// Returns the names in a folder, except "." and "..", unsorted. readdir(3).
  ///
  /// - Throws: ``SystemError`` when the system call fails.
  package static func names(inFolder path: String) throws(SystemError) -> [String] {
    guard let folder = opendir(path) else {
      throw SystemError(SystemError.Code(rawValue: errno), call: "opendir", path: path)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Opens /dev/null, read-only, for each of the descriptors 0, 1 and 2 that is closed.
  ///
  /// Otherwise the next socket or file would get that number, and output would go into it. Call
  /// this before anything else.
  package static func reserveStandardDescriptors() {
    while let number = try? open("/dev/null", O_RDONLY) {
      if number > 2 { return close(number) }
    }
  }

  /// close(2). Errors are ignored: they report data that was lost earlier; use fsync(2) to notice.
  static func close(_ descriptor: Int32) {
    _ = Glibc.close(descriptor)
  }

  /// read(2); 0 at the end.
  ///
  /// - Throws: ``SystemError`` when the system call fails.
  package static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, path: String? = nil
  ) throws(SystemError) -> Int {
    try check("read", path) { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// Writes at most `most` bytes, from `start` on; returns the number written. write(2).
  ///
  /// - Throws: ``SystemError`` when the system call fails.
  package static func write(
    _ descriptor: Int32, _ bytes: [UInt8], from start: Int = 0, most: Int = .max,
    path: String? = nil
  ) throws(SystemError) -> Int {
    try check("write", path) {
      bytes.withUnsafeBytes { all in
        let rest = UnsafeRawBufferPointer(rebasing: all[start...].prefix(most))
        return Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
    }
  }

  /// Opens a pipe again, non-blocking, without changing the flags of the given descriptor.
  ///
  /// nil for anything but a pipe, and if the system refuses. open(2) of /proc/self/fd, O_NONBLOCK.
  ///
  /// - Throws: ``SystemError/Code/brokenPipe`` for a pipe without a reader.
  static func openAgainToWrite(_ descriptor: Int32, path: String) throws(SystemError)
    -> FileDescriptor?
  {
    guard try status(descriptor, path: path).mode & S_IFMT == S_IFIFO else { return nil }
    do throws(SystemError) {
      return FileDescriptor(
        owning: try open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK))
    } catch {
      // ENXIO: the pipe has no reader.
      guard error.code.rawValue == ENXIO else { return nil }
      throw SystemError(.brokenPipe, call: "write", path: path)
    }
  }

  /// pipe2(2) with O_CLOEXEC.
  static func pipe() throws(SystemError) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    try check("pipe2") { pipe2(&ends, O_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Returns whether there is something to read now, or the end. poll(2).
  static func isReadable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// Waits until a descriptor is ready (true), or the writing end of a pipe is closed (false).
  ///
  /// poll(2).
  static func waitUntilReady(
    _ descriptor: Int32, for interest: Interest, orClosed pipe: Int32
  ) throws(SystemError) -> Bool {
    let events = interest.contains(.write) ? POLLOUT : POLLIN
    var entries = [
      pollfd(fd: descriptor, events: Int16(events), revents: 0),
      // Its closing is always reported.
      pollfd(fd: pipe, events: 0, revents: 0),
    ]
    try check("poll") { poll(&entries, 2, -1) }
    return entries[1].revents == 0
  }

  /// Waits until a descriptor can be written. poll(2).
  static func waitUntilWritable(_ descriptor: Int32) throws(SystemError) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    try check("poll") { poll(&entry, 1, -1) }
  }

  /// isatty(3).
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Returns the columns of a terminal; nil if it is none, or unknown. ioctl(2), TIOCGWINSZ.
  static func terminalColumns(_ descriptor: Int32) -> Int? {
    let columns = datebook_terminal_columns(descriptor)
    return columns > 0 ? Int(columns) : nil
  }

  /// Returns the rows of a terminal; nil if it is none, or unknown. ioctl(2), TIOCGWINSZ.
  static func terminalRows(_ descriptor: Int32) -> Int? {
    let rows = datebook_terminal_rows(descriptor)
    return rows > 0 ? Int(rows) : nil
  }

  // MARK: Files

  /// fchmod(2).
  static func setMode(_ descriptor: Int32, _ mode: UInt32, path: String) throws(SystemError) {
    try check("fchmod", path) { fchmod(descriptor, mode) }
  }

  /// fsync(2).
  static func synchronize(_ descriptor: Int32, path: String) throws(SystemError) {
    try check("fsync", path) { fsync(descriptor) }
  }

  /// Makes a nameless file in a folder, which lasts until its last descriptor is closed.
  ///
  /// The caller closes it. nil if the file system does not support it. open(2), O_TMPFILE, a macro
  /// that Swift cannot import.
  ///
  /// - Throws: ``SystemError`` when the system call fails.
  package static func makeNameless(in directory: String, mode: UInt32) throws(SystemError) -> Int32?
  {
    let withoutName = 0o20_000_000 | O_DIRECTORY
    do throws(SystemError) {
      return try open(directory, O_WRONLY | withoutName, mode: mode)
    } catch {
      // The errors of kernels and file systems that do not support it.
      guard [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(error.code.rawValue) else { throw error }
      return nil
    }
  }

  /// Gives a nameless file a name. linkat(2) through /proc, which needs no privileges.
  static func link(_ descriptor: Int32, as path: String) throws(SystemError) {
    try check("linkat", path) {
      linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW)
    }
  }

  /// Gives a file a second name. link(2).
  static func link(_ path: String, as other: String) throws(SystemError) {
    try check("link", other) { Glibc.link(path, other) }
  }

  /// rename(2).
  static func rename(_ old: String, to new: String) throws(SystemError) {
    try check("rename", new) { Glibc.rename(old, new) }
  }

  /// unlink(2).
  static func unlink(_ path: String) throws(SystemError) {
    try check("unlink", path) { Glibc.unlink(path) }
  }

  /// mkdir(2).
  static func makeDirectory(_ path: String, mode: UInt32) throws(SystemError) {
    try check("mkdir", path) { mkdir(path, mode) }
  }

  /// Returns the owner and mode of an open file. fstat(2).
  static func status(_ descriptor: Int32, path: String) throws(SystemError) -> (
    owner: UInt32, mode: UInt32
  ) {
    var status = stat()
    try check("fstat", path) { fstat(descriptor, &status) }
    return (status.st_uid, status.st_mode)
  }

  /// Returns the owner and mode of a path; nil if it does not exist. stat(2).
  static func status(ofPath path: String) throws(SystemError) -> (owner: UInt32, mode: UInt32)? {
    var status = stat()
    do throws(SystemError) {
      try check("stat", path) { stat(path, &status) }
    } catch  where error.code == .noSuchFileOrDirectory {
      return nil
    } catch {
      throw error
    }
    return (status.st_uid, status.st_mode)
  }

  /// Returns whether this process may run a file. access(2), X_OK.
  static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

  /// Returns whether this process may write a file. access(2), W_OK.
  static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// Returns when a path was last modified, in seconds since 1970; nil if unknown. stat(2).
  package static func modificationSeconds(ofPath path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_mtim.tv_sec) : nil
  }

  /// Returns the size of a regular file in bytes; nil for anything else. stat(2).
  package static func size(ofPath path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Returns a number that changes when a file is replaced or written; nil if missing. stat(2).
  package static func mark(ofPath path: String) -> Int64? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    var mark: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in [
      UInt64(status.st_ino), UInt64(status.st_size),
      UInt64(bitPattern: Int64(status.st_mtim.tv_sec)),
      UInt64(status.st_mtim.tv_nsec),
    ] {
      // FNV-1a, a word at a time.
      mark = (mark ^ part) &* 0x100_0000_01b3
    }
    return Int64(bitPattern: mark)
  }

  /// Returns the device and inode of a folder; nil if there is none. stat(2).
  static func identity(ofFolder path: String) -> (device: UInt64, inode: UInt64)? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return (UInt64(status.st_dev), UInt64(status.st_ino))
  }

  /// Returns whether a path leads to a folder. stat(2).
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Makes every new file of this process private. umask(2).
  ///
  /// - Returns: The previous umask.
  @discardableResult
  package static func keepFilesPrivate() -> UInt32 { umask(0o077) }

  /// Drops the content of pages; those of a file are read again when used. madvise(2).
  static func forgetPages(_ span: Range<UInt>) {
    guard let start = UnsafeMutableRawPointer(bitPattern: span.lowerBound) else { return }
    madvise(start, span.count, MADV_DONTNEED)
  }

  /// Returns free memory to the system after large work. malloc_trim(3).
  package static func releaseFreeMemory() { malloc_trim(0) }

  /// Maps memory blocks from 256 KiB separately, so that freeing them returns them to the system.
  ///
  /// By default glibc raises this limit, up to 32 MiB, whenever it frees such a block, so one long
  /// answer would leave its size behind for good. mallopt(3).
  package static func returnLargeMemoryAtOnce() { mallopt(M_MMAP_THRESHOLD, 256 << 10) }

  /// Returns the target of a symbolic link. readlink(2).
  package static func linkTarget(_ path: String) throws(SystemError) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = try check("readlink", path) { readlink(path, &buffer, buffer.count) }
    return String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns the path of a file without symbolic links, "." and ".."; nil if there is none.
  /// realpath(3).
  package static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }

  // MARK: The process and its user

  /// getpid(2).
  package static func processIdentifier() -> Int32 { getpid() }

  /// geteuid(2).
  static func userIdentifier() -> UInt32 { geteuid() }

  /// Returns the user's home in the user database; nil if none, or not UTF-8. getpwuid(3).
  static func homeDirectory() -> String? {
    guard let entry = getpwuid(geteuid()), let home = entry.pointee.pw_dir else { return nil }
    return String(validatingCString: home)
  }

  /// Returns the environment as lines "NAME=value", which need not be UTF-8. environ(7).
  static func environmentLines() -> [[UInt8]] {
    guard var entry = datebook_environment() else { return [] }
    var lines: [[UInt8]] = []
    while let line = entry.pointee {
      lines.append(Array(UnsafeRawBufferPointer(start: line, count: strlen(line))))
      entry += 1
    }
    return lines
  }

  /// Ends the process. exit(3).
  package static func exit(_ code: Int32) -> Never { Glibc.exit(code) }
}

extension SystemCalls {
  /// Runs a call, and repeats it while signals interrupt it.
  ///
  /// - Throws: ``SystemError`` with errno if it returns a negative number.
  @discardableResult
  static func check<Result: SignedInteger>(
    _ call: String, _ path: String? = nil, _ body: () -> Result
  ) throws(SystemError) -> Result {
    while true {
      let result = body()
      if result >= 0 { return result }
      let code = SystemError.Code(rawValue: errno)
      if code != .interrupted { throw SystemError(code, call: call, path: path) }
    }
  }
}
