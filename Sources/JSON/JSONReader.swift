/// A strict reader of JSON text.
///
/// It allows only what RFC 8259 does: no comments, trailing commas or byte order mark. A repeated
/// name in an object and half a surrogate pair are refused.
///
/// Source: RFC 8259.
package struct JSONReader {
  let octets: [UInt8]
  let maximumDepth: Int
  var place = 0
  private var depth = 0

  /// Reads a text that is one JSON value.
  ///
  /// - Parameters:
  ///   - octets: The text in UTF-8.
  ///   - maximumOctets: A longer text is refused.
  ///   - maximumDepth: How deep arrays and objects may be nested.
  /// - Throws: ``JSONError`` with the position of the first error.
  package static func value(
    of octets: [UInt8], maximumOctets: Int, maximumDepth: Int = 64
  ) throws(JSONError) -> JSONValue {
    guard octets.count <= maximumOctets else {
      throw JSONError(
        .tooLong(octets: octets.count, maximumOctets: maximumOctets), at: 0, of: octets)
    }
    do {
      _ = try UTF8Span(validating: octets.span)
    } catch {
      throw JSONError(.notUTF8, at: error.byteOffsets.lowerBound, of: octets)
    }
    var reader = JSONReader(octets: octets, maximumDepth: maximumDepth)
    reader.skipSpace()
    let value = try reader.readValue()
    reader.skipSpace()
    guard reader.place == octets.count else { throw reader.unexpected("the end of the text") }
    return value
  }

  /// Reads a text that is one JSON value; see ``value(of:maximumOctets:maximumDepth:)``.
  ///
  /// - Throws: ``JSONError`` for a text that is not valid JSON, or exceeds a limit.
  package static func value(
    of text: String, maximumOctets: Int, maximumDepth: Int = 64
  ) throws(JSONError) -> JSONValue {
    try value(of: Array(text.utf8), maximumOctets: maximumOctets, maximumDepth: maximumDepth)
  }

  init(octets: [UInt8], maximumDepth: Int) {
    self.octets = octets
    self.maximumDepth = maximumDepth
  }
}

// MARK: Values

extension JSONReader {
  mutating func readValue() throws(JSONError) -> JSONValue {
    switch peek ?? 0 {
    case UInt8(ascii: "{"): return .object(try readObject())
    case UInt8(ascii: "["): return .array(try readArray())
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", as: .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", as: .bool(false))
    case UInt8(ascii: "n"): return try readWord("null", as: .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
    default: throw unexpected("a value")
    }
  }

  mutating func readWord(_ word: StaticString, as value: JSONValue) throws(JSONError)
    -> JSONValue
  {
    let end = place + word.utf8CodeUnitCount
    let matches = word.withUTF8Buffer { octets[place...].starts(with: $0) }
    guard matches else { throw unexpected("a value") }
    place = end
    return value
  }

  private mutating func readArray() throws(JSONError) -> [JSONValue] {
    try enter()
    var elements: [JSONValue] = []
    skipSpace()
    if !take("]") {
      repeat {
        skipSpace()
        elements.append(try readValue())
        skipSpace()
      } while take(",")
      guard take("]") else { throw unexpected("\",\" or \"]\"") }
    }
    depth -= 1
    return elements
  }

  private mutating func readObject() throws(JSONError) -> JSONObject {
    try enter()
    var members: [JSONObject.Member] = []
    var names = NameSet()
    skipSpace()
    if !take("}") {
      repeat {
        skipSpace()
        let start = place
        guard peek == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
        let name = try readString()
        guard names.insert(name, after: members) else {
          throw JSONError(.repeatedName(name), at: start, of: octets)
        }
        skipSpace()
        guard take(":") else { throw unexpected("\":\"") }
        skipSpace()
        members.append(JSONObject.Member(name: name, value: try readValue()))
        skipSpace()
      } while take(",")
      guard take("}") else { throw unexpected("\",\" or \"}\"") }
    }
    depth -= 1
    return JSONObject(unchecked: members)
  }

  private mutating func enter() throws(JSONError) {
    guard depth < maximumDepth else {
      throw JSONError(.tooDeep(maximumDepth: maximumDepth), at: place, of: octets)
    }
    depth += 1
    place += 1
  }
}

// MARK: Numbers

extension JSONReader {
  private mutating func readNumber() throws(JSONError) -> JSONValue {
    let start = place
    var isWhole = true
    _ = take("-")
    if !take("0") { try readDigits() }
    if take(".") {
      isWhole = false
      try readDigits()
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      try readDigits()
    }
    let text = String(decoding: octets[start..<place], as: UTF8.self)
    // -0 must not become the integer 0, which has no sign.
    if isWhole, text != "-0", let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else {
      throw JSONError(.numberOutOfRange(String(text.prefix(40))), at: start, of: octets)
    }
    return .number(number)
  }

  mutating func readDigits(atMost limit: Int = .max) throws(JSONError) {
    let start = place
    while let octet = peek, octet >= UInt8(ascii: "0"), octet <= UInt8(ascii: "9"),
      place - start < limit
    {
      place += 1
    }
    guard place > start else { throw unexpected("a digit") }
  }
}

// MARK: Strings

extension JSONReader {
  private mutating func readString() throws(JSONError) -> String {
    place += 1
    var start = place
    // Most strings have no escapes and are copied at once.
    var decoded: [UInt8] = []
    while true {
      guard let octet = peek else { throw unexpected("the closing quote of a string") }
      switch octet {
      case UInt8(ascii: "\""):
        let tail = octets[start..<place]
        place += 1
        if decoded.isEmpty { return String(decoding: tail, as: UTF8.self) }
        decoded.append(contentsOf: tail)
        return String(decoding: decoded, as: UTF8.self)
      case UInt8(ascii: "\\"):
        decoded.append(contentsOf: octets[start..<place])
        try readEscape(into: &decoded)
        start = place
      case 0..<0x20: throw unexpected("an escape, since control characters have to be escaped")
      default: place += 1
      }
    }
  }

  mutating func readEscape(into decoded: inout [UInt8]) throws(JSONError) {
    let start = place
    place += 1
    switch peek {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(octets[place])
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      place += 1
      decoded.append(contentsOf: String(Character(try readScalar(from: start))).utf8)
      return
    default: throw unexpected("one of \"\\/bfnrtu after the backslash")
    }
    place += 1
  }

  /// Reads what follows `\u`: four digits, or a pair of two escapes.
  private mutating func readScalar(from start: Int) throws(JSONError) -> Unicode.Scalar {
    let first = try readHex()
    if let scalar = Unicode.Scalar(first) { return scalar }
    if first < 0xDC00, take("\\"), take("u") {
      let second = try readHex()
      if 0xDC00...0xDFFF ~= second,
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      {
        return scalar
      }
    }
    let text = String(decoding: octets[start..<start + 6], as: UTF8.self)
    throw JSONError(.loneSurrogate(text), at: start, of: octets)
  }

  private mutating func readHex() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let octet = peek, let digit = Character(Unicode.Scalar(octet)).hexDigitValue else {
        throw unexpected("four hexadecimal digits after \\u")
      }
      value = value << 4 | UInt32(digit)
      place += 1
    }
    return value
  }
}

// MARK: Octets

extension JSONReader {
  var peek: UInt8? { place < octets.count ? octets[place] : nil }

  mutating func take(_ expected: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: expected) else { return false }
    place += 1
    return true
  }

  mutating func skipSpace() {
    while let octet = peek, octet == 0x20 || octet == 0x0A || octet == 0x0D || octet == 0x09 {
      place += 1
    }
  }

  /// Returns the error for what is at the current position.
  func unexpected(_ expected: String) -> JSONError {
    let rest = String(decoding: octets[place...].prefix(4), as: UTF8.self).unicodeScalars
    let found =
      switch rest.first {
      case nil: "the end of the text"
      case let scalar? where scalar.value < 0x20 || scalar.value == 0xFEFF:
        "the character U+" + hexadecimal(scalar.value)
      case let scalar?: "\"\(scalar)\""
      }
    return JSONError(.unexpected(found: found, expected: expected), at: place, of: octets)
  }
}

/// The names of an object so far: compared one by one if few, hashed if many.
private struct NameSet {
  private var hashed: Set<String> = []

  /// Adds a name; false if `members` has it already.
  mutating func insert(_ name: String, after members: [JSONObject.Member]) -> Bool {
    if members.count < 16 { return !members.contains { $0.name == name } }
    if hashed.isEmpty { hashed = Set(members.map(\.name)) }
    return hashed.insert(name).inserted
  }
}

/// Returns four or more hexadecimal digits, in capitals.
private func hexadecimal(_ value: UInt32) -> String {
  let digits = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
