import DBus
import Platform

/// A file in memory that stands in for a terminal: the agent reads and writes none, since who sits
/// there talks to this program.
struct MemoryFile {
  private let descriptor: DBus.FileDescriptor

  /// - Throws: ``CommandError/system(_:)`` where there can be none.
  init() throws(CommandError) {
    do throws(SystemError) {
      descriptor = DBus.FileDescriptor(owning: try SystemCalls.makeMemoryFile())
    } catch {
      throw .system("cannot make a file in memory: \(error.code)")
    }
  }

  /// The descriptor, to hand over to the agent.
  func duplicate() throws(CommandError) -> DBus.FileDescriptor {
    try asBusError { () throws(DBusError) in
      try DBus.FileDescriptor(duplicating: descriptor.number)
    }
  }

  /// Writes at the end.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    do throws(SystemError) {
      var done = 0
      while done < bytes.count {
        done += try SystemCalls.write(descriptor.number, bytes, from: done)
      }
    } catch {
      throw .system("cannot write to a file in memory: \(error.code)")
    }
  }

  /// Goes back to the beginning.
  func rewind() throws(CommandError) {
    do throws(SystemError) { try SystemCalls.rewind(descriptor.number) } catch {
      throw .system("cannot read a file in memory: \(error.code)")
    }
  }

  /// Copies all of it, from its beginning.
  func copy(to output: StandardOutput) throws(CommandError) {
    try rewind()
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
    defer { room.deallocate() }
    while true {
      let count: Int
      do throws(SystemError) {
        count = try SystemCalls.read(descriptor.number, into: room)
      } catch {
        throw .system("cannot read a file in memory: \(error.code)")
      }
      try asOutputError { () throws(PlatformError) in
        if count == 0 { try output.flush() } else { try output.write(Array(room[..<count])) }
      }
      if count == 0 { return }
    }
  }
}
