import Sync
import TestSupport
import Testing

@testable import Remotes

@Suite struct `Signing in with Google` {
  private let server: GoogleServer
  private let client = OAuthClient(id: GoogleServer.client, secret: GoogleServer.secret)

  init() throws { server = try GoogleServer() }

  /// Signs in, while a browser does these things one after the other.
  private func signIn(
    _ acts: [String], client: OAuthClient? = nil, milliseconds: Int64 = 60_000
  ) throws -> OAuthTokens {
    let signIn = GoogleSignIn(
      addresses: GoogleAddresses(base: server.address), milliseconds: milliseconds)
    let server = server
    return try signIn.run(client ?? self.client, user: "ana@example.org") { page in
      do { try server.browse(page, acts) } catch { Issue.record(error) }
    }
  }

  @Test func `who says yes is signed in`() throws {
    let tokens = try signIn(["good"])
    #expect(!tokens.access.isEmpty && !tokens.refresh.isEmpty)
    #expect(tokens.seconds == 3600)
    #expect(
      try server.requests.filter { $0.hasPrefix("POST") } == [
        "POST /token authorization_code"
      ])
  }

  @Test func `requests of others are refused and do not end it`() throws {
    #expect(!(try signIn(["idle", "stray", "stateless", "wrong", "good"])).refresh.isEmpty)
    let answers = try server.requests.filter { $0.hasPrefix("browser") }
    #expect(
      answers.prefix(3) == ["browser stray 403", "browser stateless 403", "browser wrong 403"])
    #expect(try server.requests.filter { $0.hasPrefix("POST") }.count == 1)
  }

  @Test func `who says no is not signed in`() throws {
    let failure = failure { _ = try signIn(["wrong", "denied"]) }
    #expect(failure?.kind == .signIn)
    #expect(failure?.reason.contains("said no") == true)
  }

  @Test func `who says nothing is not waited for any longer than five minutes`() throws {
    #expect(GoogleSignIn(addresses: GoogleAddresses()).milliseconds == 300_000)
    let failure = failure { _ = try signIn(["wrong"], milliseconds: 1) }
    #expect(failure?.kind == .signIn)
    #expect(failure?.reason.contains("five minutes") == true)
  }

  @Test func `a code of another sign-in is no use`() throws {
    let failure = failure { _ = try signIn(["swapped"]) }
    #expect(failure?.kind == .signIn)
  }

  @Test func `a sign-in that does not last is refused`() throws {
    try server.set("\"refresh\": false")
    let failure = failure { _ = try signIn(["good"]) }
    #expect(failure?.kind == .signIn)
    #expect(failure?.reason.contains("myaccount.google.com") == true)
  }

  @Test func `the page has all that Google asks for, and no secret`() {
    let secrets = SignInSecrets(state: "s t", verifier: "v")
    let page = GoogleSignIn(addresses: GoogleAddresses()).page(
      client, user: "ana@example.org", secrets, port: 4711)
    #expect(
      page == """
        https://accounts.google.com/o/oauth2/v2/auth?client_id=client-1&\
        redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2F&response_type=code&\
        scope=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcalendar&state=s%20t&\
        code_challenge=\(secrets.challenge)&code_challenge_method=S256&access_type=offline&\
        prompt=consent&login_hint=ana%40example.org
        """)
  }

  // Source: RFC 7636 appendix B.
  @Test func `the challenge is the hash of the verifier`() {
    let secrets = SignInSecrets(
      state: "", verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(secrets.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func `secrets are long, and never the same`() {
    let (one, other) = (SignInSecrets.random(), SignInSecrets.random())
    #expect(one != other && one.state != one.verifier)
    // RFC 7636 section 4.1 wants 43 characters or more.
    #expect(one.state.count == 43 && one.verifier.count == 43)
  }

  // Source: the examples of FIPS 180-4.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `a hash is that of the standard`(text: String, hash: String) {
    let octets = SHA256.hash(Array(text.utf8))
    #expect(octets.map { String(Int($0) + 256, radix: 16).suffix(2) }.joined() == hash)
  }
}
