package import CivilTime
import Recurrence

/// When in a week and in a month a series has occurrences: an index for finding those of a day.
///
/// It may include too much but never too little, whatever the agent's zone is.
package struct SeriesPhases: Hashable, Sendable {
  /// Minutes since Monday 0:00 UTC.
  package let week: ClosedRange<Int64>
  /// Minutes since the beginning of the month, UTC.
  package let month: ClosedRange<Int64>

  /// All the time.
  package static let any = SeriesPhases(week: 0...10_080, month: 0...44_640)

  package init(week: ClosedRange<Int64>, month: ClosedRange<Int64>) {
    self.week = week
    self.month = month
  }

  /// Returns the phases that a span covers: several if it crosses the end of a week or month.
  ///
  /// A series with an occurrence in the span overlaps one of them.
  package static func of(_ span: TimeSpan) -> [SeriesPhases] {
    let (first, last) = (span.start.seconds, max(span.end.seconds, span.start.seconds))
    return weeks(first, last).flatMap { week in
      months(first, last).map { SeriesPhases(week: week, month: $0) }
    }
  }

  private static func weeks(_ first: Int64, _ last: Int64) -> [ClosedRange<Int64>] {
    let week: Int64 = 7 * 86_400
    guard last - first < week else { return [any.week] }
    // 1 January 1970 was a Thursday.
    let start = floorMod(first + 3 * 86_400, week)
    let end = start + last - first
    if end <= week { return [start / 60...end / 60] }
    return [start / 60...any.week.upperBound, 0...(end - week) / 60]
  }

  private static func months(_ first: Int64, _ last: Int64) -> [ClosedRange<Int64>] {
    guard last - first < 28 * 86_400, let (month, start) = place(first),
      let (lastMonth, end) = place(last)
    else { return [any.month] }
    return month == lastMonth ? [start...end] : [start...any.month.upperBound, 0...end]
  }

  /// Returns the number of an instant's month and the minute in it; nil outside years 1 to 9999.
  private static func place(_ seconds: Int64) -> (month: Int, minute: Int64)? {
    guard let reading = Timestamp(seconds: seconds).reading(offset: .utc) else { return nil }
    let (year, month, day) = reading.date.parts
    return (year * 12 + month, Int64(day - 1) * 1440 + Int64(reading.time.secondOfDay) / 60)
  }
}
