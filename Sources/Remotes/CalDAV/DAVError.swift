import Platform
import Sync

/// Why a server refused something, in the words of WebDAV rather than by the status.
///
/// For the same reason servers answer different statuses: a UID that is there already is 409 of
/// Radicale, 412 of Xandikos, 207 with 412 inside of its older version, and 400 of Nextcloud.
///
/// Source: RFC 4918 section 16, RFC 4791 section 5.3.2.1.
struct DAVError: Hashable, Sendable {
  /// The condition that was not met, without its namespace; empty if none is named.
  var condition = ""
  /// The href in it; empty for none.
  var href = ""

  /// Reads the body of an answer: `DAV:error`, or a multistatus with one inside.
  init(_ response: HTTPResponse) {
    var found: XMLElement?
    let read: (XMLElement) -> Void = { element in
      if element.name == XMLSpace.dav + "response" {
        found =
          found ?? element.child(XMLSpace.dav + "error")?.children.first
          ?? element.child(XMLSpace.dav + "propstat", XMLSpace.dav + "error")?.children.first
      } else if !element.name.hasPrefix("http://sabredav.org/") {
        found = found ?? element
      }
    }
    guard !response.isWebPage, let root = try? XMLStream.read(response.body, each: read),
      [XMLSpace.dav + "error", XMLSpace.dav + "multistatus"].contains(root), let found
    else {
      // Nextcloud has only these words, and no condition (nextcloud/server 61640).
      let words = "uid already exists"  // not translated
      if response.excerpt.contains(words) { condition = "no-uid-conflict" }
      return
    }
    condition = found.name.split(separator: "|").last.map(String.init) ?? ""
    href = found.child(XMLSpace.dav + "href")?.text.trimmed ?? ""
  }

  /// The kind of failure that the condition means; nil if it says nothing more than the status.
  var kind: RemoteFailure.Kind? {
    switch condition {
    case "no-uid-conflict": .sameUID
    case "valid-calendar-data", "valid-calendar-object-resource", "supported-calendar-data",
      "supported-calendar-component", "calendar-collection-location-ok", "min-date-time",
      "max-date-time", "max-instances", "max-attendees-per-instance":
      .refused
    case "max-resource-size", "quota-not-exceeded", "sufficient-disk-space": .tooLarge
    case "need-privileges": .forbidden
    case "resource-must-be-null": .conflict
    default: nil
    }
  }
}
