package import CalendarModel

/// Whether a screen is light or dark.
package enum ColorScheme: String, CaseIterable, Hashable, Sendable {
  case light, dark
}

/// The colors of a calendar, besides those of its events.
///
/// Both colors of text have a contrast of at least 4.5 on both backgrounds (Web Content
/// Accessibility Guidelines 2.2, section 1.4.3).
package struct Theme: Hashable, Sendable {
  package let scheme: ColorScheme
  /// The background of the page.
  package let background: EventColor
  /// The background of a weekend, or of a day of another month.
  package let surface: EventColor
  /// Lines between days.
  package let line: EventColor
  /// Text.
  package let text: EventColor
  /// Less important text: week numbers, the days of other months.
  package let muted: EventColor
  /// The highlight color, for today.
  package let accent: EventColor

  package static let light = Theme(
    scheme: .light, background: .white, surface: EventColor(red: 0xf4, green: 0xf5, blue: 0xf7),
    line: EventColor(red: 0xd9, green: 0xdc, blue: 0xe1),
    text: EventColor(red: 0x1b, green: 0x1f, blue: 0x27),
    muted: EventColor(red: 0x62, green: 0x69, blue: 0x75),
    accent: EventColor(red: 0x1d, green: 0x5f, blue: 0xd1))

  package static let dark = Theme(
    scheme: .dark, background: EventColor(red: 0x16, green: 0x18, blue: 0x1d),
    surface: EventColor(red: 0x1e, green: 0x21, blue: 0x28),
    line: EventColor(red: 0x34, green: 0x39, blue: 0x43),
    text: EventColor(red: 0xec, green: 0xee, blue: 0xf2),
    muted: EventColor(red: 0x9a, green: 0xa2, blue: 0xb1),
    accent: EventColor(red: 0x7a, green: 0xa9, blue: 0xf7))

  /// Returns the colors of a scheme.
  package static func of(_ scheme: ColorScheme) -> Theme { scheme == .dark ? dark : light }
}
