import CivilTime

/// How an event is put into time: whose clock, and for how long.
struct Timing {
  /// The clock that readings are shown on: the event's zone, or the local one.
  let zone: ZoneRules
  let length: Placement.Length
  private let isDate: Bool

  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  init(_ event: Event, context: ZoneContext) throws(CivilTimeError) {
    zone = try event.start.zoneRules(in: context)
    isDate = event.start.isDate
    // A to-do that is due on a day is due when that day begins, not when it ends.
    length =
      switch (event.kind, event.start, event.end) {
      case (.toDo, .date, .none): .days(0)
      case (.toDo, .date(let date), .time(let due)):
        .days(max(0, due.reading.date.days(since: date)))
      default: try Placement.length(of: event.end, from: event.start, context: context)
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
