/// An element of an XML document with what is in it.
///
/// Names are written with their namespace, such as `DAV:|href`.
struct XMLElement: Hashable, Sendable {
  let name: String
  var attributes: [String: String] = [:]
  /// The text right in it, without that of its children.
  var text = ""
  var children: [XMLElement] = []

  /// The first child of this name; nil if there is none.
  func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// The first element at a path of names below this one.
  func child(_ path: String...) -> XMLElement? {
    var place: XMLElement? = self
    for name in path { place = place?.child(name) }
    return place
  }

  /// Whether there is a child of this name.
  func has(_ name: String) -> Bool { child(name) != nil }

  /// All text below, with a space between elements.
  var allText: String {
    ([text.trimmed] + children.map(\.allText)).filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// The namespaces that calendar servers use, each with the bar that ends it.
enum XMLSpace {
  static let dav = "DAV:|"
  /// RFC 4791.
  static let calDAV = "urn:ietf:params:xml:ns:caldav|"
  static let apple = "http://apple.com/ns/ical/|"
  static let calendarServer = "http://calendarserver.org/ns/|"
}

extension String {
  /// Written so that it may be the text of an element.
  var xmlEscaped: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      // XML cannot hold other control characters at all.
      case "\u{00}"..."\u{08}", "\u{0B}", "\u{0C}", "\u{0E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
        break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
