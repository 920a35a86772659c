internal import Glibc

/// What can be where a program expects a regular file. To open a FIFO blocks until another program
/// writes to it.
package enum SpecialFile: String, CaseIterable, Sendable {
  case fifo = "a named pipe (FIFO)"
  case socket = "a socket"
  case directory = "a directory"
  case device = "a device"

  /// Makes one; the device is a link to /dev/null.
  ///
  /// - Throws: ``TestSupportError`` with the reason of the call that made none.
  package func make(at path: String) throws(TestSupportError) {
    switch self {
    case .fifo:
      guard mkfifo(path, 0o600) == 0 else { throw TestSupportError(call: "mkfifo", errno) }
    case .socket:
      try SpecialFile.bindSocket(path)
    case .directory:
      guard mkdir(path, 0o700) == 0 else { throw TestSupportError(call: "mkdir", errno) }
    case .device:
      guard symlink("/dev/null", path) == 0 else { throw TestSupportError(call: "symlink", errno) }
    }
  }

  private static func bindSocket(_ path: String) throws(TestSupportError) {
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw TestSupportError(call: "bind \(path)", errno) }
  }
}
