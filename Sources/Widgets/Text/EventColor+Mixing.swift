package import CalendarModel

extension EventColor {
  /// Returns this color mixed with a share, 0 to 1, of another.
  package func mixed(with other: EventColor, share: Double) -> EventColor {
    func part(_ one: UInt8, _ two: UInt8) -> UInt8 {
      UInt8(min(255, max(0, (Double(one) * (1 - share) + Double(two) * share).rounded())))
    }
    return EventColor(
      red: part(red, other.red), green: part(green, other.green), blue: part(blue, other.blue))
  }
}
