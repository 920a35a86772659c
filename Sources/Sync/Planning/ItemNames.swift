/// How a remote names its items.
package enum ItemNames: Hashable, Sendable {
  /// By hrefs below the href of their collection: paths, perhaps with a host in front.
  ///
  /// `%40` and `@` are the same there. An item elsewhere belongs to another collection.
  case hrefs(collection: String)
  /// By any text, such as a file's name or a UID, which is the same only if each octet is.
  case opaque

  /// Returns what all spellings of an item's name have in common; nil if it is no item of the
  /// collection.
  package func key(_ name: String) -> String? {
    guard case .hrefs(let collection) = self else { return name.isEmpty ? nil : name }
    let (own, other) = (Href(collection), Href(name))
    if let host = own.host, let otherHost = other.host, host != otherHost { return nil }
    let folder = own.path.hasSuffix("/") ? own.path : own.path + "/"
    guard other.path.hasPrefix(folder), other.path.utf8.count > folder.utf8.count,
      !other.path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
    else { return nil }
    return other.path
  }
}

/// The parts of an href that name an item.
private struct Href {
  /// The host and port in lower case; nil if there is only a path.
  let host: String?
  /// The path with each octet spelled in one way.
  let path: String

  init(_ text: String) {
    let octets = Array(text.utf8)
    var start = 0
    var host: String?
    // "https://" has its slashes before anything that a path may have.
    if let colon = octets.firstIndex(of: UInt8(ascii: ":")),
      octets[(colon + 1)...].starts(with: "//".utf8), !octets[..<colon].contains(UInt8(ascii: "/"))
    {
      start = octets[(colon + 3)...].firstIndex(of: UInt8(ascii: "/")) ?? octets.count
      host = String(decoding: octets[(colon + 3)..<start], as: UTF8.self).lowercased()
    }
    self.host = host
    path = Href.decoded(octets[start...])
  }

  /// Spells each octet in one way: ASCII characters as they are, others as "%C3".
  ///
  /// "%2F" and "%25" stay, since they mean something else than "/" and "%".
  ///
  /// Source: RFC 3986 section 6.2.2.
  private static func decoded(_ octets: ArraySlice<UInt8>) -> String {
    var path = ""
    var position = octets.startIndex
    while position < octets.endIndex {
      var octet = octets[position]
      var isEncoded = false
      if octet == UInt8(ascii: "%"), position + 2 < octets.endIndex,
        let high = octets[position + 1].hexadecimal, let low = octets[position + 2].hexadecimal
      {
        octet = high << 4 | low
        isEncoded = true
        position += 2
      }
      position += 1
      if octet >= 0x80 || isEncoded && (octet == UInt8(ascii: "/") || octet == UInt8(ascii: "%")) {
        path += "%" + String(octet, radix: 16, uppercase: true)
      } else {
        path.unicodeScalars.append(Unicode.Scalar(octet))
      }
    }
    return path
  }
}

extension UInt8 {
  fileprivate var hexadecimal: UInt8? {
    Character(Unicode.Scalar(self)).hexDigitValue.map { UInt8($0) }
  }
}
