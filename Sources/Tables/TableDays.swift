import CivilTime

/// Reads days in other forms than "2026-11-21".
enum TableDays {
  /// The order of day and month that the days of a table show which have dots, or have none.
  enum Order: Equatable {
    /// Every day fits both orders.
    case unknown
    /// With the day that shows it.
    case dayFirst(String)
    case monthFirst(String)
    /// Some days only fit one order, some the other; with one of each.
    case contradictory(dayFirst: String, monthFirst: String)

    /// Takes a day into account.
    mutating func take(_ text: String, _ day: Numbers) {
      guard (day.first > 12) != (day.second > 12) else { return }
      switch (self, day.first > 12) {
      case (.unknown, true): self = .dayFirst(text)
      case (.unknown, false): self = .monthFirst(text)
      case (.dayFirst(let other), false):
        self = .contradictory(dayFirst: other, monthFirst: text)
      case (.monthFirst(let other), true):
        self = .contradictory(dayFirst: text, monthFirst: other)
      default: break
      }
    }
  }

  /// The orders of all days of a table.
  struct Orders {
    /// Where dots are, the day usually comes first, whatever the others show.
    private(set) var withDots = Order.unknown
    private(set) var others = Order.unknown

    /// Takes the cell of a day into account; other texts are ignored.
    mutating func take(_ text: String) {
      guard let day = Numbers(text) else { return }
      if day.hasDots { withDots.take(text, day) } else { others.take(text, day) }
    }
  }

  /// A day whose year comes last: "21.11.2026", "21/11/2026", "11-21-2026".
  struct Numbers {
    /// The day or the month.
    let first: Int
    let second: Int
    let year: Int
    /// Whether the separators are dots. Then the day comes first, unless such days show otherwise.
    let hasDots: Bool

    /// Returns nil for any other text.
    init?(_ text: String) {
      guard let mark = text.first(where: TableDays.marks.contains),
        let parts = TableDays.parts(of: text, mark, digits: [1...2, 1...2, 4...4])
      else { return nil }
      (first, second, year, hasDots) = (parts[0], parts[1], parts[2], mark == ".")
    }

    /// Whether both orders give valid and different days.
    var isEither: Bool { first <= 12 && second <= 12 && first != second }

    /// Returns the date; nil for one that does not exist.
    func date(dayFirst: Bool) -> CivilDate? {
      dayFirst ? TableDays.date(year, second, first) : TableDays.date(year, first, second)
    }
  }

  /// Reads "2026/11/21" and "2026.11.21", where the month always comes second; else nil.
  static func yearFirst(_ text: String) -> CivilDate? {
    guard let mark = text.first(where: marks.contains),
      let parts = parts(of: text, mark, digits: [4...4, 1...2, 1...2])
    else { return nil }
    return date(parts[0], parts[1], parts[2])
  }

  private static let marks: [Character] = ["-", "/", "."]

  /// Returns nil for a date that does not exist.
  private static func date(_ year: Int, _ month: Int, _ day: Int) -> CivilDate? {
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return try? CivilDate(text: "\(year)-\(two(month))-\(two(day))")
  }

  /// Returns three numbers with the given numbers of digits; nil for any other text.
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
