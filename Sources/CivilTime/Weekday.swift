/// Monday to Sunday, numbered 1 to 7 as in ISO 8601.
package enum Weekday: Int, CaseIterable, Hashable, Sendable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday

  /// The two letters of RFC 5545: "MO" to "SU".
  package var code: String {
    switch self {
    case .monday: "MO"
    case .tuesday: "TU"
    case .wednesday: "WE"
    case .thursday: "TH"
    case .friday: "FR"
    case .saturday: "SA"
    case .sunday: "SU"
    }
  }

  /// Reads "MO" to "SU" in either case; nil for anything else.
  package init?(code: some StringProtocol) {
    guard let match = Weekday.allCases.first(where: { $0.code == code.uppercased() }) else {
      return nil
    }
    self = match
  }

  /// Returns the number of days from `start` to this weekday, 0 to 6.
  @inlinable
  package func days(since start: Weekday) -> Int {
    (rawValue - start.rawValue + 7) % 7
  }
}
