import CalendarBus
import CivilTime
import Platform
import Sync

/// The tokens of the sources of Google.
///
/// Refresh tokens are in the keyring; access tokens are only here. A new refresh token is in the
/// keyring before the access token that came with it is used: the former one may be void.
final class GoogleAccess {
  private let keyring: Keyring
  private var tokens: [String: GoogleToken] = [:]
  /// What the keyring did not take; the former may be void.
  private var unkept: [String: GoogleCredentials] = [:]
  /// Sources whose token was refused and renewed, and that have not succeeded since.
  private var retried: Set<String> = []

  init(keyring: Keyring) { self.keyring = keyring }

  /// Finds a good access token.
  ///
  /// - Parameters:
  ///   - secret: what the keyring has of the source.
  ///   - conversation: asks for a new one if need be.
  ///   - completion: called once, perhaps at once.
  func token(
    of id: String, client: String, secret: String, now: Timestamp,
    _ conversation: RemoteConversation,
    _ completion: @escaping (Result<String, RemoteFailure>) -> Void
  ) {
    guard let known = unkept[id] ?? GoogleCredentials(secret), !known.refresh.isEmpty else {
      return completion(.failure(notSignedIn(id)))
    }
    if let token = tokens[id], token.isGood(now: now), unkept[id] == nil {
      return completion(.success(token.text))
    }
    tokens[id] = nil
    let request = RemoteRequest.renew(
      OAuthClient(id: client, secret: known.clientSecret), refresh: known.refresh,
      days: known.days(now: now))
    conversation.askForTokens(request) { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let failure): completion(.failure(failure))
      case .success(let found):
        var next = known
        if !found.refresh.isEmpty { next.refresh = found.refresh }
        let use = { [weak self] in
          self?.tokens[id] = GoogleToken(found, now: now)
          completion(.success(found.access))
        }
        guard next.text != secret else { return use() }
        keep(next, of: id) { failure in
          if let failure { completion(.failure(failure)) } else { use() }
        }
      }
    }
  }

  /// Keeps the tokens of a sign-in.
  ///
  /// - Parameter completion: gets nil when they are in the keyring.
  func begin(
    _ id: String, _ found: OAuthTokens, clientSecret: String, now: Timestamp,
    _ completion: @escaping (RemoteFailure?) -> Void
  ) {
    forget(id)
    var credentials = GoogleCredentials(clientSecret: clientSecret)
    (credentials.refresh, credentials.signedIn) = (found.refresh, now)
    keep(credentials, of: id) { [weak self] failure in
      if failure == nil { self?.tokens[id] = GoogleToken(found, now: now) }
      completion(failure)
    }
  }

  /// Whether a run whose token was refused is worth another try with a new one.
  ///
  /// - Parameter didSomething: whether the token had been good before.
  func renews(_ id: String, didSomething: Bool) -> Bool {
    // Without a token it was the renewal that failed.
    guard tokens.removeValue(forKey: id) != nil else { return false }
    if didSomething { retried.remove(id) }
    return retried.insert(id).inserted
  }

  func succeeded(_ id: String) { retried.remove(id) }

  func forget(_ id: String) {
    (tokens[id], unkept[id]) = (nil, nil)
    retried.remove(id)
  }

  private func keep(
    _ credentials: GoogleCredentials, of id: String,
    _ completion: @escaping (RemoteFailure?) -> Void
  ) {
    unkept[id] = credentials
    keyring.store(credentials.text, of: id, label: "Datebook: \(id)") { [weak self] failure in
      if failure == nil { self?.unkept[id] = nil }
      completion(
        failure.map { _ in RemoteFailure(.local, SecretFinder.Failure.locked.remote.reason) })
    }
  }

  private func notSignedIn(_ id: String) -> RemoteFailure {
    RemoteFailure(
      .signIn,
      localized(
        "nobody has signed in yet: {command}", ["command": "calctl sources sign-in \(id)"]))
  }
}

extension RemoteConversation {
  /// Asks for tokens.
  ///
  /// - Parameter onPage: gets the address of a page that the user is to see first.
  func askForTokens(
    _ request: RemoteRequest, onPage: @escaping (String) -> Void = { _ in },
    _ completion: @escaping (Result<OAuthTokens, RemoteFailure>) -> Void
  ) {
    var found: OAuthTokens?
    ask(
      request,
      onAnswer: { answer in
        switch answer {
        case .page(let page): onPage(page)
        case .tokens(let tokens): found = tokens
        default: break
        }
      },
      onEnd: { result in
        switch (result, found) {
        case (.failure(let failure), _): completion(.failure(failure))
        case (.success, let tokens?): completion(.success(tokens))
        case (.success, nil):
          completion(
            .failure(
              RemoteFailure(.malformed, localized("datebook-sync answered what is no answer"))))
        }
      })
  }
}
