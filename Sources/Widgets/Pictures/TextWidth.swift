/// Estimates the width of text, since no font is available.
///
/// If a title is cut too early, the tooltip still has it all; too late, and a letter would be cut.
enum TextWidth {
  /// Returns the width of a text, in the unit of `size`.
  static func of(_ text: String, size: Double) -> Double {
    text.reduce(0) { $0 + share(of: $1) } * size
  }

  /// Returns as much of a text as fits, with "…" if it was cut.
  static func cut(_ text: String, to width: Double, size: Double) -> String {
    if of(text, size: size) <= width { return text }
    var left = width - size
    var kept = ""
    for character in text {
      left -= share(of: character) * size
      if left < 0 { break }
      kept.append(character)
    }
    while kept.last == " " { kept.removeLast() }
    return kept.isEmpty ? "" : kept + "…"
  }

  /// Returns the width of a character relative to the size, as in common sans-serif fonts.
  private static func share(of character: Character) -> Double {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x20, 0x21, 0x27...0x29, 0x2C, 0x2E, 0x3A, 0x3B, 0x49, 0x6A, 0x69, 0x6C, 0x7C: return 0.34
    case 0x57, 0x4D, 0x6D, 0x77, 0x40, 0x25: return 0.92
    case 0x41...0x5A: return 0.69
    case 0x66, 0x72, 0x74: return 0.41
    case 0x63, 0x6B, 0x73, 0x76, 0x78...0x7A: return 0.57
    case 0x21...0x7E: return 0.62
    // East Asian scripts, and pictures.
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
      0xFF00...0xFF60, 0x1F000...0x1FAFF, 0x20000...0x3FFFD, 0x2600...0x27BF:
      return 1.25
    default: return 0.68
    }
  }
}
