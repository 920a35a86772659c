import CivilTime
import Platform
import Sync

extension SourceKeeper {
  /// A source in memory.
  struct Source {
    let id: String
    var settings: SourceSettings
    var state: SourceState
    /// What the source said when its last run, or a part of that, failed.
    var reason = ""
    /// When it was last asked which calendars it has; nil: it is to be asked.
    var discovered: Timestamp?
    /// When it last listed all that it has; nil: it is to be asked for that.
    var listed: Timestamp?
    /// Since when reminders of its calendars were dismissed that it may not know of; nil: none was.
    var dismissed: Timestamp?
    /// What it called its calendars, by their hrefs.
    var seen: [String: SeenCalendar] = [:]
    /// Why the snapshot names it, and the sentence for it; kept while a run is under way.
    var concern: SourceState.Concern?
    var concernText = ""

    /// The state in a sentence.
    var phaseText: String { localized(state.phase.text(of: settings.kind)) }

    /// The state in a sentence, with the reason and what its user can do.
    var text: String {
      if state.phase == .idle, !reason.isEmpty {
        return localized("Not all of it is up to date: {reason}", ["reason": reason])
      }
      let text =
        reason.isEmpty
        ? phaseText : localized("{state} ({reason})", ["state": phaseText, "reason": reason])
      // Some reasons name the command themselves.
      guard let remedy, !reason.contains("calctl ") else { return text }
      return "\(text) \(remedy)"
    }
  }
}
