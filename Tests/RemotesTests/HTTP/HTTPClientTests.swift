import Sync
import TestSupport
import Testing

@testable import Remotes

@Suite struct `Sending requests` {
  private func client(
    _ server: FaultServer, user: String = "ana", secret: String = "s3cret"
  ) throws -> HTTPClient {
    var access = RemoteAccess(kind: .webcal, url: server.origin + "/")
    access.user = user
    access.secret = secret
    return try HTTPClient(access: access)
  }

  private let challenge = Exchange(
    on: "GET /", status: 401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])

  @Test func `a redirect keeps the method and the body`() throws {
    let server = try FaultServer([
      Exchange(on: "REPORT /old", status: 301, headers: ["Location": "/new"]),
      Exchange(on: "REPORT /new", status: 207, body: "yes"),
    ])
    var request = HTTPRequest("REPORT", server.origin + "/old")
    request.body = Array("question".utf8)
    let answer = try client(server).send(request)
    #expect(answer.status == 207 && answer.url == server.origin + "/new")
    #expect(server.requests.map(\.body) == ["question", "question"])
    #expect(server.requests.allSatisfy { $0.headers["content-length"] == "8" })
    #expect(server.requests.allSatisfy { $0.headers["transfer-encoding"] == nil })
  }

  @Test func `an answer that comes twice is no answer to the next request`() throws {
    for octets in [10, 300_000] {
      let large = String(repeating: "a", count: octets)
      let server = try FaultServer([
        Exchange(on: "GET /a", status: 200, body: large, isTwice: true),
        Exchange(on: "GET /b", status: 200, body: "b"),
      ])
      let client = try client(server)
      for _ in 1...3 {
        #expect(try client.send(HTTPRequest("GET", server.origin + "/a")).body.count == octets)
        #expect(try client.send(HTTPRequest("GET", server.origin + "/b")).body == Array("b".utf8))
      }
      #expect(server.lines == ["GET /a", "GET /b", "GET /a", "GET /b", "GET /a", "GET /b"])
    }
  }

  // Multiplexing has cost other clients the answers of some servers (python-caldav#564).
  @Test func `HTTP 1.1 is spoken with a server that would rather have HTTP 2`() throws {
    let folder = try TemporaryDirectory()
    defer { withExtendedLifetime(folder) {} }
    let certificate = try makeCertificate(in: folder)
    let server = try FaultServer([Exchange(on: "GET /", status: 200)], certificate: certificate)
    var access = RemoteAccess(kind: .webcal, url: server.origin + "/")
    access.authorities = certificate
    #expect(try HTTPClient(access: access).send(HTTPRequest("GET", access.url)).status == 200)
    #expect(server.requests.map(\.version) == ["HTTP/1.1"])
  }

  @Test func `a circle of redirects ends after five hops`() throws {
    let server = try FaultServer([
      Exchange(on: "GET /", status: 302, headers: ["Location": "/"])
    ])
    let failure = #expect(throws: RemoteFailure.self) {
      try client(server).send(HTTPRequest("GET", server.origin + "/"))
    }
    #expect(failure?.kind == .malformed)
    #expect(server.lines.count == 6)
  }

  @Test func `another server gets neither the password nor the key`() throws {
    let other = try FaultServer([Exchange(on: "GET /", status: 200, body: "feed")])
    let server = try FaultServer([
      challenge,
      Exchange(on: "GET /", status: 302, headers: ["Location": other.origin + "/"]),
    ])
    var request = HTTPRequest("GET", server.origin + "/")
    request.secretHeaders = [("X-Api-Key", "k3y")]
    let answer = try client(server).send(request)
    #expect(answer.body == Array("feed".utf8))
    #expect(server.requests.last?.headers["authorization"]?.hasPrefix("Basic ") == true)
    #expect(server.requests.last?.headers["x-api-key"] == "k3y")
    #expect(other.requests.count == 1)
    #expect(other.requests[0].headers["authorization"] == nil)
    #expect(other.requests[0].headers["x-api-key"] == nil)
  }

  @Test func `without encryption the password waits until it is asked for, and is then kept`()
    throws
  {
    let server = try FaultServer([challenge, Exchange(on: "GET /", status: 200)])
    let client = try client(server)
    for _ in 1...2 { _ = try client.send(HTTPRequest("GET", server.origin + "/")) }
    #expect(server.requests.map { $0.headers["authorization"] != nil } == [false, true, true])
  }

  @Test func `a server that wants a digest does not get the password`() throws {
    let server = try FaultServer([
      Exchange(
        on: "GET /", status: 401,
        headers: ["WWW-Authenticate": "Digest realm=\"x\", nonce=\"n\", qop=\"auth\""]),
      Exchange(on: "GET /", status: 200),
    ])
    let answer = try client(server).send(HTTPRequest("GET", server.origin + "/"))
    #expect(answer.status == 200)
    let sent = server.requests.compactMap { $0.headers["authorization"] }
    #expect(sent.map { $0.prefix(21) } == ["Digest username=\"ana\""], "\(sent)")
  }

  @Test func `a wrong password is tried once`() throws {
    let server = try FaultServer([challenge])
    let client = try client(server)
    let answer = try client.send(HTTPRequest("GET", server.origin + "/"))
    #expect(client.failure(of: answer).kind == .signIn)
    #expect(server.lines.count == 2)
  }

  @Test func `a token is sent at once`() throws {
    let server = try FaultServer([Exchange(on: "GET /", status: 200)])
    var access = RemoteAccess(kind: .caldav, url: server.origin)
    access.signIn = .bearer
    access.secret = "t0ken"
    _ = try HTTPClient(access: access).send(HTTPRequest("GET", server.origin + "/"))
    #expect(server.requests[0].headers["authorization"] == "Bearer t0ken")
  }

  @Test func `a secret that the server repeats is not in the reason`() throws {
    let server = try FaultServer([
      Exchange(
        on: "GET /", status: 403, headers: ["Content-Type": "text/plain"], body: "no, s3cret")
    ])
    let client = try client(server)
    let answer = try client.send(HTTPRequest("GET", server.origin + "/"))
    #expect(client.failure(of: answer).reason.contains("no, …"))
  }

  @Test(arguments: [[:], ["Content-Encoding": "gzip"]])
  func `a body is as long as was allowed, when it is decoded`(_ headers: [String: String]) throws {
    let server = try FaultServer([
      Exchange(
        on: "GET /", status: 200, headers: headers, body: String(repeating: "a", count: 9000))
    ])
    var request = HTTPRequest("GET", server.origin + "/")
    request.maximumOctets = 9000
    #expect(try client(server).send(request).body.count == 9000)
    request.maximumOctets = 8999
    let failure = #expect(throws: RemoteFailure.self) { try client(server).send(request) }
    #expect(failure?.kind == .tooLarge)
  }

  @Test(arguments: [
    Exchange(on: "GET /", status: 200, body: "half of it", cut: 5),
    Exchange(on: "GET /", isSilent: true),
  ])
  func `an answer that breaks off, or does not come, is no answer`(_ exchange: Exchange) throws {
    let server = try FaultServer([exchange])
    let failure = #expect(throws: RemoteFailure.self) {
      try client(server).send(HTTPRequest("GET", server.origin + "/"))
    }
    #expect(failure?.kind == .offline)
  }

  @Test(arguments: ["https://127.0.0.1:", "127.0.0.1:"])
  func `a server without encryption is named with its port and the address to give`(
    prefix: String
  ) throws {
    let server = try FaultServer([])
    let port = try #require(server.origin.split(separator: ":").last)
    let client = try HTTPClient(access: RemoteAccess(kind: .webcal, url: prefix + port + "/"))
    let failure = #expect(throws: RemoteFailure.self) {
      try client.send(HTTPRequest("GET", client.home.text))
    }
    let reason = failure?.reason ?? ""
    #expect(failure?.kind == .offline)
    #expect(reason.contains("127.0.0.1 has no encrypted connection (TLS) on port \(port)"))
    #expect(reason.contains("http://"))
    #expect(server.requests.isEmpty)
  }

  @Test func `a server that is not there is offline`() throws {
    let client = try HTTPClient(access: RemoteAccess(kind: .webcal, url: "http://127.0.0.1:1/"))
    let failure = #expect(throws: RemoteFailure.self) {
      try client.send(HTTPRequest("GET", "http://127.0.0.1:1/"))
    }
    #expect(failure?.kind == .offline)
  }
}

@Suite(.enabled(if: CalendarServer.Kind.available.contains(.olderRadicale)))
struct `Trust in a server` {
  private let server: CalendarServer
  private let certificate: String

  init() throws {
    let folder = try TemporaryDirectory()
    certificate = try makeCertificate(in: folder)
    server = try CalendarServer(.olderRadicale, in: folder, certificate: certificate)
  }

  private func failure(
    authorities: String = "", pinnedKey: String = ""
  ) throws -> RemoteFailure.Kind? {
    var access = RemoteAccess(kind: .caldav, url: server.url)
    access.user = "alice"
    access.secret = "secret"
    access.authorities = authorities
    access.pinnedKey = pinnedKey
    return RecordedSession(access).failure(.discover)?.kind
  }

  @Test func `an unknown certificate is refused, one that was named is trusted`() throws {
    #expect(try failure() == .certificate)
    #expect(try failure(authorities: certificate) != .certificate)
  }

  @Test func `a pinned key has to be that of the server`() throws {
    let script = """
      openssl x509 -in "$1" -pubkey -noout | openssl pkey -pubin -outform der |
        openssl dgst -sha256 -binary | openssl enc -base64
      """
    let digest = try Subprocess.run("sh", ["-c", script, "sh", certificate]).output
    let own = "sha256//" + digest.filter { !$0.isWhitespace }
    #expect(try failure(authorities: certificate, pinnedKey: own) != .certificate)
    let other = "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    #expect(try failure(authorities: certificate, pinnedKey: other) == .certificate)
  }

  @Test func `there is no way around a file of certificates that cannot be read`() throws {
    #expect(try failure(authorities: "/nowhere.pem") == .certificate)
  }
}
