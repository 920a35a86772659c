/// Returns a description as text: HTML without its tags, anything else unchanged.
///
///     "<p>Hi,<br>see <a href='https://a.example'>the plan</a></p>"
///       -> "Hi,\nsee the plan (https://a.example)"
package func textWithoutHTML(_ description: String) -> String {
  guard description.contains("<") else { return description }
  var reader = HTMLReader(Array(description.unicodeScalars))
  reader.read()
  return reader.isHTML ? reader.text : description
}

/// Reads the HTML that calendar programs write into descriptions, in one pass.
private struct HTMLReader {
  private let input: [UnicodeScalar]
  private var place = 0
  private var output: [UnicodeScalar] = []
  /// The address of a link that is open, and where its words begin.
  private var link: (address: String, start: Int)?
  /// Whether there was a tag that nobody types by accident.
  private(set) var isHTML = false

  init(_ input: [UnicodeScalar]) { self.input = input }

  private static let known: Set<String> = [
    "a", "b", "br", "body", "div", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "html", "i",
    "li", "ol", "p", "span", "strong", "table", "td", "tr", "u", "ul",
  ]
  /// Elements whose text is not for readers.
  private static let hidden: Set<String> = ["head", "script", "style", "title"]
  /// Elements after which a line ends.
  private static let lines: Set<String> = [
    "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6",
  ]
  /// The entities that mail programs write; others stay as they are.
  private static let entities: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–",
    "mdash": "—", "hellip": "…", "bull": "•", "euro": "€",
  ]
  private static let longestTag = 4000
  private static let longestEntity = 10

  mutating func read() {
    while place < input.count {
      switch input[place] {
      case "<": if !readTag() { take() }
      case "&": if !readEntity() { take() }
      default: take()
      }
    }
  }

  private mutating func take() {
    output.append(input[place])
    place += 1
  }

  /// The text with at most one empty line in a row, and none at either end.
  var text: String {
    var lines: [Substring] = []
    for line in String(String.UnicodeScalarView(output)).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    {
      let isBlank = line.allSatisfy(\.isWhitespace)
      if isBlank, lines.last?.isEmpty ?? true { continue }
      lines.append(isBlank ? "" : line)
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  // MARK: Tags

  /// Reads a tag or a comment; false if this "<" is text.
  private mutating func readTag() -> Bool {
    if starts(with: "<!--") {
      place = end(of: "-->", from: place + 4)
      return true
    }
    guard
      let end = input[place...].prefix(HTMLReader.longestTag).firstIndex(of: ">")
    else { return false }
    let tag = input[(place + 1)..<end]
    guard !tag.contains("<") else { return false }
    let isEnd = tag.first == "/"
    let inner = isEnd ? tag.dropFirst() : tag
    let letters = inner.prefix { isLetterOrDigit($0) || $0 == ":" || $0 == "-" }
    let rest = inner.dropFirst(letters.count)
    guard letters.first.map({ isLetterOrDigit($0) && $0.value > 0x39 }) ?? false,
      rest.first.map({ $0 == "/" || $0.properties.isWhitespace }) ?? true
    else { return false }
    let name = text(letters).lowercased()
    if HTMLReader.known.contains(name) { isHTML = true }
    place = end + 1
    if HTMLReader.hidden.contains(name), !isEnd {
      place = self.end(of: "</\(name)", from: place)
    } else {
      write(name, isEnd: isEnd, text(rest))
    }
    return true
  }

  private mutating func write(_ name: String, isEnd: Bool, _ attributes: String) {
    switch (name, isEnd) {
    case ("br", _),
      (_, true) where HTMLReader.lines.contains(name):
      output.append("\n")
    case ("li", false): output.append(contentsOf: "- ".unicodeScalars)
    case ("a", false):
      link = HTMLReader.address(attributes).map { ($0, output.count) }
    case ("a", true):
      guard let link else { return }
      let words = text(output[link.start...])
      if !words.contains(link.address) {
        output.append(contentsOf: " (\(link.address))".unicodeScalars)
      }
      self.link = nil
    default: break
    }
  }

  /// Returns the value of "href".
  private static func address(_ attributes: String) -> String? {
    guard let name = attributes.firstRange(of: "href=") else { return nil }
    let rest = attributes[name.upperBound...]
    let mark = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
    let value =
      mark.map { mark in rest.dropFirst().prefix { $0 != mark } }
      ?? rest.prefix { !$0.isWhitespace }
    return value.isEmpty ? nil : String(value).replacing("&amp;", with: "&")
  }

  // MARK: Entities

  private mutating func readEntity() -> Bool {
    guard
      let end = input[place...].prefix(HTMLReader.longestEntity).firstIndex(of: ";")
    else { return false }
    let name = text(input[(place + 1)..<end])
    guard let character = HTMLReader.character(name) else { return false }
    output.append(contentsOf: character.unicodeScalars)
    place = end + 1
    return true
  }

  private static func character(_ name: String) -> String? {
    guard name.hasPrefix("#") else { return entities[name] }
    let digits = name.dropFirst()
    let number =
      digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(UnicodeScalar.init).map { $0 == "\u{A0}" ? " " : String($0) }
  }

  // MARK: Input

  private func text(_ scalars: ArraySlice<UnicodeScalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  private func isLetterOrDigit(_ scalar: UnicodeScalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }

  private func starts(with words: String, at index: Int? = nil) -> Bool {
    let start = index ?? place
    let scalars = words.unicodeScalars
    return input.count - start >= scalars.count
      && zip(input[start...], scalars).allSatisfy { $0.properties.lowercaseMapping == String($1) }
  }

  /// Returns the place after some words and the ">" that follows; the end without them.
  private func end(of words: String, from start: Int) -> Int {
    var index = start
    while index < input.count {
      if starts(with: words, at: index) {
        let close = input[index...].firstIndex(of: ">")
        return close.map { $0 + 1 } ?? input.count
      }
      index += 1
    }
    return input.count
  }
}
