import CalendarModel
import CivilTime
import JSON
import TestSupport
import Testing

@testable import Remotes

@Suite struct `The releases of a media server` {
  private static func list(
    _ service: ReleaseService, now: String = "2026-11-20T12:00:00Z",
    base: String = "http://nas.local:7878/", days: (String, String) = ("2026-11-01", "2026-12-31"),
    json: String? = nil
  ) throws -> ReleaseList {
    let file = "\(MediaServers.samples)/\(service.rawValue)-calendar.json"
    let text = try json ?? Subprocess.run("cat", [file]).output
    let instant = try Timestamp(text: now)
    return ReleaseList(
      try JSONReader.value(of: text, maximumOctets: 65_536).arrayValue ?? [],
      ReleaseList.Reading(
        service: service, base: try #require(WebURL(base)), first: try CivilDate(text: days.0),
        last: try CivilDate(text: days.1), now: instant,
        today: try #require(instant.reading(offset: .utc)).date))
  }

  private static func lines(_ releases: [Release]) -> [String] {
    releases.map { "\($0.day.map { "\($0)" } ?? "-") \($0.state.rawValue): \($0.title)" }
  }

  @Test func `a film is an event for each way in which it comes out`() throws {
    let list = try Self.list(.radarr)
    #expect(
      Self.lines(list.releases) == [
        "2026-11-02 available: The Paper Lantern (2026): in cinemas",
        "2026-11-20 available: The Paper Lantern (2026): digital release",
        "2026-11-27 available: The Paper Lantern (2026): on disc",
        "2026-11-19 missing: Sønderjyllands Nat (2026): digital release",
        "2026-12-04 future: Untitled Glacier Project (2026): in cinemas",
      ])
    #expect(list.unreadable.isEmpty)
  }

  @Test func `dates outside of the days that were asked for are left out`() throws {
    let list = try Self.list(.radarr, days: ("2026-11-20", "2026-11-27"))
    #expect(
      list.releases.map(\.uid) == [
        "radarr-movie-11-digital@nas.local:7878", "radarr-movie-11-physical@nas.local:7878",
      ])
  }

  @Test func `an event of a film says all that the server knows`() throws {
    let release = try #require(try Self.list(.radarr).releases.dropFirst().first)
    #expect(
      release.text
        == """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//Datebook//Datebook 1//EN
        BEGIN:VEVENT
        UID:radarr-movie-11-digital@nas.local:7878
        DTSTAMP:19700101T000000Z
        DTSTART;VALUE=DATE:20261120
        SUMMARY:The Paper Lantern (2026): digital release
        DESCRIPTION:Kiln Street Pictures · 112 min · PG-13\\n\\nA lamp maker "borro
         ws" one night.\\nSecond line.
        CATEGORIES:Drama
        URL:http://nas.local:7878/movie/900011
        TRANSP:TRANSPARENT
        X-DATEBOOK-STATE:available
        X-DATEBOOK-QUALITY:Bluray-1080p
        END:VEVENT
        END:VCALENDAR

        """.replacing("\n", with: "\r\n"))
  }

  @Test
  func `a film that nobody has is missing from its day on, in cinemas only if it is available`()
    throws
  {
    func states(_ members: String, today: String) throws -> [String] {
      let json = """
        [{"id": 1, "title": "X", "inCinemas": "2026-11-18T00:00:00Z",
          "digitalRelease": "2026-11-20T00:00:00Z"\(members)}]
        """
      return try Self.list(.radarr, now: today + "T00:00:00Z", json: json).releases
        .map(\.state.rawValue)
    }
    #expect(try states("", today: "2026-11-17") == ["future", "future"])
    #expect(try states("", today: "2026-11-19") == ["future", "future"])
    #expect(try states(", \"isAvailable\": true", today: "2026-11-19") == ["missing", "future"])
    #expect(try states("", today: "2026-11-20") == ["future", "missing"])
    #expect(
      try states(", \"monitored\": false", today: "2026-11-20") == ["unmonitored", "unmonitored"])
  }

  @Test func `an episode begins at an instant and is due when it is over`() throws {
    #expect(
      Self.lines(try Self.list(.sonarr).releases) == [
        "2026-11-20 available: Harbour Lights S02E07: The Long Queue",
        "2026-11-27 future: Harbour Lights S02E08: TBA",
        "2026-11-18 missing: Nightly Ledger S00E03: Behind the \\ Scenes; part 1, 2",
      ])
    #expect(try Self.list(.sonarr, now: "2026-11-27T02:43:59Z").releases[1].state == .future)
    #expect(try Self.list(.sonarr, now: "2026-11-27T02:44:00Z").releases[1].state == .missing)
    let text = try Self.list(.sonarr).releases.map(\.text)
    #expect(text[0].contains("DTSTART:20261120T020000Z\r\nDURATION:PT44M\r\n"))
    #expect(text[0].contains("DESCRIPTION:KVX · 44 min\\n\\nRain\\, again.\r\n"))
    #expect(text[0].contains("URL:http://nas.local:7878/series/harbour-lights\r\n"))
    #expect(text[2].contains("DURATION:PT30M\r\n"))
    #expect(text[2].contains("Behind the \\\\ Scenes\\; part 1\\, 2"))
  }

  @Test func `an episode names the quality of its file, and one without an instant has a day`()
    throws
  {
    let json = """
      [{"id": 1, "airDate": "2026-11-20", "seasonNumber": 1, "episodeNumber": 12, "hasFile": true,
        "episodeFile": {"quality": {"quality": {"name": "WEBDL-720p"}}}},
       {"id": 2, "title": "No date"},
       {"id": 3, "airDate": "2026-11-20", "series": {"title": "S", "monitored": false}}]
      """
    let list = try Self.list(.sonarr, json: json)
    #expect(
      Self.lines(list.releases) == [
        "2026-11-20 available: S01E12", "2026-11-20 unmonitored: S S??E??",
      ])
    #expect(list.releases[0].quality == "WEBDL-720p")
  }

  @Test func `an album is there in part until all of its tracks are`() throws {
    let releases = try Self.list(.lidarr, base: "https://nas.local/music/").releases
    #expect(
      Self.lines(releases) == [
        "2026-11-20 partly: Nora Kiln: Slow Weather",
        "2026-11-13 available: Östra Bandet: Complete Works",
        "2026-12-11 future: Östra Bandet: Next Year's Songs",
      ])
    #expect(releases[0].facts.filter { !$0.isEmpty } == ["Album", "4 of 11 tracks", "42 min"])
    #expect(
      releases[0].link == "https://nas.local/music/album/00000000-0000-4000-8000-000000000021")
    #expect(releases[0].uid == "lidarr-album-77@nas.local/music")
    #expect(try Self.list(.lidarr, now: "2026-12-11T00:00:00Z").releases[2].state == .missing)
  }

  @Test func `an entry without an id is unreadable, and nothing else in an entry must be there`()
    throws
  {
    let list = try Self.list(
      .radarr, json: "[7, {\"id\": 1, \"digitalRelease\": \"2026-11-20T00:00:00Z\"}, {}]")
    #expect(list.unreadable == [1, 3])
    #expect(list.releases.map(\.uid) == ["radarr-movie-1-digital@nas.local:7878"])
    #expect(try Self.list(.radarr, json: "[{\"id\": 1, \"inCinemas\": \"soon\"}]").releases.isEmpty)
  }
}
