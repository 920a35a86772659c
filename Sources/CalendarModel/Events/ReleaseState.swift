/// What a media server has of a film, an episode or an album: the property X-DATEBOOK-STATE.
package enum ReleaseState: String, CaseIterable, Sendable {
  /// All of it is there.
  case available
  /// Some of it is there, such as 4 of 11 tracks.
  case partly
  /// It is out, and nothing of it is there.
  case missing
  /// It is not out yet.
  case future
  /// Nothing of it is there, and the server does not look for it.
  case unmonitored

  /// Decides by what is there.
  package init(hasAll: Bool, hasSome: Bool = false, isMonitored: Bool, isDue: Bool) {
    self =
      switch (hasAll, hasSome, isMonitored, isDue) {
      case (true, _, _, _): .available
      case (_, true, _, _): .partly
      case (_, _, false, _): .unmonitored
      case (_, _, _, true): .missing
      default: .future
      }
  }
}
