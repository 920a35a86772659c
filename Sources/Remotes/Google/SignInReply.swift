import Platform
import Sync

/// What a request to our port means for a sign-in that is under way.
enum SignInReply: Hashable {
  /// The user said yes: to be exchanged for tokens.
  case code(String)
  /// The user said no, or Google does; the word of RFC 6749 section 4.1.2.1.
  case refused(String)
  /// It belongs to no sign-in, or to another: pages that are open in the browser may send what
  /// they like.
  case stranger

  /// - Parameters:
  ///   - target: of the request, such as "/?code=1&state=2".
  ///   - state: what this sign-in is known by.
  init(target: String, state: String) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = parts.count > 1 ? WebForm.fields(parts[1]) : [:]
    if parts[0] != "/" || fields["state"] != state {
      self = .stranger
    } else if let code = fields["code"], !code.isEmpty {
      self = .code(code)
    } else if let error = fields["error"], !error.isEmpty {
      self = .refused(error)
    } else {
      self = .stranger
    }
  }

  /// What the browser shows.
  var page: LoopbackListener.Reply {
    switch self {
    case .code:
      .init(
        status: "200 OK",
        text: localized("Datebook may use your calendars now. You can close this page."))
    case .refused:
      .init(status: "200 OK", text: localized("Datebook was not let in. You can close this page."))
    case .stranger:
      .init(
        status: "403 Forbidden", text: localized("This does not belong to the sign-in under way."))
    }
  }

  /// Why there are no tokens; nil if there is a code.
  var failure: RemoteFailure? {
    switch self {
    case .code: nil
    case .refused("access_denied"):
      RemoteFailure(.signIn, localized("Datebook was not let in: you said no, or closed the page."))
    case .refused(let word):
      RemoteFailure(.signIn, localized("Google refuses the sign-in: {answer}", ["answer": word]))
    case .stranger:
      RemoteFailure(.signIn, localized("Nobody has signed in within five minutes."))
    }
  }
}
