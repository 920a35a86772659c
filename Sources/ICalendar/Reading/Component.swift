/// A component with all that is in it, as its unfolded lines from BEGIN to END.
///
/// The tree is kept flat: a child is the run of lines between its BEGIN and its
/// END. One value is filled again and again while a file is read, so that an
/// event costs no more allocations than its own text.
struct Component {
  /// The lines one after the other, each with CRLF at its end: as long as none
  /// has to be folded this is the canonical text.
  var octets: [UInt8] = []
  /// All lines, the BEGIN and END of the component and its children included.
  var lines: [ContentLine] = []

  mutating func removeAll() {
    octets.removeAll(keepingCapacity: true)
    lines.removeAll(keepingCapacity: true)
  }

  /// Whether the octets there are this name, in either case and with blanks
  /// round it.
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

  /// The range without the blanks at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, octets[start] == 0x20 || octets[start] == 0x09 { start += 1 }
    while start < end, octets[end - 1] == 0x20 || octets[end - 1] == 0x09 { end -= 1 }
    return start..<end
  }

  /// The octets as they stand.
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

  /// The first of its own lines with this property.
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

  /// The value of UID, "" where there is none. Programs escape its commas, or do not: the same
  /// event has the same UID in both.
  var uidText: String {
    first(.uid).map { text(trimmed($0.value)) } ?? ""
  }

  /// The value of SUMMARY, "" where there is none; of a very long one a part, for people.
  var summaryText: String {
    guard let value = first(.summary)?.value else { return "" }
    // More is cut off where it is told.
    return text(value.prefix(2 * ParseDiagnostic.longSummary))
  }
}

// MARK: Parameters

extension Component {
  /// Calls `body` with the name and the raw value of each parameter, in order,
  /// until it returns false.
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

  /// The raw value of a parameter without the quotes round it; nil if the line
  /// has none of this name.
  ///
  /// A comma without quotes is read as part of the value, as in "CN=Doe, John".
  func parameter(_ name: String, of line: ContentLine) -> Range<Int>? {
    // Most lines have no parameters at all.
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

  /// The value of a parameter with its carets resolved; "" if there is none.
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
        // A caret before anything else stands for itself.
        text.append(octet)
        continue
      }
      position += 1
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// Whether the quote there belongs to a quoted parameter value, as in
  /// "John \"Jack\" Doe", which no RFC has: a backslash stands before it, and
  /// what follows does not go on as after the end of a value.
  func isEscapedQuote(_ position: Int, before end: Int) -> Bool {
    guard position > 0, self[position - 1] == .backslash, position + 1 < end else { return false }
    let next = self[position + 1]
    return next != .semicolon && next != .colon && next != .comma
  }
}
