import CalendarBus
import CivilTime
import Platform
import Sync

/// A sign-in that is under way.
struct SignIn {
  let conversation: RemoteConversation
  /// Gets the page; nil once it has.
  private var onPage: ((Result<String, RemoteFailure>) -> Void)?

  /// How long whoever has begun a sign-in may take to ask how it ended.
  static let freshSeconds: Int64 = 60

  static var ended: RemoteFailure { RemoteFailure(.busy, localized("the sign-in has ended")) }

  init(
    conversation: RemoteConversation, onPage: @escaping (Result<String, RemoteFailure>) -> Void
  ) {
    self.conversation = conversation
    self.onPage = onPage
  }

  /// Answers whoever waits for the page.
  mutating func answer(_ result: Result<String, RemoteFailure>) {
    onPage?(result)
    onPage = nil
  }
}

/// Signing in to sources with a browser.
extension SourceKeeper {
  /// Begins a run with its secret; one of Google with an access token.
  func begin(_ run: SourceRun, secret: SourceSecret) {
    guard run.settings.signsInWithBrowser else { return run.begin(secret: secret) }
    google.token(
      of: run.id, client: run.settings.clientID, secret: secret.text, now: now, run.conversation
    ) { [weak run] result in
      guard let run, !run.isOver else { return }
      switch result {
      case .success(let token): run.begin(secret: SourceSecret(text: token, isToken: true))
      case .failure(let failure): run.end(.failed(failure))
      }
    }
  }

  /// Lets a run whose token was refused begin again with a new one; false if that is no use.
  func beginsAgain(_ run: SourceRun, _ failure: RemoteFailure, _ index: Int) -> Bool {
    guard failure.kind == .signIn, run.settings.signsInWithBrowser,
      google.renews(run.id, didSomething: run.tally != SourceTally())
    else { return false }
    sources[index].state.cancel(now: now)
    tell(run.id)
    arm()
    return true
  }

  /// Begins to sign in; a sign-in that is under way ends.
  ///
  /// Who asks for a run meanwhile gets the answer after the sign-in.
  ///
  /// - Parameter completion: called once, with the address of the page to show in a browser.
  func signIn(
    _ id: String, _ completion: @escaping (Result<String, RemoteFailure>) -> Void
  ) {
    guard let index = index(of: id) else { return }
    let settings = sources[index].settings
    endSignIn(id)
    failedSignIns[id] = nil
    guard settings.hasSecret else {
      return signIn(id, settings, clientSecret: "", completion)
    }
    keyring.secret(of: id) { [weak self] result in
      switch result {
      case .success(let text):
        let secret = GoogleCredentials(text)?.clientSecret ?? ""
        self?.signIn(id, settings, clientSecret: secret, completion)
      // Somebody has removed it from the keyring.
      case .failure(.missing): self?.signIn(id, settings, clientSecret: "", completion)
      case .failure(let failure): completion(.failure(failure.remote))
      }
    }
  }

  private func signIn(
    _ id: String, _ settings: SourceSettings, clientSecret: String,
    _ completion: @escaping (Result<String, RemoteFailure>) -> Void
  ) {
    // It may have been removed meanwhile.
    guard index(of: id) != nil else { return completion(.failure(SignIn.ended)) }
    let conversation: RemoteConversation
    do throws(SystemError) {
      conversation = try RemoteConversation(
        program: program, environment: environment, loop: access.context.loop)
    } catch {
      return completion(.failure(RemoteFailure(.offline, localized(error.text))))
    }
    endSignIn(id)
    signIns[id] = SignIn(conversation: conversation, onPage: completion)
    let client = OAuthClient(id: settings.clientID, secret: clientSecret)
    conversation.askForTokens(
      .signIn(client, user: settings.user),
      onPage: { [weak self] page in self?.signIns[id]?.answer(.success(page)) },
      { [weak self, unowned conversation] result in
        guard let self, signIns[id]?.conversation === conversation else { return }
        let finish = { [weak self] (failure: RemoteFailure?) in
          self?.signIns[id]?.answer(.failure(failure ?? SignIn.ended))
          self?.signedIn(id, failure)
        }
        switch result {
        case .failure(let failure): finish(failure)
        case .success(let tokens):
          leaving.append(id)
          google.begin(id, tokens, clientSecret: clientSecret, now: now) { [weak self] failure in
            guard let self else { return }
            // It was removed while the keyring took the tokens.
            if index(of: id) == nil { forgetTokens(of: id) }
            left(id)
            finish(failure)
          }
        }
      })
  }

  private func signedIn(_ id: String, _ failure: RemoteFailure?) {
    endSignIn(id)
    guard let index = index(of: id) else { return }
    var failure = failure
    if failure == nil {
      do throws(CallError) {
        try update(id) { source, now in
          source.settings.hasSecret = true
          source.reason = ""
          source.state.changeAccess(now: now)
        }
      } catch {
        failure = RemoteFailure(.local, error.message)
      }
    }
    guard let failure else { return }
    if sources[index].state.phase == .needsSignIn { sources[index].reason = failure.reason }
    access.context.log.warning(
      localized("cannot sign in to {source}: {reason}", ["source": id, "reason": failure.reason]))
    tell(id)
    // Whoever is about to ask how it ended is answered then.
    if callers[id] == nil { failedSignIns[id] = (failure, now) }
    answerCallers(of: id, SourceTally(), .failed(failure))
  }

  /// Returns why a sign-in has just failed, once; nil if none has.
  ///
  /// Who asks later wants a run, and learns from that what is wrong.
  func takeFailedSignIn(_ id: String) -> RemoteFailure? {
    guard let (failure, time) = failedSignIns.removeValue(forKey: id),
      now < time.adding(seconds: SignIn.freshSeconds)
    else { return nil }
    return failure
  }

  func endSignIn(_ id: String) {
    guard var signIn = signIns.removeValue(forKey: id) else { return }
    signIn.answer(.failure(SignIn.ended))
    // It may be at work.
    access.context.whenIdle { signIn.conversation.stop() }
  }

  /// Removes what the keyring has of a source that is gone; Google forgets the sign-in, too.
  func forgetSecret(of source: Source) {
    endSignIn(source.id)
    failedSignIns[source.id] = nil
    google.forget(source.id)
    if source.settings.signsInWithBrowser, source.settings.hasSecret {
      forgetTokens(of: source.id)
    } else {
      forgetSecret(of: source.id)
    }
  }

  private func forgetSecret(of id: String) {
    leaving.append(id)
    keyring.remove(id) { [weak self] in self?.left(id) }
  }

  private func left(_ id: String) {
    if let index = leaving.firstIndex(of: id) { leaving.remove(at: index) }
  }

  private func forgetTokens(of id: String) {
    google.forget(id)
    leaving.append(id)
    keyring.secret(of: id) { [weak self] result in
      guard let self else { return }
      forgetSecret(of: id)
      left(id)
      guard case .success(let text) = result, let known = GoogleCredentials(text),
        !known.refresh.isEmpty,
        let conversation = try? RemoteConversation(
          program: program, environment: environment, loop: access.context.loop)
      else { return }
      // Without a network it stays known at Google, where the user can remove it.
      conversation.ask(.revoke(refresh: known.refresh)) { [access] result in
        access.context.whenIdle { conversation.stop() }
        guard case .failure(let failure) = result else { return }
        access.context.log.warning(
          localized(
            "Google still lets Datebook in (myaccount.google.com/permissions): {reason}",
            ["reason": failure.reason]))
      }
    }
  }
}
