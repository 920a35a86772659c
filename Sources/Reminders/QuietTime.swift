package import CalendarModel
package import CivilTime

/// The time in which reminders show no notification: until an instant that somebody
/// chose, and in hours that return each week.
///
///     weekly hours        ████████             ████████
///     until an instant ███████
///     quiet            ███████████             ████████
///
/// It reads no clock; instants and the zone of the weekly hours are arguments.
package struct QuietTime: Hashable, Sendable {
  /// The hours of each week; none of them where there are no parts.
  package let hours: WeeklyHours
  /// Quiet before this instant, whatever the hours; nil: not asked for;
  /// ``CivilTime/Timestamp/latest``: without end.
  package private(set) var until: Timestamp?
  /// When the quiet time before ``until`` was asked for, which may have been carried on since; nil: it is not known, or
  /// none was.
  package private(set) var since: Timestamp?
  /// The weekly hours do not hold before this instant: somebody has ended them for
  /// once. nil: they do.
  package private(set) var liftedUntil: Timestamp?

  package init(
    hours: WeeklyHours = WeeklyHours([]), until: Timestamp? = nil, since: Timestamp? = nil,
    liftedUntil: Timestamp? = nil
  ) {
    self.hours = hours
    self.until = until
    self.since = since
    // Nobody asks for that; a program of before wrote it for hours that fill the week.
    self.liftedUntil = liftedUntil.flatMap { $0 < .latest ? $0 : nil }
  }

  /// Weekly hours that fill a week and a day never end.
  private static let horizonSeconds: Int64 = 8 * 86_400

  /// Returns when the quiet time ends that an instant lies in, through whatever
  /// follows without a gap; nil where it is not quiet;
  /// ``CivilTime/Timestamp/latest`` where there is no end.
  package func end(at now: Timestamp, zone: ZoneRules) -> Timestamp? {
    var end = now
    // The moment and the hours may carry each other on, each once.
    for _ in 0..<2 {
      if let until, until > end { end = until }
      if let weekly = weeklyEnd(at: end, zone: zone) { end = weekly }
    }
    return end > now ? end : nil
  }

  /// Whether it was quiet at an instant that has passed: by hand after ``since`` alone, in whose second what was due then
  /// has rung. Now it is quiet as ``end(at:zone:)`` has it, also where the clock was set back.
  package func wasQuiet(at instant: Timestamp, zone: ZoneRules) -> Bool {
    if let until, until > instant, since.map({ $0 < instant }) ?? true { return true }
    return weeklyEnd(at: instant, zone: zone) != nil
  }

  /// Returns the next instant after `now` at which it becomes quiet, or ends to be;
  /// nil if there is none.
  package func nextChange(after now: Timestamp, zone: ZoneRules) -> Timestamp? {
    if let end = end(at: now, zone: zone) { return end < .latest ? end : nil }
    return weeklySpans(after: now, zone: zone).first?.start
  }

  /// Answers whether it is quiet at instants that ascend, and looks at the weekly hours no
  /// more often than those change.
  package struct Walk {
    private let time: QuietTime
    private let zone: ZoneRules
    private var isQuiet = false
    /// The answer holds from the last instant on, before this one.
    private var changes = Timestamp.earliest

    package init(_ time: QuietTime, zone: ZoneRules) {
      self.time = time
      self.zone = zone
    }

    package mutating func isQuiet(at instant: Timestamp) -> Bool {
      guard instant >= changes else { return isQuiet }
      isQuiet = time.end(at: instant, zone: zone) != nil
      // Hours may begin again after those that can be seen from here.
      let horizon = instant.adding(seconds: QuietTime.horizonSeconds / 2)
      changes = min(time.nextChange(after: instant, zone: zone) ?? horizon, horizon)
      return isQuiet
    }
  }

  /// Is quiet until an instant, in place of what was asked for before. Weekly hours that
  /// were ended by hand stay ended: otherwise they would carry on what is asked for now.
  package mutating func begin(until instant: Timestamp, at now: Timestamp) {
    // That of before goes on.
    if until.map({ $0 <= now }) ?? true { since = now }
    until = instant
  }

  /// Ends the quiet time that an instant lies in. Weekly hours hold again from their
  /// next beginning on; those that fill the whole week have none, and hold again from the
  /// next midnight on.
  package mutating func end(at now: Timestamp, in zone: ZoneRules) {
    (until, since) = (nil, nil)
    guard let end = weeklyEnd(at: now, zone: zone) else { return }
    if end < .latest { return liftedUntil = end }
    let tomorrow = zone.reading(at: now).date.adding(days: 1)
    liftedUntil = tomorrow.map(zone.startOfDay) ?? .latest
  }

  private func weeklyEnd(at now: Timestamp, zone: ZoneRules) -> Timestamp? {
    guard now < .latest, let span = weeklySpans(after: now, zone: zone).first, span.start <= now
    else { return nil }
    return span.end.seconds - now.seconds >= QuietTime.horizonSeconds ? .latest : span.end
  }

  /// The weekly hours of the days ahead, cut off at `now`.
  private func weeklySpans(after now: Timestamp, zone: ZoneRules) -> [TimeSpan] {
    if hours.parts.isEmpty { return [] }
    let start = max(now, liftedUntil ?? now)
    let end = start.adding(seconds: QuietTime.horizonSeconds)
    return end > start ? hours.spans(in: TimeSpan(start: start, end: end), zone: zone) : []
  }
}
