package import JSON

/// What `datebook-sync` answers: one line of JSON each, on its standard output.
///
/// Any number of answers belong to a request; the last of them is ``done(_:)`` or ``failed(_:)``.
package enum RemoteAnswer: Hashable, Sendable {
  /// A collection, to ``RemoteRequest/discover`` and ``RemoteRequest/createCollection``.
  case collection(RemoteCollection)
  /// An item of a collection. Its text is nil where only the listing was asked for.
  ///
  /// To ``RemoteRequest/put``: what the server keeps now, read back from it. The Schedule-Tag of
  /// this version comes with the text; it is empty if the server gives none.
  case item(href: String, etag: String, text: String?, scheduleTag: String = "")
  /// An item that is certainly not there any more: the remote said so of this very href.
  case gone(href: String)
  /// An item that is there, but cannot be read.
  case unreadable(href: String, reason: String)
  /// The address of a page that the user is to sign in on, to ``RemoteRequest/signIn(_:user:)``.
  case page(String)
  /// What Google gives, to ``RemoteRequest/signIn(_:user:)`` and ``RemoteRequest/renew``.
  case tokens(OAuthTokens)
  /// The request is carried out.
  case done(RemoteListing?)
  /// The request failed, and nothing that was answered to it may be used.
  case failed(RemoteFailure)

  package var json: JSONValue {
    switch self {
    case .collection(let collection): collection.json
    case .item(let href, let etag, let text, let scheduleTag):
      [
        "is": "item", "href": .string(href), "etag": .string(etag), "text": JSONValue(text),
        "schedule-tag": .string(scheduleTag),
      ]
    case .gone(let href): ["is": "gone", "href": .string(href)]
    case .unreadable(let href, let reason):
      ["is": "unreadable", "href": .string(href), "reason": .string(reason)]
    case .page(let url): ["is": "page", "url": .string(url)]
    case .tokens(let tokens): tokens.json
    case .done(nil): ["is": "done"]
    case .done(let listing?):
      [
        "is": "done", "is-full": .bool(listing.isFull), "token": .string(listing.token),
        "refresh": .integer(listing.refreshSeconds),
      ]
    case .failed(let failure):
      [
        "is": "failed", "kind": .string(failure.kind.rawValue), "reason": .string(failure.reason),
        "retry-after": .integer(failure.retryAfter),
      ]
    }
  }

  /// Reads an answer; nil if it is none.
  package init?(_ json: JSONValue) {
    func text(_ name: String) -> String? { json[name]?.stringValue }
    switch (text("is"), text("href")) {
    case ("collection", let href?):
      self = .collection(RemoteCollection(href: href, json))
    case ("item", let href?):
      self = .item(
        href: href, etag: text("etag") ?? "", text: text("text"),
        scheduleTag: text("schedule-tag") ?? "")
    case ("gone", let href?): self = .gone(href: href)
    case ("unreadable", let href?):
      self = .unreadable(href: href, reason: text("reason") ?? "")
    case ("page", _):
      guard let url = text("url") else { return nil }
      self = .page(url)
    case ("tokens", _):
      guard let tokens = OAuthTokens(json) else { return nil }
      self = .tokens(tokens)
    case ("done", _):
      guard let isFull = json["is-full"]?.boolValue else {
        self = .done(nil)
        return
      }
      self = .done(
        RemoteListing(
          isFull: isFull, token: text("token") ?? "",
          refreshSeconds: json["refresh"]?.integerValue ?? 0))
    case ("failed", _):
      guard let kind = text("kind").flatMap(RemoteFailure.Kind.init) else { return nil }
      self = .failed(
        RemoteFailure(
          kind, text("reason") ?? "", retryAfter: json["retry-after"]?.integerValue ?? 0))
    default: return nil
    }
  }
}

/// The end of an answer to ``RemoteRequest/changes``.
package struct RemoteListing: Hashable, Sendable {
  /// Whether everything in the collection was listed, so that what is missing is gone.
  ///
  /// False if only changes were listed, or an item could not be read.
  package let isFull: Bool
  /// What to ask for the next changes with; empty if there is no such thing.
  package let token: String
  /// When the remote would like to be asked again, in seconds; 0 if it does not say.
  package let refreshSeconds: Int64

  package init(isFull: Bool, token: String, refreshSeconds: Int64 = 0) {
    self.isFull = isFull
    self.token = token
    self.refreshSeconds = refreshSeconds
  }
}

/// Why a request failed.
package struct RemoteFailure: Error, Hashable, Sendable {
  package let kind: Kind
  /// What the remote said, for people; holds no secret.
  package let reason: String
  /// How long the remote wants to be left alone, in seconds; 0 if it does not say.
  package let retryAfter: Int64

  package enum Kind: String, CaseIterable, Sendable {
    /// The user, password or token is refused.
    case signIn = "sign-in"
    /// The user may not do that.
    case forbidden
    /// The item is not the version that was named, or exists already.
    case conflict
    /// Another item of the collection has the same UID; the reason is its href, if it is known.
    case sameUID = "same-uid"
    /// There is no such item or collection.
    case gone
    case tooLarge = "too-large"
    /// The server does not take this item.
    case refused
    /// The server has too much to do, or its quota is used up.
    case busy
    /// The server cannot be reached, or its answer broke off: nobody knows whether it did it.
    case offline
    /// The server's certificate or key is not trusted.
    case certificate
    /// Nothing of the remote's: what it answered cannot be stored here at present.
    case local
    /// The answer is not what the protocol says, such as a page for signing in.
    case malformed
  }

  package init(_ kind: Kind, _ reason: String, retryAfter: Int64 = 0) {
    self.kind = kind
    self.reason = reason
    self.retryAfter = retryAfter
  }
}
