import CalendarBus
import Platform
import Sync

/// What a source is signed in to with.
struct SourceSecret: Equatable {
  let text: String
  /// Whether it is a bearer token rather than a password or a key.
  var isToken = false
}

extension SourceKeeper {
  /// Finds the secret of a source, wherever it is.
  ///
  /// - Parameter completion: called once, perhaps at once.
  func findSecret(
    _ settings: SourceSettings, id: String,
    _ completion: @escaping (Result<SourceSecret, SecretFinder.Failure>) -> Void
  ) {
    guard settings.gnomeAccount.isEmpty else {
      return gnome.secret(of: settings.gnomeAccount, completion)
    }
    finder.find(settings, id: id) { result in
      completion(
        result.map { SourceSecret(text: $0, isToken: !settings.tokenCommand.isEmpty) })
    }
  }

  /// The user may have signed in again in the settings of the desktop.
  func gnomeAccountsChange() {
    for index in sources.indices where !sources[index].settings.gnomeAccount.isEmpty {
      if sources[index].state.phase == .needsSignIn { sources[index].state.changeAccess(now: now) }
    }
    arm()
  }
}
