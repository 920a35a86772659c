import Sync
import TestSupport
import Testing

@testable import Remotes

@Suite struct `A session with remotes other than calendar servers` {
  @Test(arguments: [
    (RemoteRequest.Kind.webcal, "/tagged/feed.ics", "feed", 3), (.radarr, "/radarr", "releases", 4),
    (.sonarr, "/sonarr", "releases", 3), (.lidarr, "/lidarr", "releases", 2),
  ])
  func `each kind is discovered and listed, and refuses to be written`(
    kind: RemoteRequest.Kind, path: String, href: String, count: Int
  ) throws {
    var access = RemoteAccess(kind: kind, url: try MediaServers.sharedAddress() + path)
    access.secret = "the-key"
    (access.firstDay, access.lastDay) = ("2026-11-06", "2026-12-04")
    let session = RecordedSession(access)
    #expect(session.collections().map(\.href) == [href])
    let answers = session.ask(.changes(collection: href, token: ""))
    #expect(answers.texts.count == count)
    #expect(answers.listing?.isFull == true)
    let item = try #require(answers.etags.first)
    let failed = session.failure(.delete(collection: href, href: item.key, match: item.value))
    #expect(failed?.kind == .forbidden)
  }

  @Test func `a folder is discovered, written and listed`() throws {
    let directory = try TemporaryDirectory()
    let session = RecordedSession(RemoteAccess(kind: .vdir, url: directory.path))
    let made = session.ask(.createCollection(name: "Work", color: ""))
    #expect(made.last == .done(nil))
    #expect(session.collections().map(\.href) == ["work"])
    let put = session.ask(.put(collection: "work", href: "a.ics", text: "x", match: nil))
    #expect(session.ask(.changes(collection: "work", token: "")).etags == put.etags)
  }
}
