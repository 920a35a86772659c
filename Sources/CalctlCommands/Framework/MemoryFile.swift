import DBus
import Platform

/// A file in memory that the agent gets in place of a terminal, which only calctl reads and writes.
struct MemoryFile {
  private let descriptor: DBus.FileDescriptor

  /// - Throws: ``CommandError/system(_:)`` if none can be made.
  init() throws(CommandError) {
    do throws(SystemError) {
      descriptor = DBus.FileDescriptor(owning: try SystemCalls.makeMemoryFile())
    } catch {
      throw .system(
        localized("cannot create a file in memory: {error}", ["error": error.code.text]))
    }
  }

  /// Returns a copy of the descriptor, for the agent.
  ///
  /// - Throws: The error of the system call.
  func duplicate() throws(CommandError) -> DBus.FileDescriptor {
    try asBusError { () throws(DBusError) in
      try DBus.FileDescriptor(duplicating: descriptor.number)
    }
  }

  /// Appends bytes.
  ///
  /// - Throws: ``CommandError/system(_:)``.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    do throws(SystemError) {
      var done = 0
      while done < bytes.count {
        done += try SystemCalls.write(descriptor.number, bytes, from: done)
      }
    } catch {
      throw .system(
        localized("cannot write to a file in memory: {error}", ["error": error.code.text]))
    }
  }

  /// Moves to the beginning.
  ///
  /// - Throws: ``CommandError/system(_:)``.
  func rewind() throws(CommandError) {
    do throws(SystemError) { try SystemCalls.rewind(descriptor.number) } catch {
      throw MemoryFile.unreadable(error)
    }
  }

  private static func unreadable(_ error: SystemError) -> CommandError {
    .system(localized("cannot read a file in memory: {error}", ["error": error.code.text]))
  }

  /// Copies the whole content to an output.
  ///
  /// - Throws: ``CommandError/system(_:)``, or ``CommandError/closedOutput``.
  func copy(to output: StandardOutput) throws(CommandError) {
    try rewind()
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
    defer { room.deallocate() }
    while true {
      let count: Int
      do throws(SystemError) {
        count = try SystemCalls.read(descriptor.number, into: room)
      } catch {
        throw MemoryFile.unreadable(error)
      }
      try asOutputError { () throws(PlatformError) in
        if count == 0 { try output.flush() } else { try output.write(Array(room[..<count])) }
      }
      if count == 0 { return }
    }
  }
}
