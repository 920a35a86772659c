import Sync
import Testing

@testable import Remotes

@Suite struct `Redirects` {
  private func next(_ status: Int, _ location: String?, from url: String) throws -> String? {
    let url = try #require(WebURL(url))
    return try RedirectRule.next(after: status, location: location, from: url)?.text
  }

  @Test(arguments: [300, 301, 302, 303, 307, 308])
  func `each status of redirection leads on`(_ status: Int) throws {
    #expect(try next(status, "/dav/", from: "http://a.example/x") == "http://a.example/dav/")
  }

  @Test(arguments: [200, 207, 304, 401, 404])
  func `others lead nowhere`(_ status: Int) throws {
    #expect(try next(status, "/dav/", from: "http://a.example/x") == nil)
  }

  @Test func `a redirection without a place leads nowhere`() throws {
    #expect(try next(301, nil, from: "http://a.example/x") == nil)
  }

  @Test func `a step to HTTP is refused, one to HTTPS is not`() throws {
    #expect(throws: RemoteFailure.self) {
      try next(301, "http://a.example/", from: "https://a.example/")
    }
    #expect(try next(301, "https://a.example/", from: "http://a.example/") == "https://a.example/")
  }

  @Test func `another scheme is refused`() {
    #expect(throws: RemoteFailure.self) {
      try next(301, "file:///etc/passwd", from: "http://a.example/")
    }
  }

  struct Case: CustomTestStringConvertible {
    var home: String
    var url: String
    var isAllowed: Bool
    var testDescription: String { "\(home) to \(url)" }
  }

  @Test(arguments: [
    Case(home: "https://a.example/x", url: "https://a.example/y", isAllowed: true),
    Case(home: "http://a.example:5232/", url: "http://a.example:5232/ana/", isAllowed: true),
    Case(home: "http://a.example/", url: "https://a.example/", isAllowed: true),
    Case(home: "https://a.example/", url: "https://dav.a.example/", isAllowed: true),
    Case(
      home: "https://caldav.icloud.com/", url: "https://p23-caldav.icloud.com/", isAllowed: true),
    Case(home: "https://a.example/", url: "http://a.example/", isAllowed: false),
    Case(home: "https://a.example/", url: "http://dav.a.example/", isAllowed: false),
    Case(home: "https://a.example/", url: "https://a.example:8443/", isAllowed: false),
    Case(home: "https://a.example/", url: "https://nota.example/", isAllowed: false),
    Case(home: "https://dav.a.example/", url: "https://a.example/", isAllowed: false),
    Case(home: "https://caldav.icloud.com/", url: "https://x.icloud.com/", isAllowed: false),
    Case(home: "https://b.example/", url: "https://p23-caldav.icloud.com/", isAllowed: false),
  ])
  func `credentials go to the server that they were given for`(_ each: Case) throws {
    let (home, url) = (try #require(WebURL(each.home)), try #require(WebURL(each.url)))
    #expect(RedirectRule.mayHaveCredentials(url, of: home) == each.isAllowed)
  }
}
