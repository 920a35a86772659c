package import CalendarModel
package import CivilTime

/// The time in which reminders show no notification: until a chosen instant, and in weekly hours.
///
///     weekly hours        ████████             ████████
///     until an instant ███████
///     quiet            ███████████             ████████
///
/// It reads no clock; instants and the zone of the weekly hours are arguments.
package struct QuietTime: Hashable, Sendable {
  /// The weekly quiet hours; empty if there are none.
  package let hours: WeeklyHours
  /// Quiet before this instant, whatever the hours.
  ///
  /// nil: not requested; ``CivilTime/Timestamp/latest``: without end.
  package private(set) var until: Timestamp?
  /// When the current quiet time until ``until`` was first requested; nil if unknown or none was.
  package private(set) var since: Timestamp?
  /// The weekly hours do not apply before this instant, because somebody ended them early.
  ///
  /// nil: they apply.
  package private(set) var liftedUntil: Timestamp?

  package init(
    hours: WeeklyHours = WeeklyHours([]), until: Timestamp? = nil, since: Timestamp? = nil,
    liftedUntil: Timestamp? = nil
  ) {
    self.hours = hours
    self.until = until
    self.since = since
    // An earlier version stored `latest` for hours that fill the week; treat it as not lifted.
    self.liftedUntil = liftedUntil.flatMap { $0 < .latest ? $0 : nil }
  }

  /// Hours that last longer than this, a week and a day, fill the whole week and never end.
  private static let horizonSeconds: Int64 = 8 * 86_400

  /// Returns when the quiet time at an instant ends, across parts that follow without a gap.
  ///
  /// - Returns: nil if it is not quiet; ``CivilTime/Timestamp/latest`` if there is no end.
  package func end(at now: Timestamp, zone: ZoneRules) -> Timestamp? {
    var end = now
    // `until` and the weekly hours may each extend the other once.
    for _ in 0..<2 {
      if let until, until > end { end = until }
      if let weekly = weeklyEnd(at: end, zone: zone) { end = weekly }
    }
    return end > now ? end : nil
  }

  /// Returns whether it was quiet at a past instant.
  ///
  /// Quiet time set by hand counts only after the second of ``since``: what was due in that second
  /// was delivered. For the present use ``end(at:zone:)``, also after the clock was set back.
  package func wasQuiet(at instant: Timestamp, zone: ZoneRules) -> Bool {
    if let until, until > instant, since.map({ $0 < instant }) ?? true { return true }
    return weeklyEnd(at: instant, zone: zone) != nil
  }

  /// Returns the next instant after `now` at which quiet time begins or ends; nil if there is none.
  package func nextChange(after now: Timestamp, zone: ZoneRules) -> Timestamp? {
    if let end = end(at: now, zone: zone) { return end < .latest ? end : nil }
    return weeklySpans(after: now, zone: zone).first?.start
  }

  /// Answers whether it is quiet at a series of ascending instants.
  ///
  /// It evaluates the weekly hours only when they change.
  package struct Walk {
    private let time: QuietTime
    private let zone: ZoneRules
    private var isQuiet = false
    /// The answer holds from the last instant up to this one.
    private var changes = Timestamp.earliest

    package init(_ time: QuietTime, zone: ZoneRules) {
      self.time = time
      self.zone = zone
    }

    package mutating func isQuiet(at instant: Timestamp) -> Bool {
      guard instant >= changes else { return isQuiet }
      isQuiet = time.end(at: instant, zone: zone) != nil
      // Hours may begin again beyond the horizon.
      let horizon = instant.adding(seconds: QuietTime.horizonSeconds / 2)
      changes = min(time.nextChange(after: instant, zone: zone) ?? horizon, horizon)
      return isQuiet
    }
  }

  /// Makes it quiet until an instant, which replaces any earlier request.
  ///
  /// Weekly hours that were ended by hand stay ended: otherwise they would extend this request.
  package mutating func begin(until instant: Timestamp, at now: Timestamp) {
    // A request that is still running keeps its beginning.
    if until.map({ $0 <= now }) ?? true { since = now }
    until = instant
  }

  /// Ends the quiet time at an instant.
  ///
  /// Weekly hours apply again from their next beginning. Hours that fill the whole week have none,
  /// and apply again from the next midnight.
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

  /// Returns the weekly hours of the coming days, cut off at `now`.
  private func weeklySpans(after now: Timestamp, zone: ZoneRules) -> [TimeSpan] {
    if hours.parts.isEmpty { return [] }
    let start = max(now, liftedUntil ?? now)
    let end = start.adding(seconds: QuietTime.horizonSeconds)
    return end > start ? hours.spans(in: TimeSpan(start: start, end: end), zone: zone) : []
  }
}
