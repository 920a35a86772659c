import CivilTime

/// The clock and the duration that place an event in time.
struct Timing {
  /// The event's zone, or the local one.
  let zone: ZoneRules
  let length: Placement.Length
  private let isDate: Bool

  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  init(_ event: Event, context: ZoneContext) throws(CivilTimeError) {
    try self.init(event.kind, start: event.start, end: event.end, context: context)
  }

  /// Takes the parts of an event that matter here, since copying a whole event is expensive.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  init(
    _ kind: Event.Kind, start: EventTime, end: EventEnd, context: ZoneContext
  ) throws(CivilTimeError) {
    zone = try start.zoneRules(in: context)
    isDate = start.isDate
    // A to-do that is due on a day is due at the start of that day, not at its end.
    length =
      switch (kind, start, end) {
      case (.toDo, .date, .none): .days(0)
      case (.toDo, .date(let date), .time(let due)):
        .days(max(0, due.reading.date.days(since: date)))
      // The most frequent case: like the default, without looking up the zone again.
      case (_, .zoned(let begin, let name), .time(.zoned(let finish, let other)))
      where name == other:
        .exact(max(0, zone.instant(of: finish).seconds - zone.instant(of: begin).seconds))
      default: try Placement.length(of: end, from: start, context: context)
      }
  }

  /// Returns the time of the instance that begins at a reading of the event's clock.
  ///
  /// See ``Placement/span(at:own:instant:)``.
  func span(
    at reading: CivilDateTime, own: Placement.Length? = nil, instant: Timestamp? = nil
  ) -> TimeSpan {
    if isDate {
      let (first, last) = days(from: reading)
      return span(from: first, to: last)
    }
    let start = instant ?? zone.instant(of: reading)
    let finish: Timestamp
    switch own ?? length {
    case .exact(let seconds): finish = start.adding(seconds: seconds)
    case .days(let days): finish = start.adding(seconds: Int64(days) * 86_400)
    case .nominal(let duration):
      finish = max(start, zone.adding(duration, to: start))
    }
    return TimeSpan(start: start, end: finish)
  }

  func days(from reading: CivilDateTime) -> (first: CivilDate, last: CivilDate) {
    var days = 1
    if case .days(let count) = length { days = count }
    return (reading.date, reading.date.adding(days: days) ?? .latest)
  }

  func span(from first: CivilDate, to last: CivilDate) -> TimeSpan {
    let start = zone.startOfDay(first)
    return TimeSpan(start: start, end: max(zone.startOfDay(last), start))
  }
}
