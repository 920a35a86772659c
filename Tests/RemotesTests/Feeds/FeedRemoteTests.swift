import Sync
import Testing

@testable import Remotes

@Suite struct `A web calendar` {
  private func feed(_ path: String, at servers: MediaServers? = nil) throws -> FeedRemote {
    let address = try servers?.address ?? MediaServers.sharedAddress()
    return try FeedRemote(access: RemoteAccess(kind: .webcal, url: address + path))
  }

  private static let matches = ["match-20", "match-21", "match-22"]

  @Test func `its name and color are those in the text, and it cannot be written`() throws {
    let collection = try #require(try feed("/tagged/feed.ics").collections().first)
    #expect(collection.href == "feed")
    #expect(collection.name == "Matches")
    #expect(collection.color == "#336699")
    #expect(!collection.isWritable)
    #expect(failure { try feed("/tagged/x").write("", at: "a", of: "feed") }?.kind == .forbidden)
  }

  @Test func `all items come with their texts, also compressed`() throws {
    let found = try feed("/tagged/feed.ics").list("feed")
    #expect(found.items.keys.sorted() == Self.matches)
    #expect(found.items["match-20"]?.contains("SUMMARY:Match 20\r\n") == true)
    #expect(found.listing?.isFull == true)
    #expect(found.listing?.refreshSeconds == 21_600)
  }

  @Test(arguments: ["/tagged/feed.ics", "/dated/feed.ics", "/plain/feed.ics", "/moved/feed.ics"])
  func `a feed that has not changed lists nothing`(path: String) throws {
    let first = try feed(path).list("feed")
    let listing = try #require(first.listing)
    #expect(first.items.count == 3)
    let second = try feed(path).list("feed", since: listing.token)
    #expect(second.items.isEmpty)
    #expect(second.listing?.isFull == false)
    #expect(second.listing?.refreshSeconds == 21_600)
    let third = try feed(path).list("feed", since: try #require(second.listing).token)
    #expect(third.items.isEmpty)
  }

  @Test func `a token asks with the ETag or the date of the last download`() throws {
    let servers = try MediaServers()
    for (path, header) in [
      ("/tagged/feed.ics", "unless=\"1\""),
      ("/dated/feed.ics", "since=Fri, 20 Nov 2026 10:00:00 GMT"),
    ] {
      let token = try #require(try feed(path, at: servers).list("feed").listing).token
      _ = try feed(path, at: servers).list("feed", since: token)
      #expect(servers.requests.last == "GET \(path) \(header)")
    }
  }

  @Test func `a token of another kind is as good as none`() throws {
    #expect(try feed("/tagged/feed.ics").list("feed", since: "sync-7").items.count == 3)
  }

  @Test func `what was downloaded to learn the name is not downloaded again`() throws {
    let servers = try MediaServers()
    let token = try #require(try feed("/plain/feed.ics", at: servers).list("feed").listing).token
    let before = servers.requests.count
    let feed = try feed("/plain/feed.ics", at: servers)
    _ = try feed.collections()
    #expect(try feed.list("feed", since: token).items.isEmpty)
    #expect(servers.requests.count == before + 1)
  }

  @Test func `items keep their hrefs when the feed's UIDs change with each download`() throws {
    let first = try feed("/unstable/feed.ics").list("feed")
    #expect(first.items.count == 3)
    #expect(first.items.keys.allSatisfy { $0.hasPrefix("feed-") })
    let second = try feed("/unstable/feed.ics").list(
      "feed", since: try #require(first.listing).token)
    #expect(second.items.isEmpty && second.listing?.isFull == false)
    let again = try feed("/unstable/feed.ics").list("feed")
    #expect(again.etags == first.etags)
    let href = try #require(first.items.keys.first)
    let fetched = try feed("/unstable/feed.ics").items([href, "lost"], of: "feed")
    #expect(fetched.items[href] == first.items[href])
    #expect(fetched.gone == ["lost"])
  }

  struct Refusal: CustomTestStringConvertible {
    let path: String
    let kind: RemoteFailure.Kind
    var words = ""
    var testDescription: String { path }
  }

  @Test(arguments: [
    Refusal(path: "/page/feed.ics", kind: .malformed, words: "web page"),
    Refusal(path: "/locked/feed.ics", kind: .malformed, words: "web page"),
    Refusal(path: "/words/feed.ics", kind: .malformed, words: "no line says BEGIN:VCALENDAR"),
    Refusal(path: "/cut/feed.ics", kind: .malformed, words: "breaks off"),
    Refusal(path: "/short/feed.ics", kind: .offline),
    Refusal(path: "/huge/feed.ics", kind: .tooLarge),
    Refusal(path: "/refusing/feed.ics", kind: .signIn),
    Refusal(path: "/missing/feed.ics", kind: .gone),
    Refusal(path: "/broken/feed.ics", kind: .busy),
    Refusal(path: "/starting/feed.ics", kind: .busy),
  ])
  func `no answer but a whole calendar lists anything`(refusal: Refusal) throws {
    let feed = try feed(refusal.path)
    var answers = Answers()
    let failed = failure {
      _ = try feed.changes(of: "feed", since: "") { answers.add($0) }
    }
    #expect(failed?.kind == refusal.kind)
    #expect(refusal.words.isEmpty || failed?.reason.contains(refusal.words) == true)
    #expect(answers == Answers())
  }

  @Test func `webcal means https`() {
    #expect(FeedRemote.webAddress("webcal://x.example/a.ics") == "https://x.example/a.ics")
    #expect(FeedRemote.webAddress("WEBCALS://x.example/a") == "https://x.example/a")
    #expect(FeedRemote.webAddress("http://x.example/a") == "http://x.example/a")
  }
}
