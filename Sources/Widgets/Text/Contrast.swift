package import CalendarModel

/// The contrast of colors, and the color of text that is readable on them.
///
/// Source: Web Content Accessibility Guidelines 2.2, "relative luminance" and
/// "contrast ratio".
extension EventColor {
  package static let black = EventColor(red: 0, green: 0, blue: 0)
  package static let white = EventColor(red: 255, green: 255, blue: 255)

  /// How bright it appears: 0 for black, 1 for white.
  package var relativeLuminance: Double {
    0.2126 * EventColor.linear[Int(red)] + 0.7152 * EventColor.linear[Int(green)]
      + 0.0722 * EventColor.linear[Int(blue)]
  }

  /// Returns the contrast ratio of two colors, from 1 to 21; text needs 4.5.
  package func contrast(with other: EventColor) -> Double {
    let (one, two) = (relativeLuminance, other.relativeLuminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// The color of text on this one: black or white, whichever has more contrast.
  ///
  /// That is at least 4.58 on every color.
  package var readableText: EventColor {
    contrast(with: .black) >= contrast(with: .white) ? .black : .white
  }

  /// The colors of a bar of this color and of its text, with a contrast of at least 4.5.
  ///
  /// White text on a saturated color, which is darkened a little where that is too light; a dark
  /// tint of the color on lighter ones.
  package var bar: (ground: EventColor, text: EventColor) {
    if contrast(with: .white) >= 3 {
      for share in [0, 0.05, 0.1, 0.15, 0.2] {
        let ground = mixed(with: .black, share: share)
        if ground.contrast(with: .white) >= 4.5 { return (ground, .white) }
      }
    }
    for share in [0.7, 0.75, 0.8, 0.85, 0.9] {
      let tint = mixed(with: .black, share: share)
      if contrast(with: tint) >= 4.5 { return (self, tint) }
    }
    return (self, readableText)
  }

  /// The linear light of each value of a channel.
  private static let linear: [Double] = (0...255).map { value in
    let share = Double(value) / 255
    // WCAG has 0.03928, sRGB 0.04045; no 8-bit value is between them.
    if share <= 0.04045 { return share / 12.92 }
    let base = (share + 0.055) / 1.055
    // base^2.4
    return base * base * fifthRoot(base * base)
  }

  /// Newton's method, since the standard library has no powers; for 0 to 1.
  private static func fifthRoot(_ value: Double) -> Double {
    guard value > 0 else { return 0 }
    var root = 1.0
    for _ in 0..<40 {
      let fourth = root * root * root * root
      root = (4 * root + value / fourth) / 5
    }
    return root
  }
}
