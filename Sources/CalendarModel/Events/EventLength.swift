package import CivilTime

extension EventTime {
  /// Another reading in the same form and zone.
  package func withReading(_ reading: CivilDateTime) -> EventTime {
    switch self {
    case .date: .date(reading.date)
    case .floating: .floating(reading)
    case .zoned(_, let zone): .zoned(reading, zone: zone)
    case .utc: .utc(Timestamp(reading, offset: .utc))
    }
  }

  /// An instant in the same form and zone; in UTC where the clock shows its
  /// reading twice and this is the second time.
  func withInstant(
    _ instant: Timestamp, context: ZoneContext
  ) throws(CivilTimeError) -> EventTime {
    let rules = try zoneRules(in: context)
    let time = withReading(rules.reading(at: instant))
    if case .zoned(let reading, _) = time, rules.instant(of: reading) != instant {
      return .utc(instant)
    }
    return time
  }
}

extension EventEnd {
  /// The end that gives an event with another start the same length.
  ///
  /// A timed event that turns into days takes all those that it touched. An event
  /// of days that gets a time ends an hour after that time on its last day, so that
  /// it takes as many days when it is turned back.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func moved(
    from old: EventTime, to new: EventTime, context: ZoneContext
  ) throws(CivilTimeError) -> EventEnd {
    switch (old.isDate, new.isDate) {
    case (false, false):
      guard case .time(let end) = self else { return self }
      let seconds = try end.instant(in: context).seconds - old.instant(in: context).seconds
      let finish = try new.instant(in: context).adding(seconds: seconds)
      // An end on a clock of its own, as of a flight, stays on it.
      let form = end.zoneName == old.zoneName ? new : end
      return .time(try form.withInstant(finish, context: context))
    case (true, true):
      guard case .time(let end) = self else { return self }
      let days = end.reading.date.days(since: old.reading.date)
      return .time(.date(new.reading.date.adding(days: days) ?? .latest))
    case (false, true):
      let zone = try old.zoneRules(in: context)
      let start = try old.instant(in: context)
      let finish: Timestamp
      switch self {
      case .none: finish = start
      case .duration(let duration): finish = zone.adding(duration, to: start)
      case .time(let end): finish = try end.instant(in: context)
      }
      // The first moment that is no longer of the event does not touch its day.
      let last = zone.reading(at: max(start, finish.adding(seconds: -1))).date
      let days = last.days(since: old.reading.date) + 1
      return .time(.date(new.reading.date.adding(days: max(1, days)) ?? .latest))
    case (true, false):
      guard case .days(let days) = try Placement.length(of: self, from: old, context: context),
        let last = new.reading.adding(seconds: Int64(days - 1) * 86_400)
      else { return .none }
      let hour = try new.withReading(last).instant(in: context).adding(seconds: 3600)
      return .time(try new.withInstant(hour, context: context))
    }
  }
}

extension Event {
  /// Gives the event another start and the same length.
  mutating func restart(at time: EventTime, context: ZoneContext) throws(CivilTimeError) {
    end = try end.moved(from: start, to: time, context: context)
    start = time
  }

  /// - Throws: ``ModelError/mixedDateAndTime``, ``ModelError/endBeforeStart(start:end:)``,
  ///   ``ModelError/time(_:)``.
  func checkOrder(_ context: ZoneContext) throws(ModelError) {
    let begin = try placed { () throws(CivilTimeError) in try start.instant(in: context) }
    switch end {
    case .none: return
    case .duration(let length):
      if length.isNegative {
        throw .endBeforeStart(start: "\(start.reading)", end: "\(start.reading) + \(length)")
      }
      if start.isDate, length.seconds % 86_400 != 0 { throw .mixedDateAndTime }
    case .time(let time):
      if time.isDate != start.isDate { throw .mixedDateAndTime }
      let finish = try placed { () throws(CivilTimeError) in try time.instant(in: context) }
      if finish < begin || (start.isDate && finish == begin) {
        throw .endBeforeStart(start: "\(start.reading)", end: "\(time.reading)")
      }
    }
  }
}
