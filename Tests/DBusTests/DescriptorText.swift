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

/// True when a number is an open descriptor of this process.
func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) >= 0 }
