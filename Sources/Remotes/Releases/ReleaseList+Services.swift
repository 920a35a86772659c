import CalendarModel
import CivilTime
import Platform

// What an entry of each media server means. Radarr and Lidarr write midnight in UTC for a date:
// that is a day, and never an instant. Sonarr writes instants.

/// How a film comes out, with the member that says when.
private enum FilmRelease: String, CaseIterable {
  case cinema = "inCinemas"
  case digital = "digitalRelease"
  case physical = "physicalRelease"

  /// The name in UIDs.
  var word: String {
    switch self {
    case .cinema: "cinema"
    case .digital: "digital"
    case .physical: "physical"
    }
  }

  func title(_ film: String) -> String {
    switch self {
    case .cinema: localized("{film}: in cinemas", ["film": film])
    case .digital: localized("{film}: digital release", ["film": film])
    case .physical: localized("{film}: on disc", ["film": film])
    }
  }
}

extension ReleaseList.Reading {
  /// One event for each way in which a film comes out.
  ///
  /// In cinemas it is due only if the server calls it available: usually it waits for the others.
  func films(_ entry: ReleaseEntry, id: Int64) -> [Release] {
    let year = entry.number("year") ?? 0
    let film = entry.text("title") + (year > 0 ? " (\(year))" : "")
    return FilmRelease.allCases.compactMap { way in
      guard let day = entry.day(way.rawValue) else { return nil }
      let isOut = way != .cinema || entry.flag("isAvailable") == true
      var release = Release(
        uid: uid("movie-\(id)-\(way.word)"), start: .day(day),
        state: ReleaseState(
          hasAll: entry.flag("hasFile") == true, isMonitored: entry.flag("monitored") != false,
          isDue: isOut && day <= today))
      release.title = way.title(film)
      release.facts = [
        entry.text("studio"), minutes(entry.number("runtime")), entry.text("certification"),
      ]
      release.overview = entry.text("overview")
      release.genres = entry.texts("genres")
      release.quality = entry.quality("movieFile")
      release.link = link("movie", entry.text("titleSlug"))
      return release
    }
  }

  func episodes(_ entry: ReleaseEntry, id: Int64) -> [Release] {
    let series = entry.entry("series")
    let length = [entry.number("runtime"), series.number("runtime")].compactMap(\.self)
      .first { $0 > 0 }
    let minutes = length ?? 30
    let start: Release.Start
    let isOver: Bool
    if let instant = entry.instant("airDateUtc") {
      start = .instant(instant, minutes: minutes)
      isOver = instant.adding(seconds: minutes * 60) <= now
    } else if let day = entry.day("airDate") {
      start = .day(day)
      isOver = day < today
    } else {
      return []
    }
    var release = Release(
      uid: uid("episode-\(id)"), start: start,
      state: ReleaseState(
        hasAll: entry.flag("hasFile") == true,
        isMonitored: entry.flag("monitored") != false && series.flag("monitored") != false,
        isDue: isOver))
    let number =
      "S\(twoDigits(entry.number("seasonNumber")))E\(twoDigits(entry.number("episodeNumber")))"
    let name = [series.text("title"), number].filter { !$0.isEmpty }.joined(separator: " ")
    release.title = titled(name, entry.text("title"))
    release.facts = [series.text("network"), length.map { self.minutes($0) } ?? ""]
    release.overview = entry.text("overview")
    release.genres = series.texts("genres")
    release.quality = entry.quality("episodeFile")
    release.link = link("series", series.text("titleSlug"))
    return [release]
  }

  func albums(_ entry: ReleaseEntry, id: Int64) -> [Release] {
    guard let day = entry.day("releaseDate") else { return [] }
    let artist = entry.entry("artist")
    let tracks = entry.entry("statistics")
    let count = tracks.number("trackCount") ?? 0
    let there = tracks.number("trackFileCount") ?? 0
    var release = Release(
      uid: uid("album-\(id)"), start: .day(day),
      state: ReleaseState(
        hasAll: count > 0 && there >= count, hasSome: there > 0,
        isMonitored: entry.flag("monitored") != false && artist.flag("monitored") != false,
        isDue: day <= today))
    release.title = titled(artist.text("artistName"), entry.text("title"))
    release.facts = [
      entry.text("albumType"),
      count > 0
        ? localized(
          Int(count), one: "{there} of {count} track", other: "{there} of {count} tracks",
          ["there": Int(there)]) : "",
      minutes(entry.number("duration").map { $0 / 60_000 }),
    ]
    release.overview = entry.text("overview")
    release.genres = entry.texts("genres")
    release.link = link("album", entry.text("foreignAlbumId"))
    return [release]
  }

  private func titled(_ name: String, _ title: String) -> String {
    [name, title].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  /// Empty for a duration that the server does not know.
  private func minutes(_ number: Int64?) -> String {
    guard let number, number > 0 else { return "" }
    return localized("{count} min", ["count": Int(number)])
  }

  private func twoDigits(_ number: Int64?) -> String {
    guard let number else { return "??" }
    return number < 10 ? "0\(number)" : "\(number)"
  }
}
