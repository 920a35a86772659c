import CivilTime

/// How an event is put into time: whose clock, and for how long.
struct Timing {
  /// The clock that readings are shown on: the event's zone, or the local one.
  let zone: ZoneRules
  let length: Placement.Length
  private let isDate: Bool

  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  init(_ event: Event, context: ZoneContext) throws(CivilTimeError) {
    try self.init(event.kind, start: event.start, end: event.end, context: context)
  }

  /// Puts an event into time of which these are the parts that count: the whole of it would be copied.
  init(
    _ kind: Event.Kind, start: EventTime, end: EventEnd, context: ZoneContext
  ) throws(CivilTimeError) {
    zone = try start.zoneRules(in: context)
    isDate = start.isDate
    // A to-do that is due on a day is due when that day begins, not when it ends.
    length =
      switch (kind, start, end) {
      case (.toDo, .date, .none): .days(0)
      case (.toDo, .date(let date), .time(let due)):
        .days(max(0, due.reading.date.days(since: date)))
      // As of the default, with the zone that is looked up already: what most events have.
      case (_, .zoned(let begin, let name), .time(.zoned(let finish, let other)))
      where name == other:
        .exact(max(0, zone.instant(of: finish).seconds - zone.instant(of: begin).seconds))
      default: try Placement.length(of: end, from: start, context: context)
      }
  }

  /// Returns where the instance lies that begins at a reading of the event's own
  /// clock; see ``Placement/span(at:own:instant:)``.
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
