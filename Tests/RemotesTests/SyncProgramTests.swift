import Glibc
import JSON
import Sync
import TestSupport
import Testing

@Suite struct `The program datebook-sync` {
  /// Its path: in the folder that DATEBOOK_BIN names, else where these tests were built.
  private var program: String {
    var folder = getenv("DATEBOOK_BIN").map { String(cString: $0) }
    if folder == nil, let path = realpath("/proc/self/exe", nil) {
      folder = String(cString: path).split(separator: "/").dropLast().map { "/" + $0 }.joined()
      free(path)
    }
    return (folder ?? ".") + "/datebook-sync"
  }

  private func run(_ input: [UInt8]) throws -> [RemoteAnswer] {
    let outcome = try Subprocess.run(program, input: .bytes(input))
    #expect(outcome.status == .exited(0) && outcome.errors == "")
    return try outcome.output.split(separator: "\n").map {
      try #require(RemoteAnswer(try JSONReader.value(of: String($0), maximumOctets: 1 << 24)))
    }
  }

  private func line(_ request: RemoteRequest) -> [UInt8] {
    JSONWriter.octets(of: request.json) + [0x0A]
  }

  @Test func `requests are answered in their order until the input ends`() throws {
    let text = Sample.event("a")
    let server = try FaultServer([
      .delta([Sample.listed("/cal/a.ics", "\"1\"")], token: "t1"),
      .multiget([Sample.item("/cal/a.ics", "\"1\"", text)]),
    ])
    let answers = try run(
      line(.open(RemoteAccess(kind: .caldav, url: server.origin)))
        + line(.changes(collection: "/cal/", token: ""))
        + line(.fetch(collection: "/cal/", hrefs: ["/cal/a.ics"])))
    #expect(
      answers == [
        .done(nil), .item(href: "/cal/a.ics", etag: "\"1\"", text: nil),
        .done(RemoteListing(isFull: true, token: "sync:t1")),
        .item(href: "/cal/a.ics", etag: "\"1\"", text: text.trimmedLines), .done(nil),
      ])
  }

  @Test func `what comes without an end of line is no request`() throws {
    let request = line(.discover)
    #expect(try run(request + request.dropLast()).count == 1)
    #expect(try run([]) == [])
  }
}

extension String {
  /// With the line ends that XML leaves, and none at the end.
  fileprivate var trimmedLines: String { split(separator: "\r\n").joined(separator: "\n") }
}
