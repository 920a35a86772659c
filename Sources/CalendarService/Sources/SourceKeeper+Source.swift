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

    /// The state in a sentence, with the reason, and how to sign in again.
    var text: String {
      if state.phase == .idle, !reason.isEmpty {
        return localized("Not all of it is up to date: {reason}", ["reason": reason])
      }
      let text = localized(state.phase.text)
      let whole =
        reason.isEmpty ? text : localized("{state} ({reason})", ["state": text, "reason": reason])
      guard let advice, !whole.contains(advice.command) else { return whole }
      return "\(whole) \(advice.sentence)"
    }

    /// How to sign in again; nil if that is not what it waits for, or nothing here helps.
    private var advice: (command: String, sentence: String)? {
      guard state.phase == .needsSignIn else { return nil }
      if settings.signsInWithBrowser {
        let command = "calctl sources sign-in \(id)"
        return (command, localized("To sign in again: {command}", ["command": command]))
      }
      guard settings.hasSecret else { return nil }
      let command = "calctl sources edit \(id) --password"
      return (command, localized("A new password: {command}", ["command": command]))
    }
  }
}
