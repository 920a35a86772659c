package import Messages

extension SourceState.Phase {
  /// A sentence for people. What they can do about it depends on how the source is signed in to.
  ///
  /// - Parameter kind: a folder is not called a server.
  package func text(of kind: RemoteRequest.Kind) -> UserText {
    switch self {
    case .idle: UserText("Up to date.")
    case .syncing: UserText("Synchronising now.")
    case .waiting(_, let failure): kind == .vdir ? failure.textOfFolder : failure.text
    case .needsSignIn:
      [.radarr, .sonarr, .lidarr].contains(kind)
        ? UserText("The server refuses the API key.")
        : UserText("The server refuses the user, password or token.")
    case .keyringLocked: UserText("Waiting for the keyring: unlock it to synchronise.")
    case .needsConfirmation(let deletions, let known):
      kind == .vdir
        ? UserText(
          """
          {deletions} of {known} events are gone in the folder. Nothing is deleted here before \
          you accept that.
          """, ["deletions": deletions, "known": known])
        : UserText(
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

  /// The same of a folder.
  fileprivate var textOfFolder: UserText {
    switch self {
    case .busy: UserText("There is no room on the drive of the folder; trying again later.")
    case .offline: UserText("The folder cannot be reached; trying again later.")
    case .gone: UserText("The folder is not there any more; trying again later.")
    case .forbidden, .refused:
      UserText("The folder does not allow that; trying again later.")
    case .malformed: UserText("The folder cannot be read; trying again later.")
    case .conflict, .sameUID:
      UserText("Another program changed the folder meanwhile; trying again later.")
    case .tooLarge: UserText("An event is too large for the folder; trying again later.")
    case .local, .signIn, .certificate: text
    }
  }
}
