import Platform
import Sync

/// Speaks with a CalDAV server.
///
/// Hrefs are paths on the server of the address that was given, written in one way
/// (``Href/canonical(_:)``); of collections on another server, whole URLs.
///
/// Source: RFC 4791, RFC 6578.
final class CalDAVRemote: Remote {
  let dav: DAVClient
  /// The collections that hold the user's calendars, once they are known.
  var homes: [WebURL]?
  /// Google has the report of changes, and wants it used; it takes no condition but If-Match.
  let isGoogle: Bool

  init(access: RemoteAccess) throws(RemoteFailure) {
    var access = access
    if access.user.isEmpty, access.url.contains("@"), !access.url.contains("/") {
      access.user = access.url.trimmed
    }
    dav = try DAVClient(access: access)
    isGoogle = access.kind == .google || dav.http.home.host == "apidata.googleusercontent.com"
  }

  /// - Throws: ``RemoteFailure/Kind/malformed`` for what is no address.
  func collection(_ href: String) throws(RemoteFailure) -> CollectionPath {
    guard let collection = CollectionPath(href, home: dav.http.home) else {
      throw RemoteFailure(.malformed, localized("{href} is no collection.", ["href": href]))
    }
    return collection
  }
}

/// A text that identifies the content of an item, for servers that give it no ETag.
///
/// Without what XML and its readers drop: carriage returns, and white space at the ends. FNV-1a of
/// 64 bits.
enum ContentTag {
  static let prefix = "hash:"

  static func of(_ text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for octet in text.trimmed.utf8 where octet != 0x0D {
      hash = (hash ^ UInt64(octet)) &* 0x100_0000_01b3
    }
    return prefix + String(hash, radix: 16)
  }
}
