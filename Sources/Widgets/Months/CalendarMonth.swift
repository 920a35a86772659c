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
