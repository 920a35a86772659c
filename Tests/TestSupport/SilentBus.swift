internal import Glibc

/// What looks like a bus to whoever connects: it takes connections, and says nothing.
package final class SilentBus {
  /// The address to connect to.
  package let address: String

  private let directory: TemporaryDirectory
  private let socket: Int32

  /// - Throws: ``TestSupportError`` when the socket cannot be made.
  package init() throws(TestSupportError) {
    directory = try TemporaryDirectory()
    let path = directory.file("bus")
    address = "unix:path=" + path
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw TestSupportError(call: "socket", errno) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: name.sun_path)
    guard path.utf8.count < capacity else {
      throw TestSupportError("the path is too long: \(path)")
    }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    // Whoever connects is taken by the kernel, and nobody ever reads what is written.
    guard bound == 0, listen(socket, 8) == 0 else {
      throw TestSupportError(call: "listen at \(path)", errno)
    }
  }

  /// Ends all connections.
  deinit { close(socket) }
}
