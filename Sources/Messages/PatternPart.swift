/// A part of a pattern: text, or a placeholder.
package enum PatternPart: Hashable, Sendable {
  case text(String)
  /// The name between the braces of `{title}`.
  case placeholder(String)

  /// Returns the parts of a pattern in order.
  ///
  /// `{{` and `}}` are literal braces; so is a brace that does not belong to a placeholder.
  package static func parts(of pattern: String) -> [PatternPart] {
    var parts: [PatternPart] = []
    var text = ""
    var rest = Substring(pattern)
    // By octets: a program reads hundreds of patterns when it starts.
    while let brace = rest.utf8.firstIndex(where: { $0 == openingBrace || $0 == closingBrace }) {
      text += rest[..<brace]
      rest = rest[brace...]
      if rest.utf8.starts(with: [openingBrace, openingBrace])
        || rest.utf8.starts(with: [closingBrace, closingBrace])
      {
        text.append(rest.removeFirst())
        rest.removeFirst()
      } else if let name = placeholder(at: rest) {
        if !text.isEmpty { parts.append(.text(text)) }
        text = ""
        parts.append(.placeholder(String(name)))
        rest = rest.dropFirst(name.count + 2)
      } else {
        text.append(rest.removeFirst())
      }
    }
    text += rest
    return text.isEmpty ? parts : parts + [.text(text)]
  }

  /// Returns the name of the placeholder at the beginning of a text; nil if there is none.
  private static func placeholder(at text: Substring) -> Substring? {
    guard text.first == "{", let end = text.firstIndex(of: "}") else { return nil }
    let name = text[text.index(after: text.startIndex)..<end]
    return !name.isEmpty && name.allSatisfy { $0.isLetter && $0.isASCII } ? name : nil
  }
}

private let openingBrace = UInt8(ascii: "{")
private let closingBrace = UInt8(ascii: "}")
