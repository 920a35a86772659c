/// A request to a web server on 127.0.0.1, as ``LoopbackListener`` is one.
package enum LoopbackRequest {
  /// What became of a request.
  package enum Outcome: Hashable, Sendable {
    /// The server has what it waited for.
    case accepted
    /// The server is another one, or waits for something else.
    case refused
    /// Nothing was sent: the address is not of 127.0.0.1 with a port.
    case notLoopback
  }

  /// A ``LoopbackListener`` answers at once; other programs may say nothing.
  private static let patienceMilliseconds: Int32 = 10_000
  /// The longest status line that is read.
  private static let mostOctets = 4096

  /// Sends the request that a browser would for an address, and waits until it is answered.
  ///
  /// - Throws: ``SystemError`` if nobody listens there.
  package static func send(_ address: String) throws(SystemError) -> Outcome {
    let start = "http://127.0.0.1:"
    guard address.hasPrefix(start),
      address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return .notLoopback }
    let rest = address.dropFirst(start.count)
    let digits = rest.prefix { $0 != "/" && $0 != "?" }
    guard let port = UInt16(digits), port > 0 else { return .notLoopback }
    let path = rest.dropFirst(digits.count)
    let target = path.hasPrefix("/") ? String(path) : "/" + path
    let connection = try SystemCalls.connectToLoopback(port: port)
    let request = "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n"
    try SystemCalls.send(Array(request.utf8), to: connection.number)
    return isSuccess(try statusLine(from: connection.number)) ? .accepted : .refused
  }

  /// Reads until the end of the first line.
  private static func statusLine(from number: Int32) throws(SystemError) -> [UInt8] {
    var head: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1024)
    while head.count < mostOctets, !head.contains(0x0A),
      try !SystemCalls.waitUntilReadable([number], milliseconds: patienceMilliseconds).isEmpty
    {
      let count = chunk.withUnsafeMutableBytes { try? SystemCalls.read(number, into: $0) } ?? 0
      guard count > 0 else { break }
      head += chunk.prefix(count)
    }
    return Array(head.prefix { $0 != 0x0A })
  }

  /// Whether a status line, such as "HTTP/1.1 200 OK", has a status from 200 to 299.
  private static func isSuccess(_ line: [UInt8]) -> Bool {
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1].prefix(3))
    else { return false }
    return (200..<300).contains(status)
  }
}
