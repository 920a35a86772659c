import JSON
import Sync
import Testing

@Suite struct `The language of datebook-sync` {
  static let access: RemoteAccess = {
    var access = RemoteAccess(kind: .caldav, url: "https://dav.example/")
    access.user = "alice"
    access.secret = "p\"w\n"
    access.signIn = .bearer
    access.authorities = "/ca.pem"
    access.pinnedKey = "sha256//AAAA"
    access.firstDay = "2026-11-13"
    access.lastDay = "2026-12-11"
    return access
  }()

  static let collection: RemoteCollection = {
    var collection = RemoteCollection(href: "/alice/work/")
    collection.name = "Work"
    collection.color = "#336699"
    collection.components = ["VEVENT", "VTODO"]
    collection.isWritable = false
    collection.tag = "7"
    return collection
  }()

  @Test(
    arguments: [
      .open(access), .discover, .createCollection(name: "Work", color: "#336699"),
      .changes(collection: "/c/", token: ""), .changes(collection: "/c/", token: "t"),
      .fetch(collection: "/c/", hrefs: ["/c/a.ics", "/c/b.ics"]),
      .put(collection: "/c/", href: "/c/a.ics", text: "BEGIN:VCALENDAR\r\n", match: nil),
      .put(collection: "/c/", href: "/c/a.ics", text: "", match: "W/\"1\"", scheduleTag: "\"s1\""),
      .delete(collection: "/c/", href: "/c/a.ics", match: "\"1\""),
      .signIn(OAuthClient(id: "me", secret: ""), user: "ana@example.org"),
      .renew(OAuthClient(id: "me", secret: "s"), refresh: "r", days: 7), .revoke(refresh: "r"),
    ] as [RemoteRequest])
  func `a request is read as it was written`(request: RemoteRequest) throws {
    let text = JSONWriter.text(of: request.json)
    #expect(!text.contains("\n"))
    #expect(RemoteRequest(try JSONReader.value(of: text, maximumOctets: 1000)) == request)
  }

  @Test(
    arguments: [
      .collection(collection), .collection(RemoteCollection(href: "/c/")),
      .item(href: "/c/a.ics", etag: "\"1\"", text: nil),
      .item(href: "/c/a.ics", etag: "", text: "BEGIN:VCALENDAR\r\n", scheduleTag: "\"s1\""),
      .gone(href: "/c/a.ics"), .unreadable(href: "/c/a.ics", reason: "line 3"),
      .page("https://accounts.example/?a=b"),
      .tokens(OAuthTokens(access: "a", refresh: "", seconds: 3600)),
      .done(nil), .done(RemoteListing(isFull: true, token: "")),
      .done(RemoteListing(isFull: false, token: "t", refreshSeconds: 3600)),
      .failed(RemoteFailure(.sameUID, "/c/b.ics")),
      .failed(RemoteFailure(.busy, "later", retryAfter: 300)),
    ] as [RemoteAnswer])
  func `an answer is read as it was written`(answer: RemoteAnswer) throws {
    let text = JSONWriter.text(of: answer.json)
    #expect(!text.contains("\n"))
    #expect(RemoteAnswer(try JSONReader.value(of: text, maximumOctets: 1000)) == answer)
  }

  @Test(arguments: [
    "{}", "[]", #"{"do":"open","kind":"gopher","sign-in":"password"}"#,
    #"{"do":"put","collection":"/c/","href":"/c/a.ics"}"#, #"{"do":"delete","collection":"/c/"}"#,
    #"{"do":"sign-in"}"#, #"{"do":"renew","client-id":"me"}"#, #"{"do":"revoke"}"#,
    #"{"is":"page"}"#, #"{"is":"tokens","seconds":3600}"#, #"{"is":"failed","kind":"odd"}"#,
    #"{"is":"item"}"#,
  ])
  func `what is neither is refused`(text: String) throws {
    let json = try JSONReader.value(of: text, maximumOctets: 1000)
    #expect(RemoteRequest(json) == nil)
    #expect(RemoteAnswer(json) == nil)
  }
}
