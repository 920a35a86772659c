package import CivilTime

/// Hours that recur every week on the clock of a zone, such as working hours.
package struct WeeklyHours: Hashable, Sendable {
  /// The same hours on some days of the week.
  package struct Part: Hashable, Sendable {
    package let days: Set<Weekday>
    package let start: TimeOfDay
    /// At or before ``start``, it is on the next day.
    package let end: TimeOfDay

    package init(days: Set<Weekday>, start: TimeOfDay, end: TimeOfDay) {
      self.days = days
      self.start = start
      self.end = end
    }
  }

  package let parts: [Part]

  package init(_ parts: [Part]) {
    self.parts = parts
  }

  /// Returns these hours within a span, ascending and disjoint.
  package func spans(in extent: TimeSpan, zone: ZoneRules) -> [TimeSpan] {
    var times: [TimeSpan] = []
    // Hours that begin the evening before may reach into the span.
    var date = zone.reading(at: extent.start).date.adding(days: -1)
    while let day = date, zone.startOfDay(day) < extent.end {
      times += hours(of: day, zone: zone)
      date = day.adding(days: 1)
    }
    return BusyTimes(times, in: extent).spans
  }

  /// Whether part of a span is within these hours; an empty span counts as one second.
  ///
  /// Only the first 15 days of a long span are searched. Weekly hours occur in them even if a clock
  /// change skips them once.
  package func touches(_ span: TimeSpan, zone: ZoneRules) -> Bool {
    let end = min(
      max(span.end, span.start.adding(seconds: 1)), span.start.adding(seconds: 15 * 86_400))
    var date = zone.reading(at: span.start).date.adding(days: -1)
    while let day = date, zone.startOfDay(day) < end {
      let touched = hours(of: day, zone: zone).contains { $0.start < end && span.start < $0.end }
      if touched { return true }
      date = day.adding(days: 1)
    }
    return false
  }

  /// Returns the hours that begin on a day, unordered; a clock change can skip some.
  private func hours(of day: CivilDate, zone: ZoneRules) -> [TimeSpan] {
    var times: [TimeSpan] = []
    for part in parts where part.days.contains(day.weekday) {
      let last = part.end > part.start ? day : day.adding(days: 1) ?? day
      let start = zone.instant(of: CivilDateTime(day, part.start))
      let end = zone.instant(of: CivilDateTime(last, part.end))
      if start < end { times.append(TimeSpan(start: start, end: end)) }
    }
    return times
  }
}
