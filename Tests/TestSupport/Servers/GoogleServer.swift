/// A server that stands for Google's; see google.py.
///
/// A program that is to use it has its address as `DATEBOOK_GOOGLE`.
package final class GoogleServer {
  package static let client = "client-1"
  package static let secret = "client-secret"

  /// Such as `http://127.0.0.1:4711`.
  package let address: String
  private let program: Subprocess
  private static let script = directory(ofFile: #filePath) + "/google.py"

  package init() throws {
    program = try Subprocess("python3", [GoogleServer.script])
    try program.wait(timeoutSeconds: 60) { $0.output.contains(0x0A) }
    let port = String(decoding: program.output.prefix { $0 != 0x0A }, as: UTF8.self)
    address = "http://127.0.0.1:\(port)"
  }

  /// Changes how it behaves: members of a JSON object.
  package func set(_ settings: String) throws { try send("PUT", "/control", "{\(settings)}") }

  /// What it was asked so far, in order, such as "POST /token refresh_token".
  package var requests: [String] {
    get throws {
      let lines = try send("GET", "/control").split(separator: "\"")
      return lines.indices.filter { $0 % 2 == 1 }.map { String(lines[$0]) }
    }
  }

  /// Does what a browser would with the page for signing in, while the caller goes on.
  package func browse(_ page: String, _ acts: [String]) throws {
    let words = acts.map { "\"\($0)\"" }.joined(separator: ",")
    try send("POST", "/browse", "{\"url\": \"\(page)\", \"acts\": [\(words)]}")
  }

  @discardableResult
  private func send(_ method: String, _ path: String, _ body: String = "") throws -> String {
    let outcome = try Subprocess.run(
      "python3", [GoogleServer.script, "--send", address + path, method, body])
    guard outcome.status == .exited(0) else { throw TestSupportError(outcome.errors) }
    return outcome.output
  }
}
