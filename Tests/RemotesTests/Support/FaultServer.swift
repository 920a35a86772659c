import JSON
import TestSupport

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

  var json: JSONValue {
    [
      "on": .string(on), "when": .string(when), "status": JSONValue(status),
      "headers": .object(JSONObject(headers.map { ($0.key, JSONValue.string($0.value)) })),
      "body": .string(body), "cut": cut.map { JSONValue($0) } ?? .null, "silent": .bool(isSilent),
    ]
  }
}

/// A scripted web server on the loopback interface; see faults.py.
final class FaultServer {
  /// A request that it got.
  struct Request {
    let line: String
    let headers: [String: String]
    let body: String
  }

  /// Such as `http://127.0.0.1:4711`.
  let origin: String
  private let program: Subprocess

  init(_ exchanges: [Exchange]) throws {
    let script = String(#filePath.dropLast("FaultServer.swift".count)) + "faults.py"
    let input = JSONWriter.octets(of: .array(exchanges.map(\.json)))
    program = try Subprocess("python3", [script], input: .bytes(input))
    try program.wait(timeoutSeconds: 60) { $0.output.contains(0x0A) }
    let line = String(decoding: program.output.prefix { $0 != 0x0A }, as: UTF8.self)
    guard Int(line) != nil else {
      throw TestSupportError("the server does not start: \(program.outcome.errors)")
    }
    origin = "http://127.0.0.1:\(line)"
  }

  /// What it was asked so far, in order. It prints a request before it answers it.
  var requests: [Request] {
    program.pump()
    let lines = String(decoding: program.output, as: UTF8.self).split(separator: "\n").dropFirst()
    return lines.compactMap { line in
      guard let json = try? JSONReader.value(of: String(line), maximumOctets: 1 << 24) else {
        return nil
      }
      func text(_ name: String) -> String { json[name]?.stringValue ?? "" }
      var headers: [String: String] = [:]
      for member in json["headers"]?.objectValue?.members ?? [] {
        headers[member.name] = member.value.stringValue
      }
      return Request(
        line: "\(text("method")) \(text("path"))", headers: headers, body: text("body"))
    }
  }

  /// The lines of the requests, such as `GET /cal/1.ics`.
  var lines: [String] { requests.map(\.line) }
}
