import CLinux
import Glibc

/// The calls behind ``LoopbackListener`` and ``LoopbackRequest``.
extension SystemCalls {
  /// Listens on a port of 127.0.0.1 that the system chooses. socket(2), bind(2), listen(2).
  ///
  /// - Returns: the descriptor, and the port.
  static func listenOnLoopback() throws(SystemError) -> (FileDescriptor, port: UInt16) {
    let listener = try makeSocket()
    var address = loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withSocketAddress(&address) { (pointer) throws(SystemError) in
      try check("bind") { bind(listener.number, pointer, length) }
      try check("listen") { listen(listener.number, 16) }
      try check("getsockname") { getsockname(listener.number, pointer, &length) }
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  /// Connects to a port of 127.0.0.1. connect(2).
  static func connectToLoopback(port: UInt16) throws(SystemError) -> FileDescriptor {
    let connection = try makeSocket()
    var address = loopback(port: port)
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withSocketAddress(&address) { (pointer) throws(SystemError) in
      try check("connect") { connect(connection.number, pointer, length) }
    }
    return connection
  }

  /// Takes a connection, which does not block; nil if it has ended again. accept4(2).
  static func accept(_ listener: Int32) -> FileDescriptor? {
    let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = accept4(listener, nil, nil, flags)
    return number < 0 ? nil : FileDescriptor(owning: number)
  }

  /// Sends to a socket, whose other end may have gone. send(2).
  static func send(_ bytes: [UInt8], to socket: Int32) throws(SystemError) {
    try check("send") {
      bytes.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
    }
  }

  /// Tells the other end of a socket that nothing more comes. shutdown(2).
  static func endOutput(of socket: Int32) { shutdown(socket, Int32(SHUT_WR)) }

  /// Waits until some of the descriptors can be read or have ended, and returns those. poll(2).
  package static func waitUntilReadable(
    _ descriptors: [Int32], milliseconds: Int32
  ) throws(SystemError) -> [Int32] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    try check("poll") { poll(&entries, nfds_t(entries.count), milliseconds) }
    return entries.filter { $0.revents != 0 }.map(\.fd)
  }

  private static func makeSocket() throws(SystemError) -> FileDescriptor {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    return FileDescriptor(owning: try check("socket") { socket(AF_INET, kind, 0) })
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func withSocketAddress(
    _ address: inout sockaddr_in,
    _ body: (UnsafeMutablePointer<sockaddr>) throws(SystemError) -> Void
  ) throws(SystemError) {
    var failure: SystemError?
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        do throws(SystemError) { try body(pointer) } catch { failure = error }
      }
    }
    if let failure { throw failure }
  }
}
