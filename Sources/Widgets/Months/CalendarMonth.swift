package import CivilTime

/// A month of a year, such as November 2026.
package struct CalendarMonth: Hashable, Sendable {
  /// The number of months since January of the year 1; 0 to 119,987.
  package let index: Int

  /// The months of the years 1 to 9999.
  package static let allIndexes = 0..<(9999 * 12)

  /// Makes the month with an index; nil outside the years 1 to 9999.
  package init?(index: Int) {
    guard CalendarMonth.allIndexes.contains(index) else { return nil }
    self.index = index
  }

  /// Makes a month; nil for one that does not exist in the years 1 to 9999.
  package init?(year: Int, month: Int) {
    guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
    index = (year - 1) * 12 + month - 1
  }

  /// The month of a day.
  package init(_ date: CivilDate) {
    let (year, month, _) = date.parts
    index = (year - 1) * 12 + month - 1
  }

  /// Reads "2026-11"; nil for anything else.
  package init?(text: some StringProtocol) {
    // CivilDate checks the year and the month.
    guard text.utf8.count == 7, let day = try? CivilDate(text: text + "-01") else { return nil }
    self.init(day)
  }

  /// 1 to 9999.
  package var year: Int { index / 12 + 1 }
  /// 1 to 12.
  package var month: Int { index % 12 + 1 }
  /// 28 to 31 days.
  package var length: Int { CivilDate.length(ofMonth: month, year: year) }

  /// Its first day.
  package var firstDay: CivilDate {
    CivilDate(year: year, month: month, day: 1) ?? .earliest
  }

  /// Returns the month that many months later; nil outside the years 1 to 9999.
  package func adding(months: Int) -> CalendarMonth? {
    let (sum, overflow) = index.addingReportingOverflow(months)
    return overflow ? nil : CalendarMonth(index: sum)
  }
}

extension CalendarMonth: Comparable {
  package static func < (left: CalendarMonth, right: CalendarMonth) -> Bool {
    left.index < right.index
  }
}

extension CalendarMonth: CustomStringConvertible {
  /// "2026-11".
  package var description: String { String(firstDay.description.prefix(7)) }
}

/// The months of some years as a list of pages, with an index from 0 for the first January.
package struct MonthRange: Hashable, Sendable {
  package let years: ClosedRange<Int>

  /// Makes a range; limits the years to 1 to 9999.
  package init(years: ClosedRange<Int> = 1...9999) {
    let last = min(max(years.upperBound, 1), 9999)
    self.years = min(max(years.lowerBound, 1), last)...last
  }

  /// How many months there are.
  package var count: Int { years.count * 12 }

  private var shift: Int { (years.lowerBound - 1) * 12 }

  /// Returns the month of an index; nil outside the range.
  package func month(at index: Int) -> CalendarMonth? {
    (0..<count).contains(index) ? CalendarMonth(index: index + shift) : nil
  }

  /// Returns the index of a month; nil outside the range.
  package func index(of month: CalendarMonth) -> Int? {
    years.contains(month.year) ? month.index - shift : nil
  }

  /// Returns the index of the month of a day, or of the nearest month in the range.
  package func index(nearest date: CivilDate) -> Int {
    min(max(CalendarMonth(date).index - shift, 0), count - 1)
  }

  /// Returns the index of the month before; nil for the first.
  package func index(before index: Int) -> Int? { month(at: index - 1).map { _ in index - 1 } }

  /// Returns the index of the month after; nil for the last.
  package func index(after index: Int) -> Int? { month(at: index + 1).map { _ in index + 1 } }
}
