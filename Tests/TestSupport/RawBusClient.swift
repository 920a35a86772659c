internal import Glibc

/// A client of a bus that writes its octets itself, and so sends what our own library refuses to.
package final class RawBusClient {
  private let socket: Int32
  private var serial: UInt32 = 0

  /// Connects and says Hello.
  ///
  /// - Parameter address: of the form `unix:path=PATH`, with or without a GUID.
  package init(address: String) throws(TestSupportError) {
    let prefix = "unix:path="
    guard address.hasPrefix(prefix) else {
      throw TestSupportError("\(address) is no path")
    }
    let path = Array(address.dropFirst(prefix.count).prefix { $0 != "," }.utf8)
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var target = sockaddr_un()
    target.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: path) }
    let isConnected = withUnsafeBytes(of: &target) {
      connect(
        socket, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_un>.size))
    }
    guard isConnected == 0 else { throw TestSupportError("\(address): errno \(errno)") }
    let user = "\(getuid())".utf8.map { "3\(Character(UnicodeScalar($0)))" }.joined()
    try write(Array("\0AUTH EXTERNAL \(user)\r\n".utf8))
    _ = try read()
    try write(Array("BEGIN\r\n".utf8))
    try call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello", [])
  }

  deinit { close(socket) }

  /// Sends a call whose arguments are strings.
  package func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [String]
  ) throws(TestSupportError) {
    var body: [UInt8] = []
    for argument in arguments { append(argument, to: &body) }
    var fields: [UInt8] = []
    let texts = [(1, "o", path), (2, "s", interface), (3, "s", member), (6, "s", destination)]
    for (code, type, text) in texts {
      pad(&fields, to: 8)
      fields += [UInt8(code), 1] + type.utf8 + [0]
      append(text, to: &fields)
    }
    if !arguments.isEmpty {
      pad(&fields, to: 8)
      fields += [8, 1, UInt8(ascii: "g"), 0, UInt8(arguments.count)]
      fields += [UInt8](repeating: UInt8(ascii: "s"), count: arguments.count) + [0]
    }
    serial += 1
    var header = [UInt8(ascii: "l"), 1, 0, 1]
    append(UInt32(body.count), to: &header)
    append(serial, to: &header)
    append(UInt32(fields.count), to: &header)
    header += fields
    pad(&header, to: 8)
    try write(header)
    try write(body)
  }

  /// Reads until some text has come, among whatever else.
  package func wait(for text: String) throws(TestSupportError) {
    var seen = ""
    while !seen.contains(text) { seen += try read() }
  }

  // MARK: Octets

  private func pad(_ octets: inout [UInt8], to alignment: Int) {
    while octets.count % alignment != 0 { octets.append(0) }
  }

  private func append(_ number: UInt32, to octets: inout [UInt8]) {
    pad(&octets, to: 4)
    withUnsafeBytes(of: number.littleEndian) { octets += $0 }
  }

  private func append(_ text: String, to octets: inout [UInt8]) {
    append(UInt32(text.utf8.count), to: &octets)
    octets += text.utf8
    octets.append(0)
  }

  private func write(_ octets: [UInt8]) throws(TestSupportError) {
    var sent = 0
    while sent < octets.count {
      let count = octets.withUnsafeBytes {
        Glibc.send(
          socket, $0.baseAddress.map { $0 + sent }, octets.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw TestSupportError("the bus is gone: errno \(errno)") }
      sent += count
    }
  }

  private func read() throws(TestSupportError) -> String {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { throw TestSupportError("the bus is gone: errno \(errno)") }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}
