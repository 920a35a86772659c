import CivilTime
import JSON
import Sync

/// The answer of a media server to the question for its calendar, as events.
struct ReleaseList: Hashable, Sendable {
  private(set) var releases: [Release] = []
  /// The numbers, from 1, of entries that lack what an event needs.
  private(set) var unreadable: [Int] = []

  /// When the list is read, and for which server.
  struct Reading {
    let service: ReleaseService
    /// The address of the server without a slash at its end, for links and UIDs.
    let base: WebURL
    /// The days that were asked for: a film also comes with its other dates.
    let first: CivilDate
    let last: CivilDate
    let now: Timestamp
    /// The day that it is for the user.
    let today: CivilDate

    func uid(_ entry: String) -> String {
      let path = base.path.withoutFinalSlash
      // Two servers of one kind are often at two ports of one host.
      let usual = base.port == (base.scheme == "https" ? 443 : 80)
      return "\(service.rawValue)-\(entry)@\(base.host)\(usual ? "" : ":\(base.port)")\(path)"
    }

    func link(_ folder: String, _ name: String) -> String {
      name.isEmpty ? "" : base.display.withoutFinalSlash + "/\(folder)/\(name)"
    }
  }

  /// Reads the entries of a list, without what has no day or another one than was asked for.
  init(_ entries: [JSONValue], _ reading: Reading) {
    for (index, json) in entries.enumerated() {
      let entry = ReleaseEntry(json: json)
      guard let id = entry.number("id") else {
        unreadable.append(index + 1)
        continue
      }
      switch reading.service {
      case .radarr: releases += reading.films(entry, id: id)
      case .sonarr: releases += reading.episodes(entry, id: id)
      case .lidarr: releases += reading.albums(entry, id: id)
      }
    }
    releases.removeAll { release in
      guard let day = release.day else { return true }
      return day < reading.first || reading.last < day
    }
  }
}

extension String {
  /// Without slashes at the end.
  var withoutFinalSlash: String {
    var text = self[...]
    while text.last == "/" { text.removeLast() }
    return String(text)
  }
}
