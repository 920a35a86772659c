/// A writer of JSON text: the same value always gives the same octets.
///
/// Escaped are quotes, backslashes, control characters (also DEL and U+0080 to U+009F, so that no
/// title can control a terminal), and U+2028 and U+2029, which end a line in JavaScript. Numbers
/// have the fewest digits that read back as the same `Double`, with ".0" if they are whole.
/// Infinities and NaN become null, as in ECMAScript.
///
/// Source: RFC 8259; ECMA-262, "SerializeJSONProperty".
package struct JSONWriter {
  /// The text so far, in UTF-8.
  package internal(set) var octets: [UInt8] = []

  /// Creates a writer and allocates `reserving` octets.
  package init(reserving: Int = 0) {
    octets.reserveCapacity(reserving)
  }

  /// Returns the text of a value in UTF-8, without a line break at its end.
  package static func octets(of value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(value)
    return writer.octets
  }

  /// Returns the text of a value, without a line break at its end.
  package static func text(of value: JSONValue) -> String {
    String(decoding: octets(of: value), as: UTF8.self)
  }

  /// Adds a line break, which ends a record of JSON Lines.
  package mutating func endLine() {
    octets.append(UInt8(ascii: "\n"))
  }

  /// Removes the text and keeps the memory.
  package mutating func removeAll() {
    octets.removeAll(keepingCapacity: true)
  }

  /// Adds the text of a value.
  package mutating func write(_ value: JSONValue) {
    switch value {
    case .null: put("null")
    case .bool(let value): put(value ? "true" : "false")
    case .integer(let value): write(value)
    case .number(let value):
      if value.isFinite { octets.append(contentsOf: value.description.utf8) } else { put("null") }
    case .string(let value): write(value)
    case .array(let elements):
      writeGroup(elements, "[", "]") { writer, element in writer.write(element) }
    case .object(let object):
      writeGroup(object.members, "{", "}") { writer, member in
        writer.write(member.name)
        writer.put(":")
        writer.write(member.value)
      }
    }
  }

  private mutating func writeGroup<Element>(
    _ elements: [Element], _ opening: StaticString, _ closing: StaticString,
    writeElement: (inout JSONWriter, Element) -> Void
  ) {
    put(opening)
    var isFirst = true
    for element in elements {
      if !isFirst { put(",") }
      isFirst = false
      writeElement(&self, element)
    }
    put(closing)
  }

  mutating func put(_ text: StaticString) {
    text.withUTF8Buffer { octets.append(contentsOf: $0) }
  }

  mutating func write(_ value: Int64) {
    if value < 0 { octets.append(UInt8(ascii: "-")) }
    let start = octets.count
    var rest = value.magnitude
    repeat {
      octets.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    octets[start...].reverse()
  }
}

// MARK: Strings

extension JSONWriter {
  mutating func write(_ text: String) {
    octets.append(UInt8(ascii: "\""))
    // Strings are contiguous without Foundation.
    let written: Void? = text.utf8.withContiguousStorageIfAvailable { writeEscaped($0) }
    if written == nil { Array(text.utf8).withUnsafeBufferPointer { writeEscaped($0) } }
    octets.append(UInt8(ascii: "\""))
  }

  private mutating func writeEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    var place = 0
    while place < text.count {
      let length = lengthOfEscaped(text, at: place)
      if length == 0 {
        place += 1
        continue
      }
      octets.append(contentsOf: text[start..<place])
      writeEscape(text, at: place, length: length)
      place += length
      start = place
    }
    octets.append(contentsOf: text[start...])
  }

  /// Returns the octets of the character at `place` if it must be escaped; else 0.
  @inline(__always)
  private func lengthOfEscaped(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Int {
    switch text[place] {
    case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F: 1
    // U+0080 to U+009F are C2 80 to C2 9F.
    case 0xC2: text[place + 1] < 0xA0 ? 2 : 0
    // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
    case 0xE2: text[place + 1] == 0x80 && text[place + 2] & 0xFE == 0xA8 ? 3 : 0
    default: 0
    }
  }

  private mutating func writeEscape(
    _ text: UnsafeBufferPointer<UInt8>, at place: Int, length: Int
  ) {
    switch text[place] {
    case UInt8(ascii: "\""): put(#"\""#)
    case UInt8(ascii: "\\"): put(#"\\"#)
    case 0x08: put(#"\b"#)
    case 0x09: put(#"\t"#)
    case 0x0A: put(#"\n"#)
    case 0x0C: put(#"\f"#)
    case 0x0D: put(#"\r"#)
    default:
      put(length == 3 ? #"\u20"# : #"\u00"#)
      let low = length == 3 ? 0x28 | text[place + 2] & 1 : text[place + length - 1]
      octets.append(hexDigit(low >> 4))
      octets.append(hexDigit(low & 0xF))
    }
  }

  private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
