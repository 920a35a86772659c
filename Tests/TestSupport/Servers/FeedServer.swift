/// A web server on the loopback interface that has one web calendar.
///
/// It sends no headers by which a download could be left out.
package final class FeedServer {
  /// Such as `http://127.0.0.1:4711/feed.ics`.
  package let url: String
  package let port: String
  private let folder: TemporaryDirectory
  private let program: Subprocess

  private static let script = """
    import http.server, sys
    class Feed(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = open(sys.argv[1], "rb").read()
            self.send_response(200)
            self.send_header("Content-Type", "text/calendar")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Feed)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  /// Starts one, and returns once it accepts connections.
  package init(_ text: String) throws {
    folder = try TemporaryDirectory()
    try folder.write(text, to: "feed.ics")
    program = try Subprocess("python3", ["-c", FeedServer.script, folder.file("feed.ics")])
    try program.wait(timeoutSeconds: 60) { $0.output.contains(0x0A) }
    let port = String(decoding: program.output.prefix { $0 != 0x0A }, as: UTF8.self)
    guard Int(port) != nil else {
      throw TestSupportError("the server does not start: \(program.outcome.errors)")
    }
    self.port = port
    url = "http://127.0.0.1:\(port)/feed.ics"
  }

  /// Changes the calendar.
  package func set(_ text: String) throws { try folder.write(text, to: "feed.ics") }
}
