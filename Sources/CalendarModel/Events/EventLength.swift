package import CivilTime

extension EventTime {
  /// Returns another reading in the same form and zone.
  package func withReading(_ reading: CivilDateTime) -> EventTime {
    switch self {
    case .date: .date(reading.date)
    case .floating: .floating(reading)
    case .zoned(_, let zone): .zoned(reading, zone: zone)
    case .utc: .utc(Timestamp(reading, offset: .utc))
    }
  }

  /// Returns an instant in the same form and zone.
  ///
  /// The second of two equal readings of the clock is returned in UTC.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
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
  /// Returns the end that gives an event with another start the same duration.
  ///
  /// A timed event that becomes all-day takes every day that it touched. An all-day event that
  /// becomes timed ends an hour after its start time on the last day, so that it takes the same
  /// days if it is changed back.
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
      // An end in another zone, as of a flight, stays in that zone.
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
      // The end itself no longer belongs to the event.
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
  /// Moves the event to another start and keeps its duration.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  mutating func restart(at time: EventTime, context: ZoneContext) throws(CivilTimeError) {
    end = try end.moved(from: start, to: time, context: context)
    start = time
  }

  /// Checks that the event does not end before it starts.
  ///
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
