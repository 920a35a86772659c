import Testing

@testable import Remotes

@Suite struct `Paths of items` {
  @Test(arguments: [
    ("/a/b@c.ics", "/a/b%40c.ics"), ("/a/b%40c.ics", "/a/b%40c.ics"),
    ("/a/%7euser/%c3%a9", "/a/~user/%C3%A9"), ("/a/é b", "/a/%C3%A9%20b"),
    ("/a/x%2Fy", "/a/x%2Fy"), ("/100%/%zz/%4", "/100%25/%25zz/%254"),
  ])
  func `equal paths are the same text`(_ path: String, _ canonical: String) {
    #expect(Href.canonical(path) == canonical)
    #expect(Href.canonical(canonical) == canonical)
  }

  private let collection = CollectionPath(
    "/dav/cal", home: WebURL("https://example.com/dav/")!)!

  @Test(arguments: [
    ("/dav/cal/", CollectionPath.Place.itself), ("/dav/cal", .itself),
    ("https://example.com/dav/cal/", .itself), ("/dav/cal/1.ics", .item("/dav/cal/1.ics")),
    ("http://inside:8080/dav/cal/1.ics", .item("/dav/cal/1.ics")),
    ("1.ics", .item("/dav/cal/1.ics")),
    ("/dav/calendar/1.ics", .foreign), ("/dav/other/1.ics", .foreign), ("/", .foreign),
    ("/dav/cal/%2e%2e/other/1.ics", .foreign), ("mailto:ana@example.com", .foreign),
  ])
  func `an href is the collection, an item of it, or foreign`(
    _ href: String, _ place: CollectionPath.Place
  ) {
    #expect(collection.place(of: href, answered: collection.url) == place)
  }

  @Test func `items of a collection that was redirected keep their path`() throws {
    let answered = try #require(WebURL("https://example.com/remote.php/dav/cal/"))
    let place = collection.place(of: "/remote.php/dav/cal/1.ics", answered: answered)
    #expect(place == .item("/dav/cal/1.ics"))
  }
}
