/// A colour of a calendar or an event: red, green and blue, 0 to 255.
package struct EventColor: Hashable, Sendable {
  package let red: UInt8
  package let green: UInt8
  package let blue: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The eight colours that new calendars get in turn.
  package static let palette: [EventColor] = [
    EventColor(red: 0x3b, green: 0x82, blue: 0xf6), EventColor(red: 0x22, green: 0xa3, blue: 0x5a),
    EventColor(red: 0xe0, green: 0x5d, blue: 0x2b), EventColor(red: 0x9b, green: 0x5d, blue: 0xe5),
    EventColor(red: 0xd9, green: 0x3a, blue: 0x5f), EventColor(red: 0xc9, green: 0x94, blue: 0x0a),
    EventColor(red: 0x0e, green: 0x9a, blue: 0xa7), EventColor(red: 0x6b, green: 0x72, blue: 0x80),
  ]

  /// The names of the colours of ``palette``, in its order; softer than CSS colours of these names.
  package static let paletteNames = [
    "blue", "green", "orange", "purple", "red", "yellow", "teal", "gray",
  ]

  /// The colour as text, such as "#3b82f6".
  package var text: String {
    let digits: StaticString = "0123456789abcdef"
    return String(unsafeUninitializedCapacity: 7) { octets in
      octets[0] = UInt8(ascii: "#")
      for (index, part) in [red, green, blue].enumerated() {
        octets[1 + 2 * index] = digits.utf8Start[Int(part >> 4)]
        octets[2 + 2 * index] = digits.utf8Start[Int(part & 15)]
      }
      return 7
    }
  }

  /// Reads "#3b82f6" in either case; nil for anything else.
  package init?(text: some StringProtocol) {
    let digits = Array(text.utf8)
    guard digits.count == 7, digits[0] == UInt8(ascii: "#"),
      digits[1...].allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let value = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(
      red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
  }
}
