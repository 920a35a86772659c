/// Decodes octets in a character set that is not UTF-8 or one of its small relatives; nil if it
/// does not know the set, or if the octets are none of it.
///
/// The name comes from strangers' text: whoever decodes decides which he knows.
package typealias CharacterDecoder = (_ octets: [UInt8], _ charset: String) -> String?

/// The sets that are decoded here: those that nearly all text is in which is not UTF-8.
enum CharacterSet {
  /// What Windows has in place of the control characters 0x80 to 0x9F of ISO 8859-1; 0 where it
  /// has nothing.
  ///
  /// Source: Unicode, Mappings/VENDORS/MICSFT/WINDOWS/CP1252.TXT.
  private static let windows: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  /// What ISO 8859-15 has otherwise than ISO 8859-1.
  private static let latin9: [UInt8: UInt32] = [
    0xA4: 0x20AC, 0xA6: 0x0160, 0xA8: 0x0161, 0xB4: 0x017D, 0xB8: 0x017E, 0xBC: 0x0152,
    0xBD: 0x0153, 0xBE: 0x0178,
  ]

  /// Octets as Windows-1252, of which ISO 8859-1 and ASCII are parts: programs that say one mean
  /// the other, and nobody writes control characters of ISO 8859-1.
  static func latin(_ octets: some Sequence<UInt8>) -> String {
    var text = ""
    for octet in octets {
      let special = octet & 0xE0 == 0x80 ? windows[Int(octet & 0x1F)] : 0
      text.unicodeScalars.append(
        special == 0 ? UnicodeScalar(octet) : UnicodeScalar(special) ?? "\u{FFFD}")
    }
    return text
  }

  /// Octets of a set by its name, which may be in either case; nil for a set that neither this
  /// target nor `decode` knows, and for octets that are none of it.
  static func text(_ octets: [UInt8], in name: String, _ decode: CharacterDecoder?) -> String? {
    switch name.uppercased() {
    case "UTF-8", "UTF8", "": return String(validating: octets, as: UTF8.self)
    case "US-ASCII", "ASCII", "ISO-8859-1", "LATIN1", "WINDOWS-1252", "CP1252":
      return latin(octets)
    case "ISO-8859-15", "LATIN-9":
      var text = ""
      for octet in octets {
        text.unicodeScalars.append(
          latin9[octet].flatMap(UnicodeScalar.init) ?? UnicodeScalar(octet))
      }
      return text
    default: return decode?(octets, name)
    }
  }
}
