/// A value that is skipped, some octets at a time, without storing it.
struct JSONSkip {
  private enum Next {
    case value
    case name
    /// What is left of a string; of a name, a colon follows it.
    case string(isName: Bool)
    case afterValue
  }

  private var next = Next.value
  /// For each array or object that is open, whether it is an object.
  private var open: [Bool] = []
  /// A number has no more octets than this, and so it is read in one go.
  private static let maximumDigits = 1024

  /// Goes on for about so many octets; true once the value is over.
  ///
  /// As strict as ``JSONReader``, but for names that come twice in an object and numbers that are
  /// out of range.
  mutating func goOn(_ reader: inout JSONReader, octets: Int) throws(JSONError) -> Bool {
    let end = reader.place + min(octets, reader.octets.count - reader.place)
    repeat {
      if try step(&reader, until: end) { return true }
    } while reader.place < end
    return false
  }

  private mutating func step(_ reader: inout JSONReader, until end: Int) throws(JSONError) -> Bool {
    switch next {
    case .value: try begin(&reader)
    case .name:
      guard reader.take("\"") else { throw reader.unexpected("a name in quotes") }
      next = .string(isName: true)
    case .string(let isName): try goOnInString(&reader, isName: isName, until: end)
    case .afterValue:
      guard let isObject = open.last else { return true }
      reader.skipSpace()
      if reader.take(",") {
        reader.skipSpace()
        next = isObject ? .name : .value
      } else if reader.take(isObject ? "}" : "]") {
        open.removeLast()
      } else {
        throw reader.unexpected(isObject ? "\",\" or \"}\"" : "\",\" or \"]\"")
      }
    }
    return false
  }

  private mutating func begin(_ reader: inout JSONReader) throws(JSONError) {
    next = .afterValue
    switch reader.peek ?? 0 {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < reader.maximumDepth else {
        throw JSONError(
          .tooDeep(maximumDepth: reader.maximumDepth), at: reader.place, of: reader.octets)
      }
      let isObject = reader.take("{")
      if !isObject { _ = reader.take("[") }
      reader.skipSpace()
      if reader.take(isObject ? "}" : "]") { return }
      open.append(isObject)
      next = isObject ? .name : .value
    case UInt8(ascii: "\""):
      _ = reader.take("\"")
      next = .string(isName: false)
    case UInt8(ascii: "t"): _ = try reader.readWord("true", as: .bool(true))
    case UInt8(ascii: "f"): _ = try reader.readWord("false", as: .bool(false))
    case UInt8(ascii: "n"): _ = try reader.readWord("null", as: .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try passNumber(&reader)
    default: throw reader.unexpected("a value")
    }
  }

  private mutating func goOnInString(
    _ reader: inout JSONReader, isName: Bool, until end: Int
  ) throws(JSONError) {
    var escaped: [UInt8] = []
    repeat {
      guard let octet = reader.peek else {
        throw reader.unexpected("the closing quote of a string")
      }
      switch octet {
      case UInt8(ascii: "\""):
        reader.place += 1
        next = .afterValue
        guard isName else { return }
        reader.skipSpace()
        guard reader.take(":") else { throw reader.unexpected("\":\"") }
        reader.skipSpace()
        next = .value
        return
      case UInt8(ascii: "\\"): try reader.readEscape(into: &escaped)
      case 0..<0x20:
        throw reader.unexpected("an escape, since control characters have to be escaped")
      default: reader.place += 1
      }
    } while reader.place < end
  }

  private func passNumber(_ reader: inout JSONReader) throws(JSONError) {
    let start = reader.place
    _ = reader.take("-")
    if !reader.take("0") { try reader.readDigits(atMost: JSONSkip.maximumDigits) }
    if reader.take(".") { try reader.readDigits(atMost: JSONSkip.maximumDigits) }
    if reader.take("e") || reader.take("E") {
      if !reader.take("+") { _ = reader.take("-") }
      try reader.readDigits(atMost: JSONSkip.maximumDigits)
    }
    if let octet = reader.peek, octet >= UInt8(ascii: "0"), octet <= UInt8(ascii: "9"),
      reader.place - start >= JSONSkip.maximumDigits
    {
      let text = String(decoding: reader.octets[start..<start + 40], as: UTF8.self)
      throw JSONError(.numberOutOfRange(text), at: start, of: reader.octets)
    }
  }
}
