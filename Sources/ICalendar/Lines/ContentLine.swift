/// One unfolded line of a component: `name *(";" parameter) ":" value`.
///
/// It holds positions in the octets of its ``Component``, so that parsing allocates no strings.
///
/// Source: RFC 5545 section 3.1.
struct ContentLine {
  let property: PropertyName
  let name: Range<Int>
  /// The start of the value, after the colon.
  let valueStart: Int
  /// The end of the line. It moves when a broken line is joined to this one.
  var end: Int
  /// The line of the text at which it begins, from 1.
  let number: Int

  var value: Range<Int> { valueStart..<end }
  var range: Range<Int> { name.lowerBound..<end }

  /// Finds name and value in `octets[range]`; nil if there is no colon or no valid name.
  ///
  /// A colon in a quoted parameter value does not count, unless the quote is not closed. A colon
  /// before "//" does not count either.
  init?(_ octets: [UInt8], _ range: Range<Int>, number: Int) {
    var position = range.lowerBound
    while position < range.upperBound, octets[position].isNameCharacter { position += 1 }
    let name = range.lowerBound..<position
    // Novell GroupWise writes spaces after names.
    while position < range.upperBound, octets[position] == 0x20 { position += 1 }
    guard !name.isEmpty, position < range.upperBound else { return nil }
    if octets[position] != .colon {
      guard octets[position] == .semicolon,
        let colon = ContentLine.colon(in: octets, position..<range.upperBound)
      else { return nil }
      position = colon
    }
    self.name = name
    self.number = number
    property = PropertyName(octets, name)
    valueStart = position + 1
    end = range.upperBound
  }

  private static func colon(in octets: [UInt8], _ range: Range<Int>) -> Int? {
    var isQuoted = false
    var first: Int?
    for position in range {
      let octet = octets[position]
      if octet == .quote {
        if !isQuoted || !octets.isEscapedQuote(position, before: range.upperBound) {
          isQuoted.toggle()
        }
      } else if octet == .colon {
        if first == nil { first = position }
        // Exchange writes "TZID=tzone://Microsoft/Utc:20240705T100000".
        if !isQuoted, !octets[position + 1..<range.upperBound].starts(with: [.slash, .slash]) {
          return position
        }
      }
    }
    return first
  }
}

extension UInt8 {
  static let colon = UInt8(ascii: ":")
  static let semicolon = UInt8(ascii: ";")
  static let comma = UInt8(ascii: ",")
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let slash = UInt8(ascii: "/")

  fileprivate var isNameCharacter: Bool {
    let letter = upperCased
    return letter >= 0x41 && letter <= 0x5A || isDigit || self == 0x2D || self == 0x5F
  }
}
