package import CivilTime
import Recurrence

/// How a component places its instances in time: on which clock, and for how long.
struct Placement {
  let shared: SharedEvent
  private let timing: Timing
  /// The clock of the recurrence set: UTC for days, otherwise ``zone``.
  private let setZone: ZoneRules

  /// The event's zone, or the local one.
  var zone: ZoneRules { timing.zone }
  var length: Length { timing.length }

  /// The duration of an instance, from DTEND or DURATION.
  enum Length: Equatable {
    case days(Int)
    case exact(Int64)
    case nominal(CalendarDuration)
  }

  init(
    _ event: Event, context: ZoneContext, revision: UInt64 = 0
  ) throws(CivilTimeError) {
    try self.init(SharedEvent(event, revision: revision), context: context)
  }

  init(_ shared: SharedEvent, context: ZoneContext) throws(CivilTimeError) {
    self.shared = shared
    let start = shared.event.start
    timing = try Timing(
      shared.event.kind, start: start, end: shared.event.end, context: context)
    setZone = start.isDate ? .utc : timing.zone
  }

  /// An upper bound of the duration, with a day to spare for clock changes.
  var longestSeconds: Int64 { Placement.bound(length) }

  static func bound(_ length: Length) -> Int64 {
    switch length {
    case .days(let days): Int64(days + 1) * 86_400
    case .exact(let seconds): seconds
    case .nominal(let duration): duration.approximateSeconds + 86_400
    }
  }

  static func length(
    of end: EventEnd, from start: EventTime, context: ZoneContext
  ) throws(CivilTimeError) -> Length {
    switch (end, start) {
    case (.none, .date): return .days(1)
    case (.none, _): return .exact(0)
    case (.duration(let duration), .date):
      // An all-day event lasts whole days; a fraction counts as a day.
      return .days(max(1, duration.days + Int((duration.seconds + 86_399) / 86_400)))
    case (.duration(let duration), _):
      if duration.isNegative { return .exact(0) }
      return duration.days == 0 ? .exact(duration.seconds) : .nominal(duration)
    case (.time(let end), .date(let date)):
      return .days(max(1, end.reading.date.days(since: date)))
    case (.time(let end), _):
      let seconds = try end.instant(in: context).seconds - start.instant(in: context).seconds
      return .exact(max(0, seconds))
    }
  }

  /// Returns the instance that begins at a reading of the event's clock.
  ///
  /// - Parameters:
  ///   - own: The duration of an RDATE period.
  ///   - instant: The instant of `reading`, if the caller knows it.
  func occurrence(
    of id: RecurrenceID?, at reading: CivilDateTime, own: Length? = nil, calendar: CalendarID,
    instant: Timestamp? = nil
  ) -> Occurrence {
    if shared.event.start.isDate {
      let (first, last) = timing.days(from: reading)
      return Occurrence(
        calendar: calendar, shared: shared, recurrenceID: id,
        span: timing.span(from: first, to: last), start: CivilDateTime(first, .midnight),
        writtenStart: CivilDateTime(first, .midnight), end: CivilDateTime(last, .midnight),
        zone: zone)
    }
    let span = span(at: reading, own: own, instant: instant)
    return Occurrence(
      calendar: calendar, shared: shared, recurrenceID: id, span: span,
      start: zone.reading(at: span.start), writtenStart: reading, end: zone.reading(at: span.end),
      zone: zone)
  }

  /// Returns the span of the instance that begins at a reading of the event's clock.
  ///
  /// The parameters are those of ``occurrence(of:at:own:calendar:instant:)``.
  func span(at reading: CivilDateTime, own: Length? = nil, instant: Timestamp? = nil) -> TimeSpan {
    timing.span(at: reading, own: own, instant: instant)
  }

  // MARK: The terms of the recurrence set

  /// - Parameter countedEnds: See ``EventSeries/countedEnds``.
  func recurrenceSet(
    context: ZoneContext, countedEnds: [CivilDateTime?]
  ) throws(CivilTimeError) -> RecurrenceSet {
    let pattern = shared.event.recurrence
    var (added, excluded): ([RecurrenceMoment], [RecurrenceMoment]) = ([], [])
    for date in pattern.added { added.append(try moment(date.start, context: context)) }
    for time in pattern.excluded { excluded.append(try moment(time, context: context)) }
    return RecurrenceSet(
      start: shared.event.start.reading, isAllDay: shared.event.start.isDate, zone: setZone,
      rules: pattern.rules, exclusionRules: pattern.exclusionRules, added: added,
      excluded: excluded, isFloating: shared.event.start.zoneName == nil,
      countedEnds: countedEnds)
  }

  private func moment(
    _ time: EventTime, context: ZoneContext
  ) throws(CivilTimeError) -> RecurrenceMoment {
    if shared.event.start.isDate { return .date(time.reading.date) }
    switch time {
    case .date(let date): return .date(date)
    case .floating(let reading): return .local(reading)
    // The reading is preserved, even one that a clock change skips.
    case .zoned(let reading, let zone) where zone == shared.event.start.zoneName:
      return .local(reading)
    case .zoned, .utc: return .instant(try time.instant(in: context))
    }
  }

  /// Returns the instant of `time` in the recurrence set.
  func setInstant(of time: EventTime, context: ZoneContext) throws(CivilTimeError) -> Timestamp {
    if shared.event.start.isDate { return setZone.startOfDay(time.reading.date) }
    switch time {
    case .date(let date):
      // A date in a timed series means the instance of that day.
      return setZone.instant(of: CivilDateTime(date, shared.event.start.reading.time))
    case .floating(let reading): return setZone.instant(of: reading)
    case .zoned, .utc: return try time.instant(in: context)
    }
  }

  /// Returns the instant of an identifier in the recurrence set; nil if its form does not fit.
  func setInstant(of id: RecurrenceID) -> Timestamp? {
    switch (id, shared.event.start.isDate) {
    case (.date(let date), true): setZone.startOfDay(date)
    case (.local(let reading), false): setZone.instant(of: reading)
    case (.instant(let instant), false): instant
    default: nil
    }
  }

  /// Returns the instant in the recurrence set of a reading on its clock.
  func setInstant(ofReading reading: CivilDateTime) -> Timestamp { setZone.instant(of: reading) }

  /// Returns the instant in the recurrence set of an event that does not recur.
  func setInstant(ofStart occurrence: Occurrence) -> Timestamp {
    setZone.instant(of: occurrence.start)
  }

  func recurrenceID(ofSetInstant instant: Timestamp) -> RecurrenceID {
    switch shared.event.start {
    case .date: .date(setZone.reading(at: instant).date)
    case .floating: .local(setZone.reading(at: instant))
    case .zoned, .utc: .instant(instant)
    }
  }

  func reading(ofSetInstant instant: Timestamp) -> CivilDateTime {
    setZone.reading(at: instant)
  }

  /// Returns an instant of the recurrence set as EXDATE and RECURRENCE-ID write it.
  func time(ofSetInstant instant: Timestamp) -> EventTime {
    let reading = reading(ofSetInstant: instant)
    switch shared.event.start {
    case .date: return .date(reading.date)
    case .floating: return .floating(reading)
    case .zoned(_, let name):
      // If the clock shows the reading twice, only UTC names the second instant.
      return zone.instant(of: reading) == instant ? .zoned(reading, zone: name) : .utc(instant)
    case .utc: return .utc(instant)
    }
  }
}

extension ZoneRules {
  /// Returns the instant after a duration: days follow the clock, the rest is exact.
  ///
  /// Days are added first.
  ///
  /// Source: RFC 5545 section 3.3.6.
  package func adding(_ duration: CalendarDuration, to start: Timestamp) -> Timestamp {
    guard duration.days != 0 else { return start.adding(seconds: duration.seconds) }
    guard let moved = reading(at: start).adding(seconds: Int64(duration.days) * 86_400) else {
      return duration.isNegative ? .earliest : .latest
    }
    return instant(of: moved).adding(seconds: duration.seconds)
  }
}
