/// The paths of items, written in one way, so that equal ones are the same text.
///
/// Servers write `@` or `%40` for the same thing, one after the other even.
enum Href {
  /// Returns a path with everything percent-encoded but what is never reserved, and slashes.
  ///
  /// A slash that is encoded stays so: it is part of a name.
  ///
  /// Source: RFC 3986 section 2.3.
  static func canonical(_ path: String) -> String {
    var result: [UInt8] = []
    let octets = Array(path.utf8)
    var place = 0
    while place < octets.count {
      var octet = octets[place]
      var isEncoded = false
      if octet == UInt8(ascii: "%"), place + 2 < octets.count,
        let value = UInt8(String(decoding: octets[place + 1...place + 2], as: UTF8.self), radix: 16)
      {
        octet = value
        isEncoded = true
        place += 2
      }
      place += 1
      if isUnreserved(octet) || (octet == UInt8(ascii: "/") && !isEncoded) {
        result.append(octet)
      } else {
        result += "%".utf8
        result += [digits[Int(octet >> 4)], digits[Int(octet & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the path in an href; nil if it is none.
  static func path(of href: String, answered: WebURL) -> String? {
    // Nearly all are plain paths; libcurl would take most of the time of a listing.
    if href.first == "/", !href.hasPrefix("//"),
      !href.utf8.contains(where: { $0 == 0x3F || $0 == 0x23 })
    {
      return href
    }
    return WebURL(href, relativeTo: answered)?.path
  }

  /// Returns a name as a segment of a path, with its slashes encoded.
  static func segment(_ name: String) -> String {
    canonical(name.replacing("%", with: "%25").replacing("/", with: "%2F"))
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func isUnreserved(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

/// The address of a collection, and what belongs to it.
struct CollectionPath: Hashable, Sendable {
  /// The URL, with a slash at its end.
  let url: WebURL
  /// Its path, likewise, in the one way.
  let path: String

  /// - Returns: nil if `href` is no path or URL.
  init?(_ href: String, home: WebURL) {
    guard let url = WebURL(href.hasSuffix("/") ? href : href + "/", relativeTo: home) else {
      return nil
    }
    self.url = url
    path = Href.canonical(url.path)
  }

  /// What an href in an answer means.
  enum Place: Hashable {
    case itself
    /// An item, with its path in the one way.
    case item(String)
    /// Something of another place, or no path at all.
    case foreign
  }

  /// Says what an href is to this collection.
  ///
  /// Scheme and host of an href do not count, since servers behind a proxy write what they believe
  /// to be called. Where the collection was redirected, its items keep the path that they had
  /// before, so that they are not taken for new ones.
  ///
  /// - Parameter answered: the URL that answered.
  func place(of href: String, answered: WebURL) -> Place {
    guard let written = Href.path(of: href, answered: answered) else { return .foreign }
    let full = Href.canonical(written)
    let moved = Href.canonical(answered.path.hasSuffix("/") ? answered.path : answered.path + "/")
    for own in [path, moved] {
      if full + "/" == own || full == own { return .itself }
      // An encoded ".." would lead out of the collection once it is decoded.
      guard !full.split(separator: "/").contains(where: { $0 == ".." || $0 == "." }) else {
        return .foreign
      }
      if full.hasPrefix(own) { return .item(path + full.dropFirst(own.count)) }
    }
    return .foreign
  }

  /// The URL of an item; nil for an href outside of the collection.
  func item(_ href: String) -> WebURL? {
    guard case .item(let path) = place(of: href, answered: url) else { return nil }
    return WebURL(path, relativeTo: url)
  }
}
