/// A component with everything in it, as unfolded lines from BEGIN to END.
///
/// The tree is flat: a child is the run of lines from its BEGIN to its END. One value is reused for
/// all components of a file, to avoid allocations.
struct Component {
  /// The lines, each with CRLF; the canonical text if no line needs a fold.
  var octets: [UInt8] = []
  /// All lines, with the BEGIN and END of the component and its children.
  var lines: [ContentLine] = []

  mutating func removeAll() {
    octets.removeAll(keepingCapacity: true)
    lines.removeAll(keepingCapacity: true)
  }

  /// Whether a range is this name, in either case, ignoring blanks around it.
  func isName(_ range: Range<Int>, _ name: String) -> Bool {
    let range = trimmed(range)
    guard range.count == name.utf8.count else { return false }
    var position = range.lowerBound
    for octet in name.utf8 {
      if octets[position].upperCased != octet.upperCased { return false }
      position += 1
    }
    return true
  }

  /// Returns the range without blanks at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, octets[start] == 0x20 || octets[start] == 0x09 { start += 1 }
    while start < end, octets[end - 1] == 0x20 || octets[end - 1] == 0x09 { end -= 1 }
    return start..<end
  }

  /// Returns the octets as text.
  func string(_ range: Range<Int>) -> String {
    String(decoding: octets[range], as: UTF8.self)
  }

  /// The name of the component, in upper case: "VEVENT".
  var name: String { lines.first.map { string(trimmed($0.value)).uppercased() } ?? "" }

  /// The indices of its own property lines, without those of its children.
  var ownLines: [Int] {
    var depth = 0
    var own: [Int] = []
    for index in lines.indices {
      switch lines[index].property {
      case .begin: depth += 1
      case .end: depth -= 1
      default: if depth == 1 { own.append(index) }
      }
    }
    return own
  }

  /// The lines of its direct children, each from BEGIN to END.
  var children: [Range<Int>] {
    var depth = 0
    var start = 0
    var found: [Range<Int>] = []
    for index in lines.indices {
      if lines[index].property == .begin {
        depth += 1
        if depth == 2 { start = index }
      } else if lines[index].property == .end {
        if depth == 2 { found.append(start..<index + 1) }
        depth -= 1
      }
    }
    return found
  }

  /// The first of its own lines with a property.
  func first(_ property: PropertyName) -> ContentLine? {
    var depth = 0
    for line in lines {
      switch line.property {
      case .begin: depth += 1
      case .end: depth -= 1
      default: if depth == 1, line.property == property { return line }
      }
    }
    return nil
  }

  /// The UID, "" if there is none.
  ///
  /// Escapes are resolved because programs differ on whether to escape commas.
  var uidText: String {
    first(.uid).map { text(trimmed($0.value)) } ?? ""
  }

  /// The SUMMARY, "" if there is none; only the beginning of a very long one.
  var summaryText: String {
    guard let value = first(.summary)?.value else { return "" }
    // The rest is cut off when it is reported.
    return text(value.prefix(2 * ParseDiagnostic.longSummary))
  }
}

// MARK: Parameters

extension Component {
  /// Calls `body` with the name and raw value of each parameter until it returns false.
  func forEachParameter(of line: ContentLine, _ body: (Range<Int>, Range<Int>) -> Bool) {
    let end = line.valueStart - 1
    var position = line.name.upperBound
    while position < end, octets[position] == 0x20 { position += 1 }
    while position < end, octets[position] == .semicolon {
      let start = position + 1
      var equals: Int?
      var isQuoted = false
      position = start
      while position < end, isQuoted || octets[position] != .semicolon {
        if octets[position] == .quote, !isQuoted || !octets.isEscapedQuote(position, before: end) {
          isQuoted.toggle()
        }
        if equals == nil, octets[position] == UInt8(ascii: "=") { equals = position }
        position += 1
      }
      let name = start..<(equals ?? position)
      let value = (equals.map { $0 + 1 } ?? position)..<position
      if !body(trimmed(name), value) { return }
    }
  }

  /// Returns the raw value of a parameter without its quotes; nil if there is none.
  ///
  /// A comma without quotes is part of the value, as in "CN=Doe, John".
  func parameter(_ name: String, of line: ContentLine) -> Range<Int>? {
    // Most lines have no parameters.
    if line.name.upperBound + 1 == line.valueStart { return nil }
    var found: Range<Int>?
    forEachParameter(of: line) { candidate, value in
      guard isName(candidate, name) else { return true }
      found = value
      return false
    }
    guard let value = found.map(trimmed) else { return nil }
    guard let first = value.first, octets[first] == .quote else { return value }
    let inner = value.dropFirst()
    let close = inner.first {
      octets[$0] == .quote && !octets.isEscapedQuote($0, before: line.valueStart - 1)
    }
    return inner.lowerBound..<(close ?? value.upperBound)
  }

  /// Returns the value of a parameter with carets resolved; "" if there is none.
  ///
  /// Source: RFC 6868 section 3.1.
  func parameterText(_ name: String, of line: ContentLine) -> String {
    guard let range = parameter(name, of: line) else { return "" }
    guard octets[range].contains(where: { $0 == UInt8(ascii: "^") || $0 == .quote }) else {
      return string(range)
    }
    var text: [UInt8] = []
    var position = range.lowerBound
    while position < range.upperBound {
      let octet = octets[position]
      position += 1
      // Zimbra writes a quote in quotes as \".
      if octet == .backslash, position < range.upperBound, octets[position] == .quote { continue }
      guard octet == UInt8(ascii: "^"), position < range.upperBound else {
        text.append(octet)
        continue
      }
      switch octets[position] {
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "^"): text.append(octet)
      case UInt8(ascii: "'"): text.append(.quote)
      default:
        // A caret before anything else is kept.
        text.append(octet)
        continue
      }
      position += 1
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// Whether a quote belongs to a quoted value, as in "John \"Jack\" Doe", which no RFC allows.
  ///
  /// A backslash is before it, and what follows is not what follows the end of a value.
  func isEscapedQuote(_ position: Int, before end: Int) -> Bool {
    guard position > 0, self[position - 1] == .backslash, position + 1 < end else { return false }
    let next = self[position + 1]
    return next != .semicolon && next != .colon && next != .comma
  }
}
