import Sync
import Testing

@Suite struct `A plan for a listing` {
  private static let names = ItemNames.hrefs(collection: "/c/")
  private static let known = ["a", "b"].map {
    KnownItem(href: "/c/\($0).ics", etag: "\"\($0)\"", uid: $0)
  }

  private func plan(
    known: [KnownItem] = known, _ listed: [ListedItem], gone: [String] = [],
    unreadable: [String] = [], isFull: Bool = true
  ) -> ListingPlan {
    ListingPlan(
      known: known, names: Self.names, listed: listed, gone: gone, unreadable: unreadable,
      isFull: isFull)
  }

  private let a = ListedItem(href: "/c/a.ics", etag: "\"a\"")
  private let b = ListedItem(href: "/c/b.ics", etag: "\"b\"")

  @Test func `fetches what is new or has another ETag`() {
    let plan = plan([
      a, ListedItem(href: "/c/b.ics", etag: "W/\"b\""), ListedItem(href: "/c/new.ics", etag: "1"),
    ])
    #expect(plan.fetch == ["/c/b.ics", "/c/new.ics"])
    #expect(plan.gone == [])
  }

  // Rule 11.
  @Test func `fetches an item without an ETag, and only once`() {
    let item = KnownItem(href: "/c/a.ics", etag: "", uid: "a")
    let listed = ListedItem(href: "/c/a.ics", etag: "")
    #expect(plan(known: [item], [listed, listed]).fetch == ["/c/a.ics"])
  }

  @Test func `does not fetch what came with its text`() {
    let items = [
      ListedItem(href: "/c/a.ics", etag: "\"a\"", text: "same"),
      ListedItem(href: "/c/b.ics", etag: "2", text: "changed"),
      ListedItem(href: "/c/new.ics", etag: "", text: "new"),
    ]
    let plan = plan(items)
    #expect(plan.fetch == [])
    #expect(plan.texts == Array(items.dropFirst()))
  }

  // Rules 3 and 18.
  @Test func `takes as gone what a full listing lacks, or what the server says is gone`() {
    #expect(plan([a]).gone.map(\.uid) == ["b"])
    #expect(plan([a], isFull: false).gone == [])
    #expect(plan([], gone: ["/c/b.ics"], isFull: false).gone.map(\.uid) == ["b"])
  }

  // Rule 4.
  @Test func `takes nothing as gone by its absence if any item cannot be read`() {
    #expect(plan([], unreadable: ["/c/a.ics"]).gone == [])
    #expect(plan([], unreadable: ["/elsewhere"]).gone == [])
    #expect(plan([], gone: ["/c/b.ics"], unreadable: ["/c/x.ics"]).gone.map(\.uid) == ["b"])
  }

  @Test func `does not take as gone what is listed or unreadable besides`() {
    #expect(plan([a, b], gone: ["/c/b.ics"]).gone == [])
    #expect(plan([a], gone: ["/c/b.ics"], unreadable: ["/c/b.ics"]).gone == [])
  }

  // Rule 4.
  @Test func `only items that came from the server can be gone`() {
    #expect(plan(known: [], [], gone: ["/c/x.ics"]).gone == [])
  }

  // Rule 15.
  @Test func `ignores an item listed twice, and items of other collections`() {
    let plan = plan([
      ListedItem(href: "/c/n.ics", etag: "1"), ListedItem(href: "/c/n.ics", etag: "2"),
      ListedItem(href: "/d/n.ics", etag: "1"), ListedItem(href: "/c/", etag: "1"),
      ListedItem(href: "/c/../d/n.ics", etag: "1"), a, b,
    ])
    #expect(plan.fetch == ["/c/n.ics"])
    #expect(plan.gone == [])
  }

  // Rule 20.
  @Test func `finds an item whose href is spelled in another way, and keeps the server's spelling`()
  {
    let known = ["/c/a%40x.ics", "/c/b@x.ics", "/c/%C3%A4.ics"].map {
      KnownItem(href: $0, etag: "1", uid: $0)
    }
    let plan = plan(
      known: known,
      [
        ListedItem(href: "/c/a@x.ics", etag: "1"), ListedItem(href: "/c/b%40x.ics", etag: "2"),
        ListedItem(href: "https://dav.example/c/ä.ics", etag: "1"),
      ])
    #expect(plan.fetch == ["/c/b%40x.ics"])
    #expect(plan.gone == [])
  }

  @Test func `knows whether the answer names anything`() {
    #expect(plan([]).isEmpty)
    #expect(!plan([a]).isEmpty)
    #expect(!plan([], unreadable: ["/c/a.ics"]).isEmpty)
  }
}

@Suite struct `Names of items` {
  @Test(arguments: [
    ("/c/", "/c/a.ics", "/c/a.ics"), ("/c", "/c/a.ics", "/c/a.ics"),
    ("/c%40d/", "/c@d/a.ics", "/c@d/a.ics"), ("/c/", "/c/%7ea", "/c/~a"),
    ("https://h/c/", "/c/a", "/c/a"), ("https://h/c/", "HTTPS://H/c/a", "/c/a"),
    // What these stand for is not what they look like.
    ("/c/", "/c/a%2fb", "/c/a%2Fb"), ("/c/", "/c/a%2540", "/c/a%2540"),
    ("/c/", "/c/%+4%4", "/c/%+4%4"),
    // Two octets of Latin-1 are not the same.
    ("/c/", "/c/%e4", "/c/%E4"),
  ])
  func `of one spelling`(collection: String, href: String, key: String) {
    #expect(ItemNames.hrefs(collection: collection).key(href) == key)
  }

  @Test(arguments: [
    ("/c/", "/cc/a"), ("/c/", "/c"), ("/c/", "/c/"), ("/c/", ""), ("/c/", "a.ics"),
    ("https://h/c/", "https://i/c/a"), ("/c/", "/c/./a"), ("/c/", "/c/%2e%2e/d/a"),
  ])
  func `of other collections are none`(collection: String, href: String) {
    #expect(ItemNames.hrefs(collection: collection).key(href) == nil)
  }

  @Test func `that are opaque are compared as they are`() {
    #expect(ItemNames.opaque.key("a%40b") == "a%40b")
    #expect(ItemNames.opaque.key("https://x/1") == "https://x/1")
    #expect(ItemNames.opaque.key("") == nil)
  }
}
