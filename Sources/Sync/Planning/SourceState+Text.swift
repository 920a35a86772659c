package import Messages

extension SourceState.Phase {
  /// A sentence for people.
  package var text: UserText {
    switch self {
    case .idle: UserText("Up to date.")
    case .syncing: UserText("Synchronising now.")
    case .waiting(_, let failure): failure.text
    case .needsSignIn: UserText("The server refuses the password or token: sign in again.")
    case .keyringLocked: UserText("Waiting for the keyring: unlock it to synchronise.")
    case .needsConfirmation(let deletions, let known):
      UserText(
        """
        {deletions} of {known} events are gone on the server. Nothing is deleted here before you \
        accept that.
        """, ["deletions": deletions, "known": known])
    case .certificateProblem:
      UserText(
        "The server's certificate is not trusted. Nothing is sent to it before that is solved.")
    case .paused: UserText("Paused.")
    }
  }
}

extension RemoteFailure.Kind {
  /// Why a source waits, for people.
  fileprivate var text: UserText {
    switch self {
    case .local: UserText("The calendar cannot be written at present; trying again later.")
    case .busy: UserText("The server is overloaded; trying again later.")
    case .offline: UserText("The server cannot be reached; trying again later.")
    case .gone: UserText("The calendar is not on the server any more; trying again later.")
    case .forbidden, .refused:
      UserText("The server does not allow that; trying again later.")
    case .malformed:
      UserText("The server's answer cannot be read; trying again later.")
    case .conflict, .sameUID:
      UserText("The calendar was changed on the server meanwhile; trying again later.")
    case .tooLarge: UserText("An event is too large for the server; trying again later.")
    case .signIn, .certificate: UserText("The last run failed; trying again later.")
    }
  }
}
