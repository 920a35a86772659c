package import CivilTime
internal import Recurrence

/// A compact index of the days on which a recurring series may have occurrences.
///
/// It avoids expanding series that have none in a span. It may include too many days but never too
/// few, whatever the agent's zone is.
package struct SeriesDays: Hashable, Sendable {
  private let days: RuleDays
  /// Seconds from midnight UTC of a day of the rule to the earliest start and the latest end.
  private let earliest: Int32
  private let latest: Int32
  /// Overrides, added dates and a start that the rule does not match.
  ///
  /// Seconds since 1970, inclusive; the last is before the first if there are none.
  private var firstOther = Int64.max
  private var lastOther = Int64.min

  /// Room for new zone data that moves a clock by less.
  private static let zoneMargin: Int64 = 7200
  /// How much earlier or later days and floating times are in some zone.
  private static let worldMargin: Int64 = 57_600
  /// Longer events would be in nearly every span.
  private static let longest: Int64 = 366 * 86_400

  /// Returns nil unless the series has exactly one rule, on some days only, and no THISANDFUTURE.
  ///
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
      // Most overrides are moved by an hour or two and stay within the days of the rule.
      if floats || !holds(span) { include(span, margin) }
    }
  }

  private mutating func include(_ span: TimeSpan, _ margin: Int64) {
    firstOther = min(firstOther, span.start.seconds - margin)
    lastOther = max(lastOther, span.end.seconds + margin)
  }

  /// Whether a span is within the time covered by a day of the rule.
  private func holds(_ span: TimeSpan) -> Bool {
    let first = SeriesDays.day(span.end.seconds - Int64(latest) + 86_399)
    let last = SeriesDays.day(span.start.seconds - Int64(earliest))
    return first <= last && (first...last).contains { days.contains(dayNumber: $0) }
  }

  /// Whether the series may have an occurrence in a span; false is certain.
  package func mayTouch(_ span: TimeSpan) -> Bool {
    if firstOther <= span.end.seconds, span.start.seconds <= lastOther { return true }
    let first = SeriesDays.day(span.start.seconds - Int64(latest) + 86_399)
    let last = SeriesDays.day(span.end.seconds - Int64(earliest))
    guard first <= last else { return false }
    // For more than a year, expanding the series is cheaper.
    guard last - first <= 400 else { return true }
    for day in first...last where days.contains(dayNumber: day) { return true }
    return false
  }

  /// The span of ``firstOther`` to ``lastOther``; nil if there are none.
  package var others: TimeSpan? {
    guard firstOther <= lastOther else { return nil }
    return TimeSpan(
      start: max(Timestamp(seconds: firstOther), .earliest),
      end: min(Timestamp(seconds: lastOther), TimeSpan.always.end))
  }

  /// The times in a week and in a month of all but ``others``.
  package var phases: SeriesPhases {
    let week = minutes(of: days.weekdayBounds, in: 7)
    // Occurrences that end on their day stay in that day's month, and so do the first 28 days.
    let month = minutes(of: days.monthDayBounds, in: latest <= 86_400 ? 31 : 28)
    return SeriesPhases(
      week: week ?? SeriesPhases.any.week, month: month ?? SeriesPhases.any.month)
  }

  /// Returns the minutes that some days cover in a cycle; nil if they leave it.
  private func minutes(of days: ClosedRange<Int>, in count: Int64) -> ClosedRange<Int64>? {
    let first = Int64(days.lowerBound) * 86_400 + Int64(earliest)
    let last = Int64(days.upperBound) * 86_400 + Int64(latest)
    guard first >= 0, last <= count * 86_400 else { return nil }
    return first / 60...last / 60
  }

  /// Returns the day of an instant, rounded down.
  private static func day(_ seconds: Int64) -> Int {
    Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
  }
}
