import CivilTime

/// Days as spreadsheets write them besides "2026-11-21".
enum TableDays {
  /// What the days with slashes of a table show of their order.
  enum Slashes: Equatable {
    /// Every one of them could be read in either.
    case unknown
    case dayFirst, monthFirst
    /// Both; with a day that is written in the other order.
    case contradictory(String)

    /// Takes the cell of a day; any other text says nothing.
    mutating func take(_ text: String) {
      guard let (first, second, _) = TableDays.slashed(text), (first > 12) != (second > 12) else {
        return
      }
      let order = first > 12 ? Slashes.dayFirst : .monthFirst
      switch self {
      case .unknown: self = order
      case .dayFirst, .monthFirst: if self != order { self = .contradictory(text) }
      case .contradictory: break
      }
    }
  }

  /// Reads "21.11.2026": where dots part it, the day is always first. nil for any other text.
  static func dotted(_ text: String) -> CivilDate? {
    numbers(text, ".").flatMap { date($0.year, $0.second, $0.first) }
  }

  /// Reads the numbers of "21/11/2026" in their order; nil for any other text.
  static func slashed(_ text: String) -> (first: Int, second: Int, year: Int)? {
    numbers(text, "/")
  }

  /// Returns nil for a day that there is not.
  static func date(_ year: Int, _ month: Int, _ day: Int) -> CivilDate? {
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return try? CivilDate(text: "\(year)-\(two(month))-\(two(day))")
  }

  private static func numbers(
    _ text: String, _ mark: Character
  ) -> (first: Int, second: Int, year: Int)? {
    let parts = text.split(separator: mark, omittingEmptySubsequences: false)
    guard parts.count == 3, (1...2).contains(parts[0].utf8.count),
      (1...2).contains(parts[1].utf8.count), parts[2].utf8.count == 4,
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let first = Int(parts[0]), let second = Int(parts[1]), let year = Int(parts[2])
    else { return nil }
    return (first, second, year)
  }
}
