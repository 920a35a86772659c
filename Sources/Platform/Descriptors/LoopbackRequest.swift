/// A request to a web server on 127.0.0.1, as ``LoopbackListener`` is one.
package enum LoopbackRequest {
  /// Sends the request that a browser would for an address, and waits until it is answered.
  ///
  /// - Returns: false if the address is not of 127.0.0.1 with a port.
  /// - Throws: ``SystemError`` if nobody listens there.
  package static func send(_ address: String) throws(SystemError) -> Bool {
    let start = "http://127.0.0.1:"
    guard address.hasPrefix(start),
      address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return false }
    let rest = address.dropFirst(start.count)
    let digits = rest.prefix { $0 != "/" && $0 != "?" }
    guard let port = UInt16(digits), port > 0 else { return false }
    let path = rest.dropFirst(digits.count)
    let target = path.hasPrefix("/") ? String(path) : "/" + path
    let connection = try SystemCalls.connectToLoopback(port: port)
    let request = "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n"
    try SystemCalls.send(Array(request.utf8), to: connection.number)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
    defer { buffer.deallocate() }
    while try SystemCalls.read(connection.number, into: buffer) > 0 {}
    return true
  }
}
