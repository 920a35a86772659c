/// A web server on 127.0.0.1 that waits for one request, and answers all others meanwhile.
///
/// Browsers open connections in advance and say nothing on them: so all are listened to at once.
///
/// Source: RFC 8252 section 7.3.
package final class LoopbackListener {
  /// The port, which the system has chosen.
  package let port: UInt16
  private let listener: FileDescriptor
  private var connections: [Connection] = []

  private struct Connection {
    let descriptor: FileDescriptor
    var head: [UInt8] = []
  }

  /// What is answered to a request.
  package struct Reply {
    package let status: String
    package let text: String

    /// - Parameter status: such as "200 OK".
    package init(status: String, text: String) {
      self.status = status
      self.text = text
    }
  }

  /// More connections than a browser has; the oldest is closed for a new one.
  private static let mostConnections = 16
  private static let mostOctets = 16_384

  /// Begins to listen.
  ///
  /// - Throws: ``SystemError`` if there is no port, or no network at all.
  package init() throws(SystemError) {
    (listener, port) = try SystemCalls.listenOnLoopback()
  }

  /// Answers requests until one is what was waited for.
  ///
  /// - Parameter handle: gets the target of a request, such as "/?code=1"; returns what to answer,
  ///   and what was waited for, if this is it.
  /// - Returns: nil if nothing came in time.
  /// - Throws: ``SystemError`` if waiting is not possible.
  package func wait<Wanted>(
    milliseconds: Int64, _ handle: (_ target: String) -> (Reply, Wanted?)
  ) throws(SystemError) -> Wanted? {
    let end = SystemCalls.monotonicNanoseconds() / 1_000_000 + milliseconds
    while true {
      let rest = end - SystemCalls.monotonicNanoseconds() / 1_000_000
      guard rest > 0 else { return nil }
      let descriptors = [listener.number] + connections.map(\.descriptor.number)
      let ready = try SystemCalls.waitUntilReadable(
        descriptors, milliseconds: Int32(clamping: rest))
      for number in ready where number != listener.number {
        guard let target = read(number) else { continue }
        let (reply, wanted) = handle(target)
        answer(reply, on: number)
        if let wanted { return wanted }
      }
      if ready.contains(listener.number) { accept() }
    }
  }

  private func accept() {
    guard let descriptor = SystemCalls.accept(listener.number) else { return }
    connections.append(Connection(descriptor: descriptor))
    if connections.count > LoopbackListener.mostConnections { connections.removeFirst() }
  }

  /// Reads on; returns the target of the request once its head is complete.
  private func read(_ number: Int32) -> String? {
    guard let index = connections.firstIndex(where: { $0.descriptor.number == number }) else {
      return nil
    }
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = chunk.withUnsafeMutableBytes { try? SystemCalls.read(number, into: $0) } ?? 0
    connections[index].head += chunk.prefix(count)
    let head = connections[index].head
    guard count > 0, head.count <= LoopbackListener.mostOctets else {
      connections.remove(at: index)
      return nil
    }
    guard head.firstRange(of: Array("\r\n\r\n".utf8)) != nil else { return nil }
    let line = String(decoding: head.prefix { $0 != 0x0D }, as: UTF8.self)
    let words = line.split(separator: " ")
    guard words.count == 3, words[0] == "GET" || words[0] == "HEAD" else {
      connections.remove(at: index)
      return nil
    }
    return String(words[1])
  }

  private func answer(_ reply: Reply, on number: Int32) {
    let body = "<!DOCTYPE html><meta charset=utf-8><title>Datebook</title><p>\(reply.text)\n"
    let text = """
      HTTP/1.1 \(reply.status)\r\nContent-Type: text/html; charset=utf-8\r\n\
      Content-Length: \(body.utf8.count)\r\nConnection: close\r\nCache-Control: no-store\r\n\
      Referrer-Policy: no-referrer\r\n\r\n\(body)
      """
    // It fits into the buffer of any socket; a browser that has gone needs no answer.
    _ = try? SystemCalls.send(Array(text.utf8), to: number)
    SystemCalls.endOutput(of: number)
    connections.removeAll { $0.descriptor.number == number }
  }
}
