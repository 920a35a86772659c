import CalendarBus
import CalendarModel
import CivilTime
import Phrases

/// Times of a draft.
extension EventComposer {
  /// - Parameters:
  ///   - start: Of the event, where its end is read: what the text leaves open is
  ///     counted from it.
  ///   - clock: A time of the event that is edited. The moment is put on its clock
  ///     unless the draft names a zone.
  func time(
    _ moment: EventDraft.Moment, key: String, _ draft: EventDraft, after start: Timestamp? = nil,
    clock: EventTime? = nil
  ) throws(CallError) -> EventTime {
    let zone = try zoneRules(draft)
    let read = try read(moment, key: key, zone, after: start)
    if draft.isAllDay == true {
      return .date(read.day(in: zone))
    }
    switch read {
    case .date(let date):
      if draft.isAllDay == false {
        return try placed(CivilDateTime(date, .midnight), draft, zone, clock: clock)
      }
      return .date(date)
    case .local(let reading): return try placed(reading, draft, zone, clock: clock)
    case .instant(let instant):
      return try placed(zone.reading(at: instant), draft, zone, instant, clock: clock)
    }
  }

  private func read(
    _ moment: EventDraft.Moment, key: String, _ zone: ZoneRules, after start: Timestamp?
  ) throws(CallError) -> Phrases.Moment {
    switch moment {
    case .instant(let instant):
      guard instant >= .earliest, instant <= .latest else {
        throw CallError(.invalidTime, "\(key): \(instant.seconds) lies outside the years 1 to 9999")
      }
      return .instant(instant)
    case .text(let text):
      do throws(PhraseError) {
        let context = PhraseContext(now: now, zone: zone)
        if let start { return try readEnd(text, start: start, context) }
        return try readMoment(text, context)
      } catch {
        throw CallError(.invalidTime, "\(key): \(error)")
      }
    }
  }

  /// Puts a reading on the clock that the draft asks for, else on that of the event.
  ///
  /// An instant whose reading happens twice is kept in UTC when the reading
  /// would name the other of the two.
  private func placed(
    _ reading: CivilDateTime, _ draft: EventDraft, _ zone: ZoneRules, _ instant: Timestamp? = nil,
    clock: EventTime?
  ) throws(CallError) -> EventTime {
    if draft.timeZone == nil, let clock, !clock.isDate {
      let own = try asInvalidTime { () throws(CivilTimeError) in try clock.zoneRules(in: zones) }
      let moment = instant ?? zone.instant(of: reading)
      let shown = own.name == zone.name && instant == nil ? reading : own.reading(at: moment)
      switch clock {
      case .utc: return .utc(moment)
      case .date, .floating: return .floating(shown)
      case .zoned(_, let name):
        return own.instant(of: shown) == moment ? .zoned(shown, zone: name) : .utc(moment)
      }
    }
    if draft.timeZone == "floating" { return .floating(reading) }
    if let instant, zone.instant(of: reading) != instant { return .utc(instant) }
    if zone.name == "UTC" { return .utc(zone.instant(of: reading)) }
    return .zoned(reading, zone: zone.name)
  }

  /// - Parameter zone: the one that the start was put on the clock of.
  /// - Throws: ``CallError`` for the start of a series that is kept in UTC because the clock
  ///   shows its reading twice: what follows would stay in UTC, too. iCalendar has no other
  ///   name for it.
  func checkRepeats(_ start: EventTime, _ zone: ZoneRules) throws(CallError) {
    guard case .utc(let instant) = start else { return }
    let reading = zone.reading(at: instant)
    guard zone.instant(of: reading) != instant else { return }
    throw CallError(
      .invalidTime,
      "start: the clock of \(zone.name) shows \(shown(reading)) twice, and the second time cannot "
        + "begin what repeats there; give another time, or the time-zone UTC")
  }

  func zoneRules(_ draft: EventDraft) throws(CallError) -> ZoneRules {
    guard let name = draft.timeZone, name != "floating", !name.isEmpty else { return zones.local }
    return try zones.zones.rules(named: name, key: "time-zone")
  }

  /// - Parameter isOfEvent: Whether a moment is put on the clock of the start.
  func end(
    _ draft: EventDraft, start: EventTime, isOfEvent: Bool = false
  ) throws(CallError) -> EventEnd {
    guard let moment = draft.end, moment != .text("") else {
      return start.isDate ? .none : .duration(CalendarDuration(seconds: 3600))
    }
    // "+3d" is as long after the start: what else it could be, "in 3d" says.
    if case .text(let text) = moment,
      let length = try? readDuration(text.hasPrefix("+") ? text.dropFirst() : text[...])
    {
      guard !length.isNegative else {
        throw CallError(.invalidTime, "end: the duration \(text) is negative")
      }
      if start.isDate, length.seconds != 0 || length.days == 0 {
        throw CallError(.invalidTime, "end: an all-day event lasts whole days, not \(text)")
      }
      // A first instant that is none is told of the start.
      if let first = try? start.instant(in: zones),
        first.seconds + length.approximateSeconds > TimeSpan.always.end.seconds
      {
        throw CallError(
          .invalidTime, "end: \(text) after \(start.reading) lies past the year 9999")
      }
      return .duration(length)
    }
    let first = try instant(of: start)
    let end = try time(
      moment, key: "end", draft, after: first, clock: isOfEvent ? start : nil)
    guard end.isDate == start.isDate else {
      throw CallError(
        .invalidTime,
        start.isDate
          ? "end: \(shown(end.reading)) has a time, and the start "
            + "\(start.reading.date) has none; give a day alone, or the start a time as well"
          : "end: \(end.reading.date) has no time, and the start "
            + "\(shown(start.reading)) has one; give a time as well")
    }
    let last = try instant(of: end)
    guard first <= last, !start.isDate || first < last else {
      throw CallError(
        .invalidTime,
        start.isDate
          ? "end: the end \(end.reading.date) must be a day after the start "
            + "\(start.reading.date): it is the first day that no longer belongs to the event"
          : "end: the end \(shown(end.reading)) must not lie before the start \(shown(start.reading))"
      )
    }
    return .time(end)
  }

  /// "2026-11-21 14:00", with seconds where there are any.
  private func shown(_ reading: CivilDateTime) -> String {
    let text = reading.description
    return "\(reading.date) "
      + (text.hasSuffix(":00") ? reading.time.hourAndMinute : String(text.dropFirst(11)))
  }

  /// Reads dates of a series on a clock. A bare day means the occurrence of that
  /// day.
  func dates(
    _ texts: [String], key: String, like start: EventTime, _ zone: ZoneRules
  ) throws(CallError) -> [EventTime] {
    try checkLimit(key, texts.count, "dates", most: Limit.dates)
    var dates: [EventTime] = []
    for text in texts {
      let moment = try read(.text(text), key: key, zone, after: nil)
      if start.isDate {
        dates.append(.date(moment.day(in: zone)))
        continue
      }
      switch moment {
      case .date(let date):
        dates.append(start.with(reading: CivilDateTime(date, start.reading.time)))
      case .local(let reading):
        dates.append(start.with(reading: reading, in: zone))
      case .instant(let instant):
        let reading = zone.reading(at: instant)
        let isSecond = zone.instant(of: reading) != instant && start.zoneName != nil
        dates.append(isSecond ? .utc(instant) : start.with(reading: reading, in: zone))
      }
    }
    return dates
  }

  // MARK: Another start

  /// Returns the start that the event has afterwards, and notes what changes it.
  ///
  /// A time of the day alone is one of the day on which the event begins, and a day
  /// alone leaves it its time of the day.
  func newStart(
    _ draft: EventDraft, of event: Event, _ change: inout EventChange
  ) throws(CallError) -> EventTime {
    let old = event.start
    if let moment = draft.start {
      var start = try time(try dated(moment, event, draft), key: "start", draft, clock: old)
      if start.isDate, !old.isDate, draft.isAllDay == nil {
        let zone = try zoneRules(draft)
        if draft.timeZone == nil {
          // The day is one of the agent's; on the event's own clock it can be another.
          let shown = zone.reading(at: try instant(of: old)).date
          let days = start.reading.date.days(since: shown)
          let date = old.reading.date.adding(days: days) ?? start.reading.date
          start = old.with(reading: CivilDateTime(date, old.reading.time))
        } else {
          start = try placed(
            CivilDateTime(start.reading.date, old.reading.time), draft, zone, clock: nil)
        }
      }
      change.start = start
      return start
    }
    switch draft.isAllDay {
    case true?:
      if old.isDate { return old }
      change.clock = .days
      return .date(old.reading.date)
    case false? where old.isDate:
      let start = try placed(old.reading, draft, zoneRules(draft), clock: nil)
      change.clock = start.zoneName.map(EventChange.Clock.zone) ?? .floating
      return start
    default:
      guard draft.timeZone != nil else { return old }
      guard !old.isDate else {
        throw CallError(
          .invalidTime,
          "time-zone: an all-day event is in none; give it a start with a time as well")
      }
      let start = try placed(old.reading, draft, zoneRules(draft), clock: nil)
      change.clock = start.zoneName.map(EventChange.Clock.zone) ?? .floating
      return start
    }
  }

  /// An exception as an edit of its series sees it: on the clock of the series, whatever its own
  /// is, and with the rules.
  func asOccurrence(_ event: Event, of master: Event) throws(CallError) -> Event {
    var event = event
    event.recurrence = master.recurrence
    let (own, clock) = (event.start, master.start)
    switch (own.isDate, clock.isDate) {
    case (true, true): break
    case (false, true): event.start = .date(own.reading.date)
    case (true, false):
      event.start = clock.with(reading: CivilDateTime(own.reading.date, clock.reading.time))
    case (false, false) where own.zoneName != clock.zoneName:
      let zone = try asInvalidTime { () throws(CivilTimeError) in try clock.zoneRules(in: zones) }
      event.start = clock.with(reading: zone.reading(at: try instant(of: own)))
    case (false, false): break
    }
    return event
  }

  /// Gives a time of the day the day on which the event begins.
  private func dated(
    _ moment: EventDraft.Moment, _ event: Event, _ draft: EventDraft
  ) throws(CallError) -> EventDraft.Moment {
    guard case .text(let text) = moment else { return moment }
    let zone = try zoneRules(draft)
    let begin = try instant(of: event.start)
    let day = event.start.isDate ? event.start.reading.date : zone.reading(at: begin).date
    // What has a day of its own, or is counted from now, cannot stand after another.
    let context = PhraseContext(now: zone.startOfDay(day), zone: zone)
    guard case .local(let reading)? = try? readMoment("today \(text)", context) else {
      return moment
    }
    return .text(reading.description)
  }

  func instant(of time: EventTime) throws(CallError) -> Timestamp {
    try asInvalidTime { () throws(CivilTimeError) in try time.instant(in: zones) }
  }

  /// Does what can fail for a zone that is not installed.
  func asInvalidTime<Result>(
    _ body: () throws(CivilTimeError) -> Result
  ) throws(CallError) -> Result {
    do throws(CivilTimeError) {
      return try body()
    } catch {
      throw CallError(.invalidTime, "\(error)")
    }
  }
}

extension EventTime {
  /// Another reading on the same clock.
  fileprivate func with(reading: CivilDateTime) -> EventTime {
    switch self {
    case .date: .date(reading.date)
    case .zoned(_, let zone): .zoned(reading, zone: zone)
    case .utc: .utc(ZoneRules.utc.instant(of: reading))
    case .floating: .floating(reading)
    }
  }

  /// A reading of a zone in the form of this time: on its clock, or in UTC.
  fileprivate func with(reading: CivilDateTime, in zone: ZoneRules) -> EventTime {
    if case .utc = self { return .utc(zone.instant(of: reading)) }
    return with(reading: reading)
  }
}
