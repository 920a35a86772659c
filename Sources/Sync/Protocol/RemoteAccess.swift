import JSON

/// Where a remote is, and how to sign in. Holds secrets: it goes through a pipe only.
package struct RemoteAccess: Hashable, Sendable {
  package let kind: RemoteRequest.Kind
  /// A URL, a host or an e-mail address; the path of a folder for `vdir`.
  package let url: String
  package var user = ""
  /// A password, a token or an API key; empty for none.
  package var secret = ""
  package var signIn = SignIn.password
  /// The path of a file of certificates (PEM) to trust besides the system's; empty for none.
  package var authorities = ""
  /// `sha256//BASE64` of the public key that the server must have; empty for any.
  package var pinnedKey = ""
  /// The first day to ask a media server for, such as "2026-11-13"; empty for any.
  package var firstDay = ""
  /// The last day, likewise.
  package var lastDay = ""

  package enum SignIn: String, Sendable {
    /// Basic, or Digest where the server asks for it (RFC 7616).
    case password
    /// RFC 6750.
    case bearer
  }

  package init(kind: RemoteRequest.Kind, url: String) {
    self.kind = kind
    self.url = url
  }

  var json: JSONValue {
    [
      "do": "open", "kind": .string(kind.rawValue), "url": .string(url), "user": .string(user),
      "secret": .string(secret), "sign-in": .string(signIn.rawValue),
      "authorities": .string(authorities), "pinned-key": .string(pinnedKey),
      "first-day": .string(firstDay), "last-day": .string(lastDay),
    ]
  }

  init?(_ json: JSONValue) {
    func text(_ name: String) -> String { json[name]?.stringValue ?? "" }
    guard let kind = RemoteRequest.Kind(rawValue: text("kind")),
      let signIn = SignIn(rawValue: text("sign-in"))
    else { return nil }
    self.init(kind: kind, url: text("url"))
    user = text("user")
    secret = text("secret")
    self.signIn = signIn
    authorities = text("authorities")
    pinnedKey = text("pinned-key")
    firstDay = text("first-day")
    lastDay = text("last-day")
  }
}
