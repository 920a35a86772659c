import JSON
import Sync
import Synchronization
import TestSupport
import Testing

@testable import Remotes

/// What a ``FaultServer`` answers to a request.
struct Exchange {
  /// Such as `GET /cal/1.ics`.
  var on: String
  /// Words that the body or the headers of the request must have.
  var when = ""
  var status = 207
  var headers: [String: String] = [:]
  var body = ""
  /// After how many octets of the body the connection ends.
  var cut: Int?
  /// Whether the connection ends without an answer.
  var isSilent = false
  /// Whether the whole answer comes once more.
  var isTwice = false

  var json: JSONValue {
    [
      "on": .string(on), "when": .string(when), "status": JSONValue(status),
      "headers": .object(JSONObject(headers.map { ($0.key, JSONValue.string($0.value)) })),
      "body": .string(body), "cut": cut.map { JSONValue($0) } ?? .null, "silent": .bool(isSilent),
      "twice": .bool(isTwice),
    ]
  }
}

/// A scripted web server on the loopback interface; see faults.py, which serves all of them.
final class FaultServer {
  /// A request that it got.
  struct Request {
    let line: String
    /// Such as `HTTP/1.1`.
    let version: String
    let headers: [String: String]
    let body: String
  }

  /// Such as `http://127.0.0.1:4711`.
  let origin: String
  private let port: Int64

  /// - Parameter certificate: the path of a certificate with its key, for TLS; "" for none.
  init(_ exchanges: [Exchange], certificate: String = "") throws {
    let order: JSONValue = [
      "exchanges": .array(exchanges.map(\.json)), "certificate": .string(certificate),
    ]
    port = try #require(try Self.order(order).integerValue)
    origin = "\(certificate.isEmpty ? "http" : "https")://127.0.0.1:\(port)"
  }

  /// What it was asked so far, in order.
  var requests: [Request] {
    let found = (try? Self.order(nil, "\(port)"))?.arrayValue ?? []
    return found.map { json in
      func text(_ name: String) -> String { json[name]?.stringValue ?? "" }
      var headers: [String: String] = [:]
      for member in json["headers"]?.objectValue?.members ?? [] {
        headers[member.name] = member.value.stringValue
      }
      return Request(
        line: "\(text("method")) \(text("path"))", version: text("version"), headers: headers,
        body: text("body"))
    }
  }

  /// The lines of the requests, such as `GET /cal/1.ics`.
  var lines: [String] { requests.map(\.line) }
}

extension FaultServer {
  /// The program, and where it takes orders.
  private struct Program: @unchecked Sendable {
    let process: Subprocess
    let url: String
  }

  private static let program = Mutex<Program?>(nil)

  /// Starts the program where no test has.
  private static func url() throws -> String {
    try program.withLock { program in
      if let program { return program.url }
      let script = String(#filePath.dropLast("FaultServer.swift".count)) + "faults.py"
      let process = try Subprocess("python3", [script])
      try process.wait(timeoutSeconds: 60) { $0.output.contains(0x0A) }
      let line = String(decoding: process.output.prefix { $0 != 0x0A }, as: UTF8.self)
      guard Int(line) != nil else {
        throw TestSupportError("the servers do not start: \(process.outcome.errors)")
      }
      let started = Program(process: process, url: "http://127.0.0.1:\(line)/")
      program = started
      return started.url
    }
  }

  private static func order(_ body: JSONValue?, _ path: String = "") throws -> JSONValue {
    let url = try url()
    var request = HTTPRequest(body == nil ? "GET" : "POST", url + path)
    request.body = body.map { JSONWriter.octets(of: $0) }
    let client = try HTTPClient(access: RemoteAccess(kind: .webcal, url: url))
    return try JSONReader.value(of: try client.send(request).body, maximumOctets: 1 << 24)
  }
}
