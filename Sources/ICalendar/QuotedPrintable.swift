/// Text that vCalendar 1.0 sends as quoted-printable: "Gr=C3=BC=C3=9Fe=0D=0A".
///
/// ``LineReader`` joins the lines that such a text is broken into.
///
/// Source: RFC 2045 section 6.7; versit vCalendar 1.0, "Encoding".
extension Component {
  /// Whether the value of a line is quoted-printable. Some leave out the name of
  /// the parameter: "SUMMARY;QUOTED-PRINTABLE:".
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

  /// The line with its value as TEXT, without the parameters ENCODING and CHARSET.
  func decodedLine(_ line: ContentLine) -> String {
    var text = string(line.name)
    var charset = ""
    forEachParameter(of: line) { name, value in
      if isName(name, "CHARSET") {
        charset = string(trimmed(value)).uppercased()
      } else if !isName(name, "ENCODING"), !isName(name, "QUOTED-PRINTABLE") {
        text += ";\(string(name))"
        if !value.isEmpty { text += "=\(string(value))" }
      }
      return true
    }
    return text + ":" + singleLine(characters(decoded(line.value), charset: charset))
  }

  /// The octets that quoted-printable text stands for. An "=" that begins no pair
  /// of hexadecimal digits stands for itself.
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

/// Octets as text: UTF-8 where they are that, else ISO 8859-1, which is also what
/// they are where the charset says so.
private func characters(_ octets: [UInt8], charset: String) -> String {
  if !charset.hasPrefix("ISO-8859-"), !charset.hasPrefix("WINDOWS-125"),
    let text = String(validating: octets, as: UTF8.self)
  {
    return text
  }
  var latin = ""
  for octet in octets { latin.unicodeScalars.append(UnicodeScalar(octet)) }
  return latin
}

/// Text on one content line: line breaks as "\n", other control characters left
/// out. Its escapes are those that it came with.
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
