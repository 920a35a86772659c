/// The media servers, and how they differ.
enum ReleaseService: String, CaseIterable, Sendable {
  case radarr, sonarr, lidarr

  /// The name that the server calls itself.
  var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// The path of its programming interface.
  var path: String {
    switch self {
    case .radarr, .sonarr: "/api/v3"
    case .lidarr: "/api/v1"
    }
  }

  /// What to ask for besides the days, so that a title and a quality come along.
  var query: [(name: String, value: String)] {
    switch self {
    case .radarr: []
    case .sonarr: [("includeSeries", "true"), ("includeEpisodeFile", "true")]
    case .lidarr: [("includeArtist", "true")]
    }
  }
}
