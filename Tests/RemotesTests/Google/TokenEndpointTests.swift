import Sync
import TestSupport
import Testing

@testable import Remotes

@Suite struct `Tokens of Google` {
  private let server: GoogleServer
  private let client = OAuthClient(id: GoogleServer.client, secret: GoogleServer.secret)
  private let first: OAuthTokens
  private let endpoint: TokenEndpoint

  init() throws {
    let server = try GoogleServer()
    self.server = server
    let addresses = GoogleAddresses(base: server.address)
    endpoint = try TokenEndpoint(addresses)
    first = try GoogleSignIn(addresses: addresses).run(client, user: "") { page in
      do { try server.browse(page, ["good"]) } catch { Issue.record(error) }
    }
  }

  private func renew(_ client: OAuthClient? = nil, days: Int64 = 1) throws -> OAuthTokens {
    try endpoint.renew(client ?? self.client, refresh: first.refresh, days: days)
  }

  @Test func `an access token is renewed`() throws {
    let tokens = try renew()
    #expect(tokens.access != first.access)
    // The refresh token stays.
    #expect(tokens.refresh == "")
  }

  @Test func `a new refresh token comes with it where Google gives one`() throws {
    try server.set("\"rotate\": true, \"expires\": 1")
    let tokens = try renew()
    #expect(!tokens.refresh.isEmpty && tokens.refresh != first.refresh)
    #expect(tokens.seconds == 1)
    #expect(failure { _ = try renew() }?.kind == .signIn)
  }

  @Test func `a client that Google does not know has to be put right`() throws {
    let failure = failure { _ = try renew(OAuthClient(id: GoogleServer.client, secret: "no")) }
    #expect(failure?.kind == .signIn)
    #expect(failure?.reason.contains("invalid_client") == true)
  }

  @Test(arguments: [
    (Int64(0), false), (3, false), (7, true), (8, true), (30, false),
  ])
  func `what ends after a week is of a client in testing`(days: Int64, isTesting: Bool) throws {
    try endpoint.revoke(first.refresh)
    let failure = failure { _ = try renew(days: days) }
    #expect(failure?.kind == .signIn)
    #expect(failure?.reason.contains("Testing") == isTesting)
  }

  @Test(
    arguments: [
      ("200, \"text/html\", \"<html>Sign in to the hotel's network</html>\"", .malformed),
      ("200, \"application/json\", \"{}\"", .malformed),
      ("302, \"text/html\", \"\"", .malformed),
      ("429, \"application/json\", \"{}\"", .busy), ("503, \"text/plain\", \"\"", .busy),
      ("400, \"application/json\", {\"error\": \"invalid_request\"}", .refused),
      ("401, \"text/plain\", \"\"", .refused),
    ] as [(String, RemoteFailure.Kind)])
  func `all else is no reason to sign in again`(answer: String, kind: RemoteFailure.Kind) throws {
    try server.set("\"token\": [\(answer)]")
    #expect(failure { _ = try renew() }?.kind == kind)
  }

  @Test func `a token is revoked, and may be once more`() throws {
    try endpoint.revoke(first.refresh)
    try endpoint.revoke(first.refresh)
    #expect(failure { _ = try renew() }?.kind == .signIn)
  }

  @Test func `secrets do not follow where an answer leads`() throws {
    let other = try FaultServer([Exchange(on: "POST /token", status: 200, body: "{}")])
    let here = try FaultServer([
      Exchange(on: "POST /token", status: 307, headers: ["Location": other.origin + "/token"])
    ])
    let endpoint = try TokenEndpoint(GoogleAddresses(base: here.origin))
    #expect(throws: RemoteFailure.self) {
      _ = try endpoint.renew(client, refresh: "secret", days: 0)
    }
    #expect(here.requests.count == 1)
    #expect(other.requests.isEmpty)
  }
}
