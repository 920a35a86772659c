import JSON
import Platform
import Sync

/// Asks Google for tokens.
///
/// Source: RFC 6749 sections 4.1.3, 5 and 6; RFC 7009.
struct TokenEndpoint {
  private let addresses: GoogleAddresses
  private let http: HTTPClient

  /// Words of RFC 6749 section 5.2 after which only a new sign-in helps.
  private static let finalErrors = ["invalid_grant", "invalid_client", "unauthorized_client"]
  /// How long a refresh token lives of a client that Google has not seen published.
  private static let testingDays: ClosedRange<Int64> = 6...8

  init(_ addresses: GoogleAddresses) throws(RemoteFailure) {
    self.addresses = addresses
    http = try HTTPClient(access: RemoteAccess(kind: .google, url: addresses.token))
  }

  /// Asks for a new access token.
  ///
  /// - Parameter days: how many days ago the user signed in.
  /// - Throws: ``RemoteFailure``; of the kind `signIn` only if the user has to sign in again.
  func renew(
    _ client: OAuthClient, refresh: String, days: Int64
  ) throws(RemoteFailure) -> OAuthTokens {
    try ask(client, [("grant_type", "refresh_token"), ("refresh_token", refresh)], days: days)
  }

  /// Lets Google forget a refresh token; one that it does not know any more is forgotten, too.
  func revoke(_ refresh: String) throws(RemoteFailure) {
    let response = try send(addresses.revoke, [("token", refresh)])
    guard response.isSuccess || response.status == 400 else { throw response.failure() }
  }

  /// Asks for tokens with these fields.
  func ask(
    _ client: OAuthClient, _ fields: [(String, String)], days: Int64 = 0
  ) throws(RemoteFailure) -> OAuthTokens {
    let response = try send(
      addresses.token, [("client_id", client.id), ("client_secret", client.secret)] + fields)
    let json = try? JSONReader.value(
      of: String(decoding: response.body, as: UTF8.self), maximumOctets: 1 << 16)
    if response.isSuccess, let access = json?["access_token"]?.stringValue, !access.isEmpty {
      return OAuthTokens(
        access: access, refresh: json?["refresh_token"]?.stringValue ?? "",
        // RFC 6749 section 5.1 only recommends it.
        seconds: json?["expires_in"]?.integerValue ?? 3600)
    }
    if let word = json?["error"]?.stringValue, Self.finalErrors.contains(word) {
      throw RemoteFailure(.signIn, Self.reason(word, days: days))
    }
    // Its text may have tokens in it.
    guard !response.isSuccess else {
      throw RemoteFailure(.malformed, localized("Google's answer to the sign-in has no token"))
    }
    let failure = response.failure()
    // Whatever else it is, the user cannot help it.
    throw RemoteFailure(
      failure.kind == .signIn ? .refused : failure.kind, failure.reason,
      retryAfter: failure.retryAfter)
  }

  private func send(
    _ url: String, _ fields: [(String, String)]
  ) throws(RemoteFailure) -> HTTPResponse {
    var request = HTTPRequest("POST", url)
    request.headers = [
      ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"),
    ]
    request.body = Array(WebForm.text(fields).utf8)
    request.maximumOctets = 1 << 16
    // It has secrets in it, which are for this address alone.
    request.followsRedirects = false
    return try http.send(request)
  }

  /// What the user can do about an error.
  private static func reason(_ word: String, days: Int64) -> String {
    switch word {
    case "invalid_grant" where testingDays.contains(days):
      localized(
        """
        Google has ended the sign-in after 7 days, as it does for a client in "Testing": publish \
        it (Google Cloud console, OAuth consent screen), and sign in again
        """)
    case "invalid_grant":
      localized(
        "Google has ended the sign-in, such as after a new password: sign in again")
    default:
      localized(
        """
        Google does not know the client ID or its secret ({answer}): check both in the Google \
        Cloud console, and sign in again
        """, ["answer": word])
    }
  }
}
