import DBus
import Glibc

/// Reads all of a descriptor.
func text(of descriptor: FileDescriptor) throws(DBusError) -> String {
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = read(descriptor.number, &buffer, buffer.count)
    guard count >= 0 else { throw DBusError(.failed, String(cString: strerror(errno))) }
    if count == 0 { return String(decoding: bytes, as: UTF8.self) }
    bytes += buffer[..<count]
  }
}

/// Returns a pipe's reading end with a text in it.
func pipe(holding text: String) -> FileDescriptor {
  var ends: [Int32] = [-1, -1]
  pipe(&ends)
  _ = text.withCString { write(ends[1], $0, strlen($0)) }
  close(ends[1])
  return FileDescriptor(owning: ends[0])
}

/// Returns both ends of a pipe.
func openPipe() -> (reading: FileDescriptor, writing: FileDescriptor) {
  var ends: [Int32] = [-1, -1]
  pipe(&ends)
  return (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
}

/// True while someone holds the reading end of a pipe, however many times it was duplicated.
func hasReaders(_ writing: FileDescriptor) -> Bool {
  var entry = pollfd(fd: writing.number, events: 0, revents: 0)
  return poll(&entry, 1, 0) == 0
}
