/// The escapes of TEXT values.
///
/// Source: RFC 5545 section 3.3.11.
extension Component {
  /// Returns a TEXT value with its escapes resolved.
  ///
  /// "\n" and "\N" are line breaks. A backslash before a comma, a semicolon or another backslash is
  /// removed; also before a colon or a quote, as old programs write it. Any other backslash is
  /// kept.
  func text(_ range: Range<Int>) -> String {
    guard octets[range].contains(.backslash) else { return string(range) }
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    var position = range.lowerBound
    while position < range.upperBound {
      let octet = octets[position]
      position += 1
      guard octet == .backslash, position < range.upperBound else {
        text.append(octet)
        continue
      }
      switch octets[position] {
      case UInt8(ascii: "n"), UInt8(ascii: "N"): text.append(0x0A)
      case .comma, .semicolon, .backslash, .colon, .quote: text.append(octets[position])
      default:
        text.append(octet)
        continue
      }
      position += 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Splits a list at commas that are not escaped.
  func list(_ range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    var position = start
    while position < range.upperBound {
      if octets[position] == .backslash {
        position += 1
      } else if octets[position] == .comma {
        parts.append(start..<position)
        start = position + 1
      }
      position += 1
    }
    parts.append(start..<range.upperBound)
    return parts
  }
}

/// Returns text escaped as a TEXT value, without control characters other than tabs.
///
/// Source: RFC 5545 section 3.3.11.
func escapedText(_ text: String) -> String {
  var escaped: [UInt8] = []
  let octets = Array(text.utf8)
  escaped.reserveCapacity(octets.count + 8)
  for (index, octet) in octets.enumerated() {
    switch octet {
    case .backslash, .comma, .semicolon: escaped += [.backslash, octet]
    case 0x0A: escaped += [.backslash, UInt8(ascii: "n")]
    case 0x0D:
      // CRLF is one line break, and so is a single CR.
      if index + 1 == octets.count || octets[index + 1] != 0x0A {
        escaped += [.backslash, UInt8(ascii: "n")]
      }
    case 0x09, 0x20...: escaped.append(octet)
    default: break
    }
  }
  return String(decoding: escaped, as: UTF8.self)
}

/// Returns text as a parameter value, quoted if it has a colon, a semicolon or a comma.
///
/// Source: RFC 6868.
func escapedParameter(_ text: String) -> String {
  var escaped = ""
  var needsQuotes = false
  for scalar in text.unicodeScalars {
    switch scalar {
    case "^": escaped += "^^"
    case "\"": escaped += "^'"
    case "\n": escaped += "^n"
    case ":", ";", ",":
      needsQuotes = true
      escaped.unicodeScalars.append(scalar)
    default:
      if scalar.value >= 0x20 { escaped.unicodeScalars.append(scalar) }
    }
  }
  return needsQuotes ? "\"\(escaped)\"" : escaped
}
