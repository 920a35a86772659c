package import CivilTime

/// The context of a phrase: the present instant, and the zone of "today" and "14:00".
package struct PhraseContext {
  package let now: Timestamp
  package let zone: ZoneRules

  package init(now: Timestamp, zone: ZoneRules) {
    self.now = now
    self.zone = zone
  }

  var today: CivilDate { zone.reading(at: now).date }
}

/// A point in time, with the precision of its phrase.
package enum Moment: Hashable, Sendable {
  /// A day: "tomorrow", "2026-11-21", "+3d".
  case date(CivilDate)
  /// A reading of the clock on the wall: "tomorrow 14:00".
  case local(CivilDateTime)
  /// An instant: "now", "in 2h", "2026-11-21T14:00:00Z", "@1795262400".
  case instant(Timestamp)
}

extension Moment {
  /// Returns the instant: the first one of a day; see ``ZoneRules/instant(of:)`` for a local time.
  package func instant(in zone: ZoneRules) -> Timestamp {
    switch self {
    case .date(let date): zone.startOfDay(date)
    case .local(let reading): zone.instant(of: reading)
    case .instant(let instant): instant
    }
  }

  /// Returns the day; that of an instant in `zone`.
  package func day(in zone: ZoneRules) -> CivilDate {
    switch self {
    case .date(let date): date
    case .local(let reading): reading.date
    case .instant(let instant): zone.reading(at: instant).date
    }
  }

  /// Returns the instant after a duration; nil outside the years 1 to 9999.
  ///
  /// Days keep the wall-clock time, so a day after a day is the next day.
  package func adding(_ length: CalendarDuration, in zone: ZoneRules) -> Timestamp? {
    var start = instant(in: zone)
    if length.days != 0 {
      let reading: CivilDateTime
      switch self {
      case .date(let date): reading = CivilDateTime(date, .midnight)
      case .local(let local): reading = local
      case .instant(let instant): reading = zone.reading(at: instant)
      }
      guard let moved = reading.adding(seconds: Int64(length.days) * 86_400) else { return nil }
      start = zone.instant(of: moved)
    }
    let end = start.adding(seconds: length.seconds)
    return end >= .earliest && end <= .latest ? end : nil
  }
}
