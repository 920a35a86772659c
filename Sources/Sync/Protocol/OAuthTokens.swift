import JSON

/// A program of the user's that a provider knows, to sign in with OAuth 2.0.
///
/// Source: RFC 6749 section 2.
package struct OAuthClient: Hashable, Sendable {
  package let id: String
  /// Of an installed program no secret, but Google asks for it.
  package let secret: String

  package init(id: String, secret: String) {
    self.id = id
    self.secret = secret
  }

  func json(_ request: String, _ others: [String: JSONValue]) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("do", .string(request)), ("client-id", .string(id)), ("client-secret", .string(secret)),
    ]
    members += others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return .object(JSONObject(members))
  }

  /// Reads what ``json(_:_:)`` wrote; nil without an ID.
  init?(_ json: JSONValue) {
    guard let id = json["client-id"]?.stringValue else { return nil }
    self.init(id: id, secret: json["client-secret"]?.stringValue ?? "")
  }
}

/// What a provider gives to a client that the user lets in.
package struct OAuthTokens: Hashable, Sendable {
  /// The bearer token, for a short time.
  package let access: String
  /// Gets further ones; empty if the former stays.
  package let refresh: String
  /// How long ``access`` is good for, from now on.
  package let seconds: Int64

  package init(access: String, refresh: String, seconds: Int64) {
    self.access = access
    self.refresh = refresh
    self.seconds = seconds
  }

  var json: JSONValue {
    [
      "is": "tokens", "access": .string(access), "refresh": .string(refresh),
      "seconds": .integer(seconds),
    ]
  }

  /// Reads what ``json`` wrote; nil without an access token.
  init?(_ json: JSONValue) {
    guard let access = json["access"]?.stringValue else { return nil }
    self.init(
      access: access, refresh: json["refresh"]?.stringValue ?? "",
      seconds: json["seconds"]?.integerValue ?? 0)
  }
}
