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
    case .needsSignIn, .needsConfirmation, .certificateProblem: onNeed(source.text, source)
    // Nothing is known any better than before. A keyring is unlocked with the session.
    case .syncing, .waiting, .keyringLocked: break
    }
  }
}

extension SourceKeeper.Source {
  /// What its user can do, in a sentence; nil if the state says it, or nothing is to be done.
  var remedy: String? {
    switch state.phase {
    case .needsConfirmation:
      localized("To allow the deletions: {command}", ["command": "calctl sources accept \(id)"])
    case .needsSignIn: signInRemedy
    case .certificateProblem:
      localized(
        "If you trust it: {command}", ["command": "calctl sources edit \(id) --ca FILE"])
    case .idle, .syncing, .waiting, .keyringLocked, .paused: nil
    }
  }

  /// It depends on where the password or token comes from.
  private var signInRemedy: String {
    if settings.signsInWithBrowser {
      return localized("To sign in again: {command}", ["command": "calctl sources sign-in \(id)"])
    }
    if !settings.gnomeAccount.isEmpty {
      return localized("Sign in again under Online Accounts in the settings of GNOME.")
    }
    if let program = settings.passwordCommand.first ?? settings.tokenCommand.first {
      return localized(
        "Correct what {program} prints, then: {command}",
        ["program": program, "command": "calctl sources sync \(id)"])
    }
    let command = "calctl sources edit \(id) --password"
    return settings.kind.isMediaServer
      ? localized("To set a new API key: {command}", ["command": command])
      : localized("To set a new password: {command}", ["command": command])
  }
}
