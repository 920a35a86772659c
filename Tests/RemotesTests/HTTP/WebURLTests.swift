import Testing

@testable import Remotes

@Suite struct `Web addresses` {
  struct Case: CustomTestStringConvertible {
    var typed: String
    var url: String?
    var testDescription: String { typed }
  }

  @Test(arguments: [
    Case(typed: "example.com", url: "https://example.com/"),
    Case(typed: " example.com/dav ", url: "https://example.com/dav"),
    Case(typed: "ana@example.com", url: "https://example.com/"),
    Case(typed: "http://example.com:5232/ana/", url: "http://example.com:5232/ana/"),
    Case(typed: "https://ana:pw@example.com/x#y", url: "https://example.com/x"),
    Case(typed: "https://example.com/a b/é", url: "https://example.com/a%20b/%c3%a9"),
    Case(typed: "ftp://example.com/", url: nil),
    Case(typed: "file:///etc/passwd", url: nil),
    Case(typed: "", url: nil),
  ])
  func `what people type is a URL, a host or an e-mail address`(_ each: Case) {
    #expect(WebURL(address: each.typed)?.text == each.url)
  }

  @Test func `user and password are taken out, and decoded`() throws {
    let url = try #require(WebURL("https://ana%40home:p%3Aw@example.com/"))
    #expect(url.user == "ana@home" && url.password == "p:w")
    #expect(!url.text.contains("ana"))
  }

  @Test func `a query is not for messages`() throws {
    let url = try #require(WebURL("https://example.com/feed.ics?token=secret"))
    #expect(url.text.hasSuffix("?token=secret"))
    #expect(url.display == "https://example.com/feed.ics")
  }

  @Test(arguments: [
    ("/x/", "https://example.com/x/"), ("y.ics", "https://example.com/dav/y.ics"),
    ("../z", "https://example.com/z"), ("//other.example/", "https://other.example/"),
    ("http://example.com/", "http://example.com/"),
  ])
  func `a reference is relative to where it was found`(_ reference: String, _ url: String) throws {
    let base = try #require(WebURL("https://example.com/dav/"))
    #expect(WebURL(reference, relativeTo: base)?.text == url)
  }
}
