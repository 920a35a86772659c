import Sync

/// What servers say of a collection, read from its properties.
enum CollectionProperties {
  static let names = [
    "d:resourcetype", "d:displayname", "a:calendar-color", "s:getctag", "d:sync-token",
    "c:supported-calendar-component-set", "d:current-user-privilege-set",
  ]

  static func isCalendar(_ response: DAVResponse) -> Bool {
    response.property(XMLSpace.dav + "resourcetype")?.has(XMLSpace.calDAV + "calendar") ?? false
  }

  static func collection(_ response: DAVResponse, href: String) -> RemoteCollection {
    var collection = RemoteCollection(href: href)
    collection.name = response.text(XMLSpace.dav + "displayname") ?? lastName(of: href)
    collection.color = color(response.text(XMLSpace.apple + "calendar-color") ?? "")
    let components = response.property(XMLSpace.calDAV + "supported-calendar-component-set")
    collection.components =
      components?.children.compactMap { $0.attributes["name"]?.uppercased() } ?? []
    collection.isWritable = isWritable(response)
    collection.tag = tag(response)
    return collection
  }

  /// Changes with each change of the collection; empty if there is no such thing.
  static func tag(_ response: DAVResponse) -> String {
    response.text(XMLSpace.calendarServer + "getctag") ?? syncToken(response)
  }

  static func syncToken(_ response: DAVResponse) -> String {
    response.text(XMLSpace.dav + "sync-token") ?? ""
  }

  /// Returns `#rrggbb` of `#RRGGBB`, `#RRGGBBAA` or `#RGB`; empty for anything else.
  static func color(_ text: String) -> String {
    let digits = text.lowercased().dropFirst()
    guard text.first == "#", digits.allSatisfy(\.isHexDigit), digits.allSatisfy(\.isASCII) else {
      return ""
    }
    return switch digits.count {
    case 6, 8: "#" + digits.prefix(6)
    case 3: "#" + digits.flatMap { [$0, $0] }
    default: ""
    }
  }

  /// Whether the user may change items; a server that does not say lets them try.
  ///
  /// Source: RFC 3744 section 5.4.
  private static func isWritable(_ response: DAVResponse) -> Bool {
    guard let set = response.property(XMLSpace.dav + "current-user-privilege-set") else {
      return true
    }
    let granted = set.children.flatMap(\.children).map(\.name)
    return ["all", "write", "write-content", "bind"].contains {
      granted.contains(XMLSpace.dav + $0)
    }
  }

  private static func lastName(of href: String) -> String {
    href.split(separator: "/").last.map(String.init) ?? href
  }
}
