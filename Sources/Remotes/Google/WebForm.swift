/// Names and values, as forms and queries have them.
///
/// Source: RFC 6749 appendix B.
enum WebForm {
  /// Returns "a=1&b=2", with everything encoded that is not always allowed.
  static func text(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
  }

  /// Reads what ``text(_:)`` writes; of equal names the first counts.
  static func fields(_ text: some StringProtocol) -> [String: String] {
    var fields: [String: String] = [:]
    for field in text.split(separator: "&") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = decoded(parts[0])
      if fields[name] == nil { fields[name] = parts.count > 1 ? decoded(parts[1]) : "" }
    }
    return fields
  }

  static func encoded(_ text: String) -> String {
    // A slash is the only other character that an href leaves as it is.
    Href.segment(text)
  }

  private static func decoded(_ text: some StringProtocol) -> String {
    var octets: [UInt8] = []
    let source = Array(text.utf8)
    var place = 0
    while place < source.count {
      if source[place] == UInt8(ascii: "%"), place + 2 < source.count,
        let value = UInt8(
          String(decoding: source[place + 1...place + 2], as: UTF8.self), radix: 16)
      {
        octets.append(value)
        place += 3
      } else {
        octets.append(source[place] == UInt8(ascii: "+") ? UInt8(ascii: " ") : source[place])
        place += 1
      }
    }
    return String(decoding: octets, as: UTF8.self)
  }
}
