package import CivilTime

/// The zones that turn readings into instants: the installed ones and the agent's own.
package struct ZoneContext {
  package let zones: any Zones
  /// The agent's zone, for floating and all-day events.
  package let local: ZoneRules

  package init(zones: any Zones, local: ZoneRules) {
    self.zones = zones
    self.local = local
  }
}

/// The value of a DTSTART, DTEND, RDATE, EXDATE or RECURRENCE-ID: a time and its zone.
///
/// Source: RFC 5545 sections 3.3.4 and 3.3.5.
package enum EventTime: Hashable, Sendable {
  /// A day, in no zone.
  case date(CivilDate)
  /// A reading without a zone, the same on every clock.
  case floating(CivilDateTime)
  /// A reading in a zone, by its IANA name.
  case zoned(CivilDateTime, zone: String)
  /// An instant given in UTC.
  case utc(Timestamp)

  package var isDate: Bool {
    if case .date = self { true } else { false }
  }

  /// The name of the zone, "UTC" for an instant; nil for days and floating times.
  package var zoneName: String? {
    switch self {
    case .date, .floating: nil
    case .zoned(_, let zone): zone
    case .utc: "UTC"
    }
  }

  /// The date and time on the event's own clock; midnight for a day.
  package var reading: CivilDateTime {
    switch self {
    case .date(let date): CivilDateTime(date, .midnight)
    case .floating(let reading), .zoned(let reading, _): reading
    case .utc(let instant): ZoneRules.utc.reading(at: instant)
    }
  }

  /// Returns the rules of the zone, or the local rules for days and floating times.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func zoneRules(in context: ZoneContext) throws(CivilTimeError) -> ZoneRules {
    switch self {
    case .date, .floating: context.local
    case .zoned(_, let zone): try context.zones.rules(named: zone)
    case .utc: .utc
    }
  }

  /// Returns the instant; for a day, its first instant in the local zone.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func instant(in context: ZoneContext) throws(CivilTimeError) -> Timestamp {
    switch self {
    case .date(let date): context.local.startOfDay(date)
    case .floating(let reading): context.local.instant(of: reading)
    case .zoned(let reading, let zone):
      try context.zones.rules(named: zone).instant(of: reading)
    case .utc(let instant): instant
    }
  }
}

/// How long an event lasts, in the form in which it was given.
///
/// A fixed end gives every instance of a series the same exact duration, a DURATION the same
/// nominal one.
///
/// Source: RFC 5545 section 3.8.5.3.
package enum EventEnd: Hashable, Sendable {
  /// DTEND: the first instant after the event.
  case time(EventTime)
  /// DURATION: not negative.
  case duration(CalendarDuration)
  /// Neither: one day for an all-day event, no time for others.
  case none
}
