package import JSON

/// What the agent asks of `datebook-sync`: one line of JSON a request, on its standard input.
///
/// Requests are answered in their order; see ``RemoteAnswer``. The program ends when its standard
/// input does. Those of OAuth need no ``open(_:)`` before.
package enum RemoteRequest: Hashable, Sendable {
  /// Names the remote; the first request, and only that.
  case open(RemoteAccess)
  /// Asks which collections there are.
  case discover
  /// Creates a calendar (RFC 4791 §5.3.1).
  case createCollection(name: String, color: String)
  /// Asks what a collection holds, or what changed since the state that a token names.
  ///
  /// An empty token asks for everything.
  case changes(collection: String, token: String)
  /// Asks for items by their hrefs.
  case fetch(collection: String, hrefs: [String])
  /// Writes an item.
  ///
  /// - Parameters:
  ///   - match: the ETag of the version that the edit was made from; nil for a new item, which must
  ///     not replace any.
  ///   - scheduleTag: the Schedule-Tag of that version; empty if it has none.
  case put(
    collection: String, href: String, text: String, match: String?, scheduleTag: String = "")
  /// Deletes an item, if it still has this ETag.
  case delete(collection: String, href: String, match: String)
  /// Lets the user sign in with Google: answered with the page to show in a browser, and, once the
  /// user has said yes there, with tokens.
  ///
  /// - Parameter user: the address to suggest; may be empty.
  case signIn(OAuthClient, user: String)
  /// Asks Google for a new access token.
  ///
  /// - Parameter days: how many days ago the user signed in, which explains a refusal.
  case renew(OAuthClient, refresh: String, days: Int64)
  /// Lets Google forget a refresh token.
  case revoke(refresh: String)

  /// The kinds of remotes.
  package enum Kind: String, CaseIterable, Sendable {
    case caldav, google, webcal, vdir, radarr, sonarr, lidarr

    /// Whether it speaks CalDAV.
    package var isCalDAV: Bool { self == .caldav || self == .google }
    /// Whether what is changed here can be sent to it.
    package var isTwoWay: Bool { isCalDAV || self == .vdir }
  }

  package var json: JSONValue {
    switch self {
    case .open(let access): access.json
    case .discover: ["do": "discover"]
    case .createCollection(let name, let color):
      ["do": "create-collection", "name": .string(name), "color": .string(color)]
    case .changes(let collection, let token):
      ["do": "changes", "collection": .string(collection), "token": .string(token)]
    case .fetch(let collection, let hrefs):
      [
        "do": "fetch", "collection": .string(collection),
        "hrefs": .array(hrefs.map(JSONValue.string)),
      ]
    case .put(let collection, let href, let text, let match, let scheduleTag):
      [
        "do": "put", "collection": .string(collection), "href": .string(href),
        "text": .string(text), "match": JSONValue(match), "schedule-tag": .string(scheduleTag),
      ]
    case .delete(let collection, let href, let match):
      [
        "do": "delete", "collection": .string(collection), "href": .string(href),
        "match": .string(match),
      ]
    case .signIn(let client, let user): client.json("sign-in", ["user": .string(user)])
    case .renew(let client, let refresh, let days):
      client.json("renew", ["refresh": .string(refresh), "days": .integer(days)])
    case .revoke(let refresh): ["do": "revoke", "refresh": .string(refresh)]
    }
  }

  /// Reads a request; nil if it is none.
  package init?(_ json: JSONValue) {
    func text(_ name: String) -> String? { json[name]?.stringValue }
    switch (text("do"), text("collection"), text("href")) {
    case ("open", _, _):
      guard let access = RemoteAccess(json) else { return nil }
      self = .open(access)
    case ("discover", _, _): self = .discover
    case ("create-collection", _, _):
      guard let name = text("name") else { return nil }
      self = .createCollection(name: name, color: text("color") ?? "")
    case ("changes", let collection?, _):
      self = .changes(collection: collection, token: text("token") ?? "")
    case ("fetch", let collection?, _):
      guard let hrefs = json["hrefs"]?.arrayValue else { return nil }
      self = .fetch(collection: collection, hrefs: hrefs.compactMap(\.stringValue))
    case ("put", let collection?, let href?):
      guard let body = text("text") else { return nil }
      self = .put(
        collection: collection, href: href, text: body, match: text("match"),
        scheduleTag: text("schedule-tag") ?? "")
    case ("delete", let collection?, let href?):
      guard let match = text("match") else { return nil }
      self = .delete(collection: collection, href: href, match: match)
    case ("sign-in", _, _):
      guard let client = OAuthClient(json) else { return nil }
      self = .signIn(client, user: text("user") ?? "")
    case ("renew", _, _):
      guard let client = OAuthClient(json), let refresh = text("refresh") else { return nil }
      self = .renew(client, refresh: refresh, days: json["days"]?.integerValue ?? 0)
    case ("revoke", _, _):
      guard let refresh = text("refresh") else { return nil }
      self = .revoke(refresh: refresh)
    default: return nil
    }
  }
}
