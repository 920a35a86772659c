package import CivilTime
internal import Recurrence

/// A few octets that say, without expanding a recurring series, where it has no occurrences: of all the series
/// whose first and last occurrence lie around a span, only those are read that may have one in it.
///
/// It leaves spans rather too many than too few, whatever the agent's zone is.
package struct SeriesDays: Hashable, Sendable {
  private let days: RuleDays
  /// From the midnight, in UTC, of a day of the rule to the earliest beginning of what it has on that
  /// day, and to the latest end, in seconds.
  private let earliest: Int32
  private let latest: Int32
  /// What lies elsewhere: overrides, added dates, and a start that the rule does not match. Seconds
  /// since 1970, both included; the end before the start where there is none.
  private var firstOther = Int64.max
  private var lastOther = Int64.min

  /// As an index does with the span of a series: new zone data that move a clock by less change nothing.
  private static let zoneMargin: Int64 = 7200
  /// Days and floating times lie this much earlier and later in some zone of the world.
  private static let worldMargin: Int64 = 57_600
  /// What is longer is in nearly every span.
  private static let longest: Int64 = 366 * 86_400

  /// - Returns: nil for a series of which nothing is known: it does not recur by one rule, the rule can fall on
  ///   any day, or an override changes all that follow.
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package init?(_ series: EventSeries, zones: any Zones) throws(CivilTimeError) {
    guard let event = series.master, event.anchor != .none, event.recurrence.rules.count == 1,
      !series.overrides.contains(where: \.appliesToFuture),
      let days = RuleDays(
        event.recurrence.rules[0], start: event.start.reading, isAllDay: event.start.isDate)
    else { return nil }
    let context = ZoneContext(zones: zones, local: .utc)
    let master = try Placement(event, context: context)
    let length: Int64 =
      switch master.length {
      case .days(let days): Int64(days) * 86_400
      case .exact(let seconds): seconds
      case .nominal(let duration): duration.approximateSeconds
      }
    guard length <= SeriesDays.longest else { return nil }
    let floats = series.floats
    let offsets =
      floats
      ? -SeriesDays.worldMargin...SeriesDays.worldMargin : master.zone.offsetBounds
    let times = event.recurrence.rules[0].timesOfDay(start: event.start.reading.time)
    self.days = days
    earliest = Int32(times.lowerBound - offsets.upperBound - SeriesDays.zoneMargin)
    latest = Int32(times.upperBound + length - offsets.lowerBound + SeriesDays.zoneMargin)
    let margin = SeriesDays.zoneMargin + (floats ? SeriesDays.worldMargin : 0)
    if !days.contains(dayNumber: Int(event.start.reading.date.dayNumber)) {
      include(master.span(at: event.start.reading), margin)
    }
    for added in event.recurrence.added {
      let own =
        added.end == .none
        ? nil : try Placement.length(of: added.end, from: added.start, context: context)
      let instant = try master.setInstant(of: added.start, context: context)
      include(
        master.span(at: master.reading(ofSetInstant: instant), own: own, instant: instant), margin)
    }
    for override in series.overrides {
      let placement = try Placement(override, context: context)
      let span = placement.span(at: override.start.reading)
      // Most are moved by an hour or two.
      if floats || !holds(span) { include(span, margin) }
    }
  }

  private mutating func include(_ span: TimeSpan, _ margin: Int64) {
    firstOther = min(firstOther, span.start.seconds - margin)
    lastOther = max(lastOther, span.end.seconds + margin)
  }

  /// Whether a span lies in what a day of the rule takes up.
  private func holds(_ span: TimeSpan) -> Bool {
    let first = SeriesDays.day(span.end.seconds - Int64(latest) + 86_399)
    let last = SeriesDays.day(span.start.seconds - Int64(earliest))
    return first <= last && (first...last).contains { days.contains(dayNumber: $0) }
  }

  /// Returns whether the series may have an occurrence that has an instant in common with a span; where this says
  /// no, it has none.
  package func mayTouch(_ span: TimeSpan) -> Bool {
    if firstOther <= span.end.seconds, span.start.seconds <= lastOther { return true }
    let first = SeriesDays.day(span.start.seconds - Int64(latest) + 86_399)
    let last = SeriesDays.day(span.end.seconds - Int64(earliest))
    guard first <= last else { return false }
    // A look at the days of more than a year would cost more than the series.
    guard last - first <= 400 else { return true }
    for day in first...last where days.contains(dayNumber: day) { return true }
    return false
  }

  /// What lies elsewhere than its rule says: overrides, added dates, and a start that the rule does not match; nil where
  /// there is nothing.
  package var others: TimeSpan? {
    guard firstOther <= lastOther else { return nil }
    return TimeSpan(
      start: max(Timestamp(seconds: firstOther), .earliest),
      end: min(Timestamp(seconds: lastOther), TimeSpan.always.end))
  }

  /// When in a week and in a month it has something, but for ``others``.
  package var phases: SeriesPhases {
    let week = minutes(of: days.weekdayBounds, in: 7)
    // What ends with its day is in the month of that day, and so are the first 28 days of each.
    let month = minutes(of: days.monthDayBounds, in: latest <= 86_400 ? 31 : 28)
    return SeriesPhases(
      week: week ?? SeriesPhases.any.week, month: month ?? SeriesPhases.any.month)
  }

  /// The minutes that some days take up, counted from 0, of a cycle of so many; nil where they reach out of it.
  private func minutes(of days: ClosedRange<Int>, in count: Int64) -> ClosedRange<Int64>? {
    let first = Int64(days.lowerBound) * 86_400 + Int64(earliest)
    let last = Int64(days.upperBound) * 86_400 + Int64(latest)
    guard first >= 0, last <= count * 86_400 else { return nil }
    return first / 60...last / 60
  }

  /// Rounds down.
  private static func day(_ seconds: Int64) -> Int {
    Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
  }
}
