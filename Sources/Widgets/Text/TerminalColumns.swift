extension Character {
  /// How many columns of a terminal it takes: 2 for Chinese, Japanese, Korean and emoji, else 1.
  ///
  /// Source: Unicode Standard Annex 11, "East Asian Width", the values W and F.
  package var columns: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}

extension StringProtocol {
  /// How many columns of a terminal it takes.
  package var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension String {
  /// Returns the text padded with spaces to `width` columns.
  package func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - columns))
  }
}
