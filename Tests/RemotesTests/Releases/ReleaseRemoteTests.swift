import CivilTime
import Sync
import Testing

@testable import Remotes

@Suite struct `A media server` {
  private func remote(
    _ path: String, _ service: ReleaseService = .radarr, key: String = "the-key",
    days: (String, String) = ("2026-11-06", "2026-12-04"), at servers: MediaServers? = nil
  ) throws -> ReleaseRemote {
    var access = RemoteAccess(
      kind: try #require(RemoteRequest.Kind(rawValue: service.rawValue)),
      url: (try servers?.address ?? MediaServers.sharedAddress()) + path)
    access.secret = key
    (access.firstDay, access.lastDay) = days
    let now = try Timestamp(text: "2026-11-20T12:00:00Z")
    let day = try CivilDate(text: "2026-11-20")
    return try ReleaseRemote(access: access, service: service, now: { (now, day) })
  }

  @Test func `it says its name, and cannot be written`() throws {
    let collection = try #require(try remote("/sonarr/", .sonarr).collections().first)
    #expect(collection.name == "Sonarr")
    #expect(collection.href == "releases")
    #expect(collection.components == ["VEVENT"])
    #expect(!collection.isWritable)
  }

  @Test func `a server of another kind is refused by its name`() throws {
    let failed = failure { _ = try remote("/sonarr", .radarr).collections() }
    #expect(failed?.kind == .malformed)
    #expect(failed?.reason.contains("is Sonarr, not Radarr") == true)
  }

  @Test(arguments: ReleaseService.allCases)
  func `all releases come with their texts`(service: ReleaseService) throws {
    let found = try remote("/\(service.rawValue)", service).list("releases")
    let counts: [ReleaseService: Int] = [.radarr: 4, .sonarr: 3, .lidarr: 2]
    #expect(found.items.count == counts[service])
    #expect(found.items.allSatisfy { $1.contains("\r\nUID:\($0)\r\n") })
    #expect(found.listing == RemoteListing(isFull: true, token: ""))
    let again = try remote("/\(service.rawValue)", service).list("releases")
    #expect(again.etags == found.etags)
  }

  @Test func `one more day is asked for at both ends, and the key is in a header`() throws {
    let servers = try MediaServers()
    _ = try remote("/lidarr", .lidarr, at: servers).list("releases")
    #expect(
      servers.requests == [
        "GET /lidarr/api/v1/calendar?start=2026-11-05&end=2026-12-05&unmonitored=false"
          + "&includeArtist=true key=the-key"
      ])
  }

  @Test func `two weeks at both ends are asked for if nobody says, and the address may say more`()
    throws
  {
    let servers = try MediaServers()
    _ = try remote("/radarr?unmonitored=true&tags=4k", days: ("", ""), at: servers).list("releases")
    #expect(
      servers.requests == [
        "GET /radarr/api/v3/calendar?start=2026-11-05&end=2026-12-05&unmonitored=true&tags=4k"
          + " key=the-key"
      ])
  }

  @Test func `releases are fetched by their hrefs`() throws {
    let uid = try #require(try remote("/sonarr", .sonarr).list("releases").items.keys.first)
    let found = try remote("/sonarr", .sonarr).items([uid, "lost"], of: "releases")
    #expect(found.items.keys.sorted() == [uid])
    #expect(found.gone == ["lost"])
  }

  @Test func `a URL base that was left out is found`() throws {
    let servers = try MediaServers()
    #expect(try remote("", at: servers).list("releases").items.count == 4)
    #expect(servers.requests.count { $0.hasSuffix(" key=the-key") } == 2)
  }

  @Test func `the key goes to no other host`() throws {
    let servers = try MediaServers()
    let failed = failure { _ = try remote("/elsewhere", at: servers).list("releases") }
    #expect(failed?.kind == .signIn)
    let requests = servers.requests
    #expect(requests.count == 2)
    #expect(requests.first?.contains("key=") == true)
    #expect(requests.last?.contains("key=") == false)
  }

  @Test func `an entry that cannot be read makes the list incomplete`() throws {
    let found = try remote("/nameless").list("releases")
    #expect(found.items.count == 1)
    #expect(found.unreadable == ["entry 1"])
    #expect(found.listing?.isFull == false)
  }

  struct Refusal: CustomTestStringConvertible {
    let path: String
    let kind: RemoteFailure.Kind
    let words: String
    var retryAfter: Int64 = 0
    var testDescription: String { path }
  }

  @Test(arguments: [
    Refusal(path: "/page", kind: .malformed, words: "web page"),
    Refusal(path: "/locked", kind: .malformed, words: "web page"),
    Refusal(path: "/mislabelled", kind: .malformed, words: "web page"),
    Refusal(path: "/object", kind: .malformed, words: "does not answer as Radarr does"),
    Refusal(path: "/garbage", kind: .malformed, words: "broken list"),
    Refusal(path: "/refusing", kind: .signIn, words: "refuses the API key"),
    Refusal(path: "/missing", kind: .gone, words: "404"),
    Refusal(path: "/starting", kind: .busy, words: "Radarr is starting up", retryAfter: 20),
    Refusal(path: "/broken", kind: .busy, words: "It broke"),
  ])
  func `no answer but a list lists anything`(refusal: Refusal) throws {
    let remote = try remote(refusal.path)
    var answers = Answers()
    let failed = failure { _ = try remote.changes(of: "releases", since: "") { answers.add($0) } }
    #expect(failed?.kind == refusal.kind)
    #expect(failed?.reason.contains(refusal.words) == true)
    #expect(failed?.reason.contains("Some.Stack") == false)
    #expect(failed?.reason.contains("the-key") == false)
    #expect(failed?.retryAfter == refusal.retryAfter)
    #expect(answers == Answers())
  }
}
