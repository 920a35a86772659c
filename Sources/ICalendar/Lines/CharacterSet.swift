/// Decodes text in a character set that this target does not know.
///
/// It returns nil if it does not know the set or the octets are not valid in it. The name comes
/// from untrusted text.
package typealias CharacterDecoder = (_ octets: [UInt8], _ charset: String) -> String?

/// The character sets decoded here, which cover nearly all text that is not UTF-8.
enum CharacterSet {
  /// Windows-1252 for 0x80 to 0x9F, which are control characters in ISO 8859-1; 0 is undefined.
  ///
  /// Source: Unicode, Mappings/VENDORS/MICSFT/WINDOWS/CP1252.TXT.
  private static let windows: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  /// The characters in which ISO 8859-15 differs from ISO 8859-1.
  private static let latin9: [UInt8: UInt32] = [
    0xA4: 0x20AC, 0xA6: 0x0160, 0xA8: 0x0161, 0xB4: 0x017D, 0xB8: 0x017E, 0xBC: 0x0152,
    0xBD: 0x0153, 0xBE: 0x0178,
  ]

  /// Decodes Windows-1252, which includes ASCII and the printable part of ISO 8859-1.
  ///
  /// Programs confuse the names, and nobody writes the control characters of ISO 8859-1.
  static func latin(_ octets: some Sequence<UInt8>) -> String {
    var text = ""
    for octet in octets {
      let special = octet & 0xE0 == 0x80 ? windows[Int(octet & 0x1F)] : 0
      text.unicodeScalars.append(
        special == 0 ? UnicodeScalar(octet) : UnicodeScalar(special) ?? "\u{FFFD}")
    }
    return text
  }

  /// Decodes octets in a named set; the name may be in either case.
  ///
  /// - Returns: nil if neither this target nor `decode` knows the set, or the octets are not valid.
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
