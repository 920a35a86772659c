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

/// Returns the reading end of a connection with a text in it, that nothing else is written to.
func pipe(holding text: String) -> FileDescriptor {
  let (reading, writing) = openPipe()
  _ = text.withCString { write(writing.number, $0, strlen($0)) }
  return reading
}

/// Returns two ends, which a program that another test starts meanwhile does not inherit. A pair of sockets,
/// since pipe(2) cannot promise that.
func openPipe() -> (reading: FileDescriptor, writing: FileDescriptor) {
  var ends: [Int32] = [-1, -1]
  socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
  return (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
}

/// True while someone holds the reading end, however many times it was duplicated.
func hasReaders(_ writing: FileDescriptor) -> Bool {
  var entry = pollfd(fd: writing.number, events: 0, revents: 0)
  return poll(&entry, 1, 0) == 0
}
