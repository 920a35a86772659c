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
    guard case .needsConfirmation = state.phase else { return text }
    return text + " "
      + localized("To allow the deletions: {command}", ["command": "calctl sources accept \(id)"])
  }
}
