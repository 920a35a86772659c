import Sync
import TestSupport
import Testing

@testable import Remotes

@Suite struct `Google's calendars` {
  private static let home = "/caldav/v2/ana%40example.org/events/"
  private let server: GoogleServer
  private let remote: GoogleRemote

  init() throws {
    let server = try GoogleServer()
    self.server = server
    let addresses = GoogleAddresses(base: server.address)
    let client = OAuthClient(id: GoogleServer.client, secret: GoogleServer.secret)
    let tokens = try GoogleSignIn(addresses: addresses).run(client, user: "") { page in
      do { try server.browse(page, ["good"]) } catch { Issue.record(error) }
    }
    var access = RemoteAccess(kind: .google, url: "")
    access.secret = tokens.access
    remote = try GoogleRemote(access: access, addresses: addresses)
  }

  @discardableResult
  private func add(_ name: String, match: String? = nil) throws -> String {
    try remote.write(
      Sample.event(name), at: Self.home + name + ".ics", of: Self.home, match: match)
  }

  @Test func `they are those of its list, with name, colour and rights`() throws {
    let found = try remote.collections()
    #expect(
      found.map(\.href) == [
        Self.home, "/caldav/v2/en.holidays%23it%40group.v.calendar/events/",
      ])
    #expect(found.map(\.name) == ["Ana", "Holidays"])
    #expect(found.map(\.color) == ["#9fe1e7", ""])
    #expect(found.map(\.isWritable) == [true, false])
    #expect(found.allSatisfy { $0.components == ["VEVENT"] })
  }

  @Test func `many changes come in parts`() throws {
    for name in ["a", "b", "c", "d", "e"] { try add(name) }
    let all = try remote.list(Self.home)
    #expect(all.etags.count == 5)
    #expect(all.listing?.isFull == true)
    try remote.delete(Self.home + "a.ics", of: Self.home, match: all.etags[Self.home + "a.ics"]!)
    try add("f")
    let token = try #require(all.listing?.token)
    let later = try remote.list(Self.home, since: token)
    #expect(later.gone == [Self.home + "a.ics"])
    #expect(Array(later.etags.keys) == [Self.home + "f.ics"])
    #expect(try server.requests.allSatisfy { !$0.hasPrefix("PROPFIND") })
  }

  @Test func `a new event is written without a condition, and replaces none`() throws {
    try add("a")
    #expect(try !server.requests.contains { $0.hasPrefix("PUT") && $0.hasSuffix("*") })
    #expect(failure { try add("a") }?.kind == .conflict)
    let etag = try #require(try remote.list(Self.home).etags.values.first)
    #expect(try add("a", match: etag) != etag)
    #expect(failure { try add("a", match: etag) }?.kind == .conflict)
  }

  @Test(arguments: ["list", "dav"])
  func `an interface that is not enabled is said, with what to do`(place: String) throws {
    let body = """
      {\\"error\\": {\\"code\\": 403, \\"message\\": \\"CalDAV API has not been used in project 1 before or \
      it is disabled. Enable it by visiting this long address of the console and so on.\\", \
      \\"errors\\": [{\\"reason\\": \\"accessNotConfigured\\"}]}}
      """
    try server.set("\"\(place)\": [403, \"application/json\", \"\(body)\"]")
    let failure = failure {
      _ =
        place == "list"
        ? Answers(collections: try remote.collections()) : try remote.list(Self.home)
    }
    #expect(failure?.kind == .forbidden)
    #expect(failure?.reason.contains("\"CalDAV API\"") == true)
  }

  @Test func `a token that ends meanwhile is a failed sign-in`() throws {
    try server.set("\"dav\": [401, \"application/json\", {}]")
    #expect(failure { _ = try remote.list(Self.home) }?.kind == .signIn)
  }

  @Test func `quotas that are used up are waited for`() throws {
    try server.set(
      "\"list\": [403, \"application/json\", {\"error\": {\"reason\": \"rateLimitExceeded\"}}]")
    #expect(failure { _ = try remote.collections() }?.kind == .busy)
  }

  @Test func `a page instead of the list is no list`() throws {
    try server.set("\"list\": [200, \"text/html\", \"<html>Hello</html>\"]")
    #expect(failure { _ = try remote.collections() }?.kind == .malformed)
  }
}
