import CalendarBus
import CalendarModel
import CivilTime
import Phrases
import Platform

/// The times of a draft.
extension EventComposer {
  /// - Parameters:
  ///   - start: the event's start if this is its end, whose text may leave out the date.
  ///   - clock: a time of the edited event, whose zone the result gets unless the draft names one.
  func time(
    _ moment: EventDraft.Moment, key: String, _ draft: EventDraft, after start: Timestamp? = nil,
    clock: EventTime? = nil
  ) throws(CallError) -> EventTime {
    let zone = try zoneRules(draft)
    let read = try read(moment, key: key, zone, after: start, isNew: clock == nil)
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
    _ moment: EventDraft.Moment, key: String, _ zone: ZoneRules, after start: Timestamp?,
    isNew: Bool
  ) throws(CallError) -> Phrases.Moment {
    switch moment {
    case .instant(let instant):
      guard instant >= .earliest, instant <= .latest else {
        throw CallError(
          .invalidTime, about: key,
          localized(
            "{number} is outside the years 1 to 9999", ["number": String(instant.seconds)]))
      }
      return .instant(instant)
    case .text(let text):
      do throws(PhraseRefusal) {
        let reader = phrases.at(zone: zone)
        if let start { return try reader.end(text, after: .instant(start)) }
        do throws(PhraseRefusal) { return try reader.start(text) } catch {
          guard !isNew, error.readings.isEmpty else { throw error }
          // What exists already may have been.
          return try reader.start(text, takesPast: true)
        }
      } catch {
        throw CallError(.invalidTime, about: key, localized(error.text))
      }
    }
  }

  /// Puts a local time in the zone that the draft names, or else in the event's zone.
  ///
  /// An instant at a local time that occurs twice is stored in UTC if the local time alone would
  /// mean the other instant.
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

  /// - Parameter zone: the zone that the start was given in.
  /// - Throws: ``CallError`` for the start of a series that is stored in UTC because its reading
  ///   occurs twice: later occurrences would stay in UTC, too. iCalendar cannot express it.
  func checkRepeats(_ start: EventTime, _ zone: ZoneRules) throws(CallError) {
    guard case .utc(let instant) = start else { return }
    let reading = zone.reading(at: instant)
    guard zone.instant(of: reading) != instant else { return }
    throw CallError(
      .invalidTime, about: "start",
      localized(
        """
        {time} occurs twice in {zone}, and a recurring event cannot start at the second one; give \
        another time, or the time-zone UTC
        """, ["time": shown(reading), "zone": zone.name]))
  }

  func zoneRules(_ draft: EventDraft) throws(CallError) -> ZoneRules {
    guard let name = draft.timeZone, name != "floating", !name.isEmpty else { return zones.local }
    return try zones.zones.rules(named: name, key: "time-zone")
  }

  /// Reads the end of a draft, as a duration or a time.
  ///
  /// - Parameter isOfEvent: whether the end is put in the zone of the start.
  func end(
    _ draft: EventDraft, start: EventTime, isOfEvent: Bool = false
  ) throws(CallError) -> EventEnd {
    guard let moment = draft.end, moment != .text("") else {
      return start.isDate ? .none : .duration(CalendarDuration(seconds: 3600))
    }
    // "+3d" is a duration after the start; "in 3d" counts from now.
    if case .text(let text) = moment,
      let length = try? readDuration(text.hasPrefix("+") ? text.dropFirst() : text[...])
    {
      guard !length.isNegative else {
        throw CallError(
          .invalidTime, about: "end",
          localized("the duration {duration} is negative", ["duration": text]))
      }
      if start.isDate, length.seconds != 0 || length.days == 0 {
        throw CallError(
          .invalidTime, about: "end",
          localized("an all-day event lasts whole days, not {duration}", ["duration": text]))
      }
      // An invalid start has its own error.
      if let first = try? start.instant(in: zones),
        first.seconds + length.approximateSeconds > TimeSpan.always.end.seconds
      {
        throw CallError(
          .invalidTime, about: "end",
          localized(
            "{duration} after {start} is past the year 9999",
            ["duration": text, "start": start.reading.description]))
      }
      return .duration(length)
    }
    let first = try instant(of: start)
    let end = try time(
      moment, key: "end", draft, after: first, clock: isOfEvent ? start : nil)
    guard end.isDate == start.isDate else {
      throw CallError(
        .invalidTime, about: "end",
        start.isDate
          ? localized(
            "{end} has a time, but the start {start} has none; use dates for both, or times",
            ["end": shown(end.reading), "start": start.reading.date.description])
          : localized(
            "{end} has no time, but the start {start} has one; add a time",
            ["end": end.reading.date.description, "start": shown(start.reading)]))
    }
    let last = try instant(of: end)
    guard first <= last, !start.isDate || first < last else {
      throw CallError(
        .invalidTime, about: "end",
        start.isDate
          ? localized(
            """
            {end} must be a day after the start {start}: the end is the first day that is no \
            longer part of the event
            """,
            ["end": end.reading.date.description, "start": start.reading.date.description])
          : localized(
            "{end} is before the start {start}",
            ["end": shown(end.reading), "start": shown(start.reading)]))
    }
    return .time(end)
  }

  /// "2026-11-21 14:00", with seconds if they are not zero.
  private func shown(_ reading: CivilDateTime) -> String {
    let text = reading.description
    return "\(reading.date) "
      + (text.hasSuffix(":00") ? reading.time.hourAndMinute : String(text.dropFirst(11)))
  }

  /// Reads dates of a series in a zone. A date without a time means the occurrence of that day.
  func dates(
    _ texts: [String], key: String, like start: EventTime, _ zone: ZoneRules
  ) throws(CallError) -> [EventTime] {
    try checkLimit(key, texts.count, .dates, most: Limit.dates)
    var dates: [EventTime] = []
    for text in texts {
      let moment = try read(.text(text), key: key, zone, after: nil, isNew: false)
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

  /// Returns the new start of an event, and adds it to the change.
  ///
  /// A time alone keeps the date of the event, and a date alone keeps its time.
  func newStart(
    _ draft: EventDraft, of event: Event, _ change: inout EventChange
  ) throws(CallError) -> EventTime {
    let old = event.start
    if let moment = draft.start {
      var start = try time(try dated(moment, event, draft), key: "start", draft, clock: old)
      if start.isDate, !old.isDate, draft.isAllDay == nil {
        let zone = try zoneRules(draft)
        if draft.timeZone == nil {
          // The date is in the agent's zone; in the event's zone it can be another.
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
          .invalidTime, about: "time-zone",
          localized(
            "an all-day event has no time zone; give it a start with a time as well"))
      }
      let start = try placed(old.reading, draft, zoneRules(draft), clock: nil)
      change.clock = start.zoneName.map(EventChange.Clock.zone) ?? .floating
      return start
    }
  }

  /// Returns an override in the zone of its series, and with its rules, for an edit of the series.
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

  /// Adds the date of the event to a time without one.
  private func dated(
    _ moment: EventDraft.Moment, _ event: Event, _ draft: EventDraft
  ) throws(CallError) -> EventDraft.Moment {
    guard case .text(let text) = moment else { return moment }
    let zone = try zoneRules(draft)
    let begin = try instant(of: event.start)
    let day = event.start.isDate ? event.start.reading.date : zone.reading(at: begin).date
    let reader = phrases.at(now: zone.startOfDay(day), zone: zone)
    guard reader.isTimeAlone(text), let read = try? reader.moment(text, takesPast: true) else {
      return moment
    }
    return .instant(read.instant(in: zone))
  }

  func instant(of time: EventTime) throws(CallError) -> Timestamp {
    try asInvalidTime { () throws(CivilTimeError) in try time.instant(in: zones) }
  }

  /// Runs code that fails for a zone that is not installed, and converts its error.
  func asInvalidTime<Result>(
    _ body: () throws(CivilTimeError) -> Result
  ) throws(CallError) -> Result {
    do throws(CivilTimeError) {
      return try body()
    } catch {
      throw CallError(.invalidTime, localized(error.text))
    }
  }
}

extension EventTime {
  /// Another reading in the same zone.
  fileprivate func with(reading: CivilDateTime) -> EventTime {
    switch self {
    case .date: .date(reading.date)
    case .zoned(_, let zone): .zoned(reading, zone: zone)
    case .utc: .utc(ZoneRules.utc.instant(of: reading))
    case .floating: .floating(reading)
    }
  }

  /// A reading of a zone in the form of this time: in its zone, or in UTC.
  fileprivate func with(reading: CivilDateTime, in zone: ZoneRules) -> EventTime {
    if case .utc = self { return .utc(zone.instant(of: reading)) }
    return with(reading: reading)
  }
}
