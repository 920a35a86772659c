import CalendarBus
import Platform
import Sync

/// What sources need of their users.
extension SourceKeeper {
  /// Tells what a source needs after a run. The same need is shown once, however often it runs.
  func tellNeed(of source: Source) {
    switch source.state.phase {
    case .idle, .paused: onNeed(nil, source)
    // The first sign-in is under way, or was given up by whoever added it.
    case .needsSignIn where source.settings.signsInWithBrowser && source.state.lastSuccess == nil:
      break
    case .needsSignIn, .needsConfirmation, .certificateProblem: onNeed(source.need, source)
    // Nothing is known any better than before. A keyring is unlocked with the session.
    case .syncing, .waiting, .keyringLocked: break
    }
  }
}

extension SourceKeeper.Source {
  /// What its user is to do, in a sentence or two.
  var need: String {
    var parts = [text]
    switch state.phase {
    case .needsConfirmation:
      parts.append(
        localized(
          "To allow the deletions: {command}", ["command": "calctl sources accept \(id)"]))
    case .needsSignIn where settings.signsInWithBrowser:
      parts.append(
        localized("To sign in again: {command}", ["command": "calctl sources sign-in \(id)"]))
    case .needsSignIn where settings.hasSecret:
      parts.append(
        localized(
          "A new password: {command}", ["command": "calctl sources edit \(id) --password"]))
    default: break
    }
    return parts.joined(separator: " ")
  }
}
