import Platform
import Sync
import Widgets

/// The sources that the snapshot names.
extension SourceKeeper {
  /// Notes whether a source is stale or waits for a person, unless a run is under way.
  ///
  /// A run decides at its end: a source that fails again and again is shown without a break.
  func noteConcern(of id: String) {
    if let index = index(of: id), sources[index].state.phase != .syncing {
      sources[index].concern = sources[index].state.concern(now: now)
      sources[index].concernText = [sources[index].phaseText, sources[index].remedy]
        .compactMap(\.self).joined(separator: " ")
    }
    onConcerns?(concerns)
  }

  private var concerns: [SnapshotSource] {
    sources.compactMap { source in
      guard let concern = source.concern,
        let state = SnapshotSource.State(rawValue: concern.rawValue)
      else { return nil }
      let name = source.settings.name
      return SnapshotSource(
        id: source.id, name: name.isEmpty ? source.id : name, state: state,
        text: source.concernText, since: source.state.lastSuccess)
    }
  }
}
