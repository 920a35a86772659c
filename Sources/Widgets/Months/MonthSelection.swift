package import CivilTime

/// A range of days picked on a grid.
///
/// The first pick selects a day, the second a range, in either order; the third starts again.
package struct MonthSelection: Hashable, Sendable {
  /// The first pick; nil if there is none.
  private var first: CivilDate?
  /// The second pick; nil if there is none.
  private var second: CivilDate?

  package init() {}

  /// The selection after two picks.
  package init(_ one: CivilDate, _ two: CivilDate) {
    first = one
    second = two
  }

  /// Picks a day.
  package mutating func pick(_ date: CivilDate) {
    if first == nil || second != nil {
      (first, second) = (date, nil)
    } else {
      second = date
    }
  }

  /// The selected days: only one after the first pick; nil before it.
  package var days: ClosedRange<CivilDate>? {
    guard let first else { return nil }
    let other = second ?? first
    return min(first, other)...max(first, other)
  }

  /// The part of a selection in one row of a page, drawn as one shape.
  package struct Segment: Hashable, Sendable {
    /// Which part of the selection a row has.
    package enum Part: String, CaseIterable, Hashable, Sendable {
      /// The whole selection, one day.
      case single
      /// The whole selection, several days.
      case whole
      /// Its beginning, middle or end.
      case start, middle, end
    }

    /// The row of the page, from 0.
    package let row: Int
    /// The first and the last selected day of the row.
    package let days: ClosedRange<CivilDate>
    package let part: Part
    /// Whether the days are in two months.
    package let isAcrossMonths: Bool
  }

  /// Returns the parts of the selection in the rows of a page, from the top.
  ///
  /// Empty if it is not on the page.
  package func segments(on page: MonthPage) -> [Segment] {
    guard let days else { return [] }
    let first = max(days.lowerBound.days(since: page.first), 0)
    let last = min(days.upperBound.days(since: page.first), page.count - 1)
    guard first <= last else { return [] }
    return (first / 7...last / 7).compactMap { row in
      let from = page.first.adding(days: max(first, row * 7))
      let to = page.first.adding(days: min(last, row * 7 + 6))
      guard let from, let to else { return nil }
      let part: Segment.Part =
        switch (from == days.lowerBound, to == days.upperBound) {
        case (true, true): from == to ? .single : .whole
        case (true, false): .start
        case (false, false): .middle
        case (false, true): .end
        }
      return Segment(
        row: row, days: from...to, part: part,
        isAcrossMonths: CalendarMonth(from) != CalendarMonth(to))
    }
  }
}
