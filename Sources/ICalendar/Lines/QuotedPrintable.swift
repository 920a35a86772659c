/// Quoted-printable values of vCalendar 1.0, such as "Gr=C3=BC=C3=9Fe=0D=0A".
///
/// ``LineReader`` joins lines with soft line breaks.
///
/// Source: RFC 2045 section 6.7; versit vCalendar 1.0, "Encoding".
extension Component {
  /// Whether the value of a line is quoted-printable.
  ///
  /// Some programs leave out the parameter name: "SUMMARY;QUOTED-PRINTABLE:".
  func isQuotedPrintable(_ line: ContentLine) -> Bool {
    if line.name.upperBound + 1 == line.valueStart { return false }
    var found = false
    forEachParameter(of: line) { name, value in
      found =
        isName(name, "QUOTED-PRINTABLE")
        || isName(name, "ENCODING") && isName(value, "QUOTED-PRINTABLE")
      return !found
    }
    return found
  }

  /// Returns the line with its value as TEXT and without ENCODING and CHARSET.
  ///
  /// `isKnown` tells whether the CHARSET is known.
  func decodedLine(
    _ line: ContentLine, _ decode: CharacterDecoder?
  ) -> (text: String, isKnown: Bool) {
    var text = string(line.name)
    var charset = ""
    forEachParameter(of: line) { name, value in
      if isName(name, "CHARSET") {
        charset = string(trimmed(value))
      } else if !isName(name, "ENCODING"), !isName(name, "QUOTED-PRINTABLE") {
        text += ";\(string(name))"
        if !value.isEmpty { text += "=\(string(value))" }
      }
      return true
    }
    // Blanks at the end were added in transport; the text's own are written "=20".
    var end = line.end
    while end > line.valueStart, octets[end - 1] == 0x20 || octets[end - 1] == 0x09 { end -= 1 }
    let (value, isKnown) = characters(
      decoded(line.valueStart..<end), charset: charset, decode)
    return (text + ":" + singleLine(value), isKnown)
  }

  /// Whether a line names a CHARSET other than UTF-8 and ASCII.
  func namesOtherCharset(_ line: ContentLine) -> Bool {
    guard let charset = parameter("CHARSET", of: line) else { return false }
    return !["", "UTF-8", "UTF8", "US-ASCII"].contains { isName(charset, $0) }
  }

  /// Decodes quoted-printable text. An "=" without two hexadecimal digits is kept.
  private func decoded(_ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var position = range.lowerBound
    while position < range.upperBound {
      let octet = octets[position]
      position += 1
      if octet == UInt8(ascii: "="), position + 2 <= range.upperBound,
        let high = octets[position].hexadecimalValue,
        let low = octets[position + 1].hexadecimalValue
      {
        result.append(high << 4 | low)
        position += 2
      } else {
        result.append(octet)
      }
    }
    return result
  }
}

/// Decodes octets by their CHARSET, else as UTF-8, else as Windows-1252.
private func characters(
  _ octets: [UInt8], charset: String, _ decode: CharacterDecoder?
) -> (text: String, isKnown: Bool) {
  if let text = CharacterSet.text(octets, in: charset, decode) { return (text, true) }
  if let text = String(validating: octets, as: UTF8.self) { return (text, charset.isEmpty) }
  // Without a CHARSET, Windows-1252 is a fair guess.
  return (CharacterSet.latin(octets), charset.isEmpty)
}

/// Returns text for one content line: line breaks as "\n", without other control characters.
///
/// Its escapes are not changed.
private func singleLine(_ text: String) -> String {
  var line = ""
  var last: UnicodeScalar = " "
  for scalar in text.unicodeScalars {
    if scalar == "\r" || scalar == "\n" && last != "\r" {
      line += "\\n"
    } else if scalar.value >= 0x20 && scalar.value != 0x7F || scalar == "\t" {
      line.unicodeScalars.append(scalar)
    }
    last = scalar
  }
  return line
}

extension UInt8 {
  fileprivate var hexadecimalValue: UInt8? {
    switch upperCased {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: upperCased - 0x41 + 10
    default: nil
    }
  }
}
