package import CivilTime

extension SourceState {
  /// What a person should know of a source that does not work.
  package enum Concern: String, Hashable, Sendable {
    /// It waits for a person: to sign in, to unlock the keyring, to accept, to trust.
    case signIn = "sign-in"
    case locked
    case confirm
    case certificate
    /// Its runs fail, and the last good one was long ago.
    case stale
  }

  /// How old the last good run may be, at the least, while others fail: a night without network is
  /// nothing to report.
  private static let staleSeconds: Int64 = 86_400

  /// Decides by the outcome of the last run; nil if all is well, and while one is under way.
  ///
  /// A source whose first runs fail is stale at once, since it shows nothing.
  package func concern(now: Timestamp) -> Concern? {
    switch phase {
    case .idle, .syncing, .paused: return nil
    case .needsSignIn: return .signIn
    case .keyringLocked: return .locked
    case .needsConfirmation: return .confirm
    case .certificateProblem: return .certificate
    case .waiting:
      guard let lastSuccess else { return .stale }
      let limit = max(SourceState.staleSeconds, 3 * intervalSeconds)
      return now.seconds - lastSuccess.seconds >= limit ? .stale : nil
    }
  }
}
