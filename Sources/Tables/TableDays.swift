import CivilTime

/// Days as spreadsheets write them besides "2026-11-21".
enum TableDays {
  /// What the days of a table show of the order of their day and month.
  enum Order: Equatable {
    /// Every one of them could be read in either.
    case unknown
    case dayFirst, monthFirst
    /// Both; with a day that is written in the other order.
    case contradictory(String)

    /// Takes the cell of a day; any other text says nothing.
    mutating func take(_ text: String) {
      guard let day = Numbers(text), (day.first > 12) != (day.second > 12) else { return }
      let order = day.first > 12 ? Order.dayFirst : .monthFirst
      switch self {
      case .unknown: self = order
      case .dayFirst, .monthFirst: if self != order { self = .contradictory(text) }
      case .contradictory: break
      }
    }
  }

  /// A day whose year comes last: "21.11.2026", "21/11/2026", "11-21-2026".
  struct Numbers {
    /// The day or the month.
    let first: Int
    let second: Int
    let year: Int
    /// Whether dots part them. Then the day comes first, unless the table shows another order:
    /// nobody writes the month first by habit.
    let hasDots: Bool

    /// nil for any other text.
    init?(_ text: String) {
      guard let mark = text.first(where: TableDays.marks.contains),
        let parts = TableDays.parts(of: text, mark, digits: [1...2, 1...2, 4...4])
      else { return nil }
      (first, second, year, hasDots) = (parts[0], parts[1], parts[2], mark == ".")
    }

    /// Whether both readings are days, and not the same.
    var isEither: Bool { first <= 12 && second <= 12 && first != second }

    /// nil for a day that there is not.
    func date(dayFirst: Bool) -> CivilDate? {
      dayFirst ? TableDays.date(year, second, first) : TableDays.date(year, first, second)
    }
  }

  /// Reads "2026/11/21" and "2026.11.21": after the year the month is always first. nil for any
  /// other text.
  static func yearFirst(_ text: String) -> CivilDate? {
    guard let mark = text.first(where: marks.contains),
      let parts = parts(of: text, mark, digits: [4...4, 1...2, 1...2])
    else { return nil }
    return date(parts[0], parts[1], parts[2])
  }

  private static let marks: [Character] = ["-", "/", "."]

  /// Returns nil for a day that there is not.
  private static func date(_ year: Int, _ month: Int, _ day: Int) -> CivilDate? {
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return try? CivilDate(text: "\(year)-\(two(month))-\(two(day))")
  }

  /// Returns three numbers of so many digits each; nil for any other text.
  private static func parts(
    of text: String, _ mark: Character, digits: [ClosedRange<Int>]
  ) -> [Int]? {
    let parts = text.split(separator: mark, omittingEmptySubsequences: false)
    guard parts.count == digits.count,
      zip(parts, digits).allSatisfy({ $1.contains($0.utf8.count) }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    return parts.compactMap { Int($0) }
  }
}
