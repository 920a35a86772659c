import CalendarBus
import CalendarModel
import CivilTime
import Phrases
import Recurrence

/// Makes an event of a caller's draft, or says which key is at fault and why.
///
/// Everything that comes over the bus is checked here and nowhere later.
struct EventComposer {
  let zones: ZoneContext
  let now: Timestamp

  /// Limits in bytes of UTF-8 and in entries, as dbus/…Events.xml has them.
  private enum Limit {
    static let line = 2000
    static let description = 100_000
    static let rules = 10
    static let dates = 1000
    static let reminders = 20
    static let categories = 50
  }

  /// - Throws: ``CallError`` of the kinds that Events.Add documents.
  func event(_ draft: EventDraft, uid: EventUID) throws(CallError) -> Event {
    guard !draft.summary.isEmpty else {
      throw CallError(.invalidArguments, "summary must not be empty")
    }
    guard let startMoment = draft.start else {
      throw CallError(.invalidArguments, "start is missing")
    }
    let start = try time(startMoment, key: "start", draft)
    let end = try self.end(draft, start: start)
    var event = Event(uid: uid, start: start, end: end, summary: draft.summary)
    try check(draft)
    event.location = draft.location
    event.description = draft.description
    event.url = draft.url
    event.categories = draft.categories
    event.recurrence = try recurrence(draft, start: start)
    event.alarms = try alarms(draft.reminders, start: start)
    if event.recurrence.isTooDenseToRing, !event.alarms.isEmpty {
      throw CallError(
        .invalidRecurrence,
        "reminders: an event that repeats more than \(RecurrencePattern.mostInstancesToRing) times"
          + " a day cannot ring; leave out the reminders, or let the rule repeat less often")
    }
    event.status = try word(draft.status, key: "status") ?? .confirmed
    event.classification = try word(draft.classification, key: "class") ?? .open
    event.isBusy = draft.isBusy ?? !start.isDate
    if let text = draft.color {
      guard let color = EventColor(text: text) else {
        throw CallError(.invalidArguments, "color \"\(text)\" is not of the form #rrggbb")
      }
      event.color = color
    }
    event.created = now
    event.lastModified = now
    return event
  }

  // MARK: Times

  /// - Parameter start: of the event, where its end is read: what the text leaves
  ///   open is counted from it.
  private func time(
    _ moment: EventDraft.Moment, key: String, _ draft: EventDraft, after start: Timestamp? = nil
  ) throws(CallError) -> EventTime {
    let zone = try zoneRules(draft)
    let read: Phrases.Moment
    switch moment {
    case .instant(let instant):
      guard instant >= .earliest, instant <= .latest else {
        throw CallError(.invalidTime, "\(key): \(instant.seconds) lies outside the years 1 to 9999")
      }
      read = .instant(instant)
    case .text(let text):
      do throws(PhraseError) {
        let context = PhraseContext(now: now, zone: zone)
        read =
          if let start {
            try readEnd(text, start: start, context)
          } else {
            try readMoment(text, context)
          }
      } catch {
        throw CallError(.invalidTime, "\(key): \(error)")
      }
    }
    if draft.isAllDay == true {
      return .date(read.day(in: zone))
    }
    switch read {
    case .date(let date):
      if draft.isAllDay == false { return placed(CivilDateTime(date, .midnight), draft, zone) }
      return .date(date)
    case .local(let reading): return placed(reading, draft, zone)
    case .instant(let instant): return placed(zone.reading(at: instant), draft, zone, instant)
    }
  }

  /// Puts a reading on the clock that the draft asks for.
  ///
  /// An instant whose reading happens twice is kept in UTC when the reading
  /// would name the other of the two.
  private func placed(
    _ reading: CivilDateTime, _ draft: EventDraft, _ zone: ZoneRules, _ instant: Timestamp? = nil
  ) -> EventTime {
    if draft.timeZone == "floating" { return .floating(reading) }
    if let instant, zone.instant(of: reading) != instant { return .utc(instant) }
    if zone.name == "UTC" { return .utc(zone.instant(of: reading)) }
    return .zoned(reading, zone: zone.name)
  }

  private func zoneRules(_ draft: EventDraft) throws(CallError) -> ZoneRules {
    guard let name = draft.timeZone, name != "floating", !name.isEmpty else { return zones.local }
    do throws(CivilTimeError) {
      return try zones.zones.rules(named: name)
    } catch {
      throw CallError(.invalidTime, "time-zone: \(error)")
    }
  }

  private func end(_ draft: EventDraft, start: EventTime) throws(CallError) -> EventEnd {
    guard let moment = draft.end, moment != .text("") else {
      return start.isDate ? .none : .duration(CalendarDuration(seconds: 3600))
    }
    if case .text(let text) = moment, let length = try? readDuration(text) {
      guard !length.isNegative else {
        throw CallError(.invalidTime, "end: the duration \(text) is negative")
      }
      if start.isDate, length.seconds != 0 || length.days == 0 {
        throw CallError(.invalidTime, "end: an all-day event lasts whole days, not \(text)")
      }
      return .duration(length)
    }
    let first = try instant(of: start)
    let end = try time(moment, key: "end", draft, after: first)
    guard end.isDate == start.isDate else {
      throw CallError(
        .invalidTime,
        "end: start and end must both be days or both have a time (start \(start.reading), "
          + "end \(end.reading))")
    }
    let last = try instant(of: end)
    guard first <= last, !start.isDate || first < last else {
      throw CallError(
        .invalidTime,
        start.isDate
          ? "end: the end \(end.reading.date) must be a day after the start "
            + "\(start.reading.date): it is the first day that no longer belongs to the event"
          : "end: the end \(end.reading) must lie after the start \(start.reading)")
    }
    return .time(end)
  }

  private func instant(of time: EventTime) throws(CallError) -> Timestamp {
    do throws(CivilTimeError) {
      return try time.instant(in: zones)
    } catch {
      throw CallError(.invalidTime, "\(error)")
    }
  }

  // MARK: Recurrence and alarms

  private func recurrence(
    _ draft: EventDraft, start: EventTime
  ) throws(CallError) -> RecurrencePattern {
    var pattern = RecurrencePattern()
    for line in draft.rules.split(separator: "\n") {
      do throws(RecurrenceError) {
        pattern.rules.append(try RecurrenceRule(text: line))
      } catch {
        throw CallError(.invalidRecurrence, "rrule: \(error)")
      }
    }
    guard pattern.rules.count <= Limit.rules else {
      throw CallError(.limitsExceeded, "rrule: at most \(Limit.rules) rules")
    }
    guard draft.added.count <= Limit.dates, draft.excluded.count <= Limit.dates else {
      throw CallError(.limitsExceeded, "rdate and exdate: at most \(Limit.dates) dates each")
    }
    for text in draft.added {
      pattern.added.append(AddedDate(start: try date(text, key: "rdate", draft, like: start)))
    }
    for text in draft.excluded {
      pattern.excluded.append(try date(text, key: "exdate", draft, like: start))
    }
    return pattern
  }

  private func date(
    _ text: String, key: String, _ draft: EventDraft, like start: EventTime
  ) throws(CallError) -> EventTime {
    let time = try time(.text(text), key: key, draft)
    guard time.isDate || !start.isDate else { return .date(time.reading.date) }
    guard time.isDate, !start.isDate else { return time }
    // A bare day means the occurrence of that day.
    let reading = CivilDateTime(time.reading.date, start.reading.time)
    switch start {
    case .zoned(_, let zone): return .zoned(reading, zone: zone)
    case .utc: return .utc(ZoneRules.utc.instant(of: reading))
    case .floating, .date: return .floating(reading)
    }
  }

  private func alarms(_ texts: [String], start: EventTime) throws(CallError) -> [Alarm] {
    guard texts.count <= Limit.reminders else {
      throw CallError(.limitsExceeded, "reminders: at most \(Limit.reminders)")
    }
    var alarms: [Alarm] = []
    for (index, text) in texts.enumerated() {
      alarms.append(Alarm(id: String(index + 1), trigger: try trigger(text)))
    }
    return alarms
  }

  /// "15m" and "PT15M" are before the start, "-15m" and "-PT15M" after it,
  /// "end:PT5M" before the end; anything else is a moment.
  private func trigger(_ text: String) throws(CallError) -> Alarm.Trigger {
    let fromEnd = text.hasPrefix("end:")
    let rest = fromEnd ? text.dropFirst(4) : text[...]
    let isAfter = rest.hasPrefix("-")
    if let length = try? readDuration(isAfter ? rest.dropFirst() : rest), !length.isNegative {
      let offset = isAfter ? length : length.negated
      return fromEnd ? .fromEnd(offset) : .fromStart(offset)
    }
    do throws(PhraseError) {
      let moment = try readMoment(rest, PhraseContext(now: now, zone: zones.local))
      return .absolute(moment.instant(in: zones.local))
    } catch {
      throw CallError(
        .invalidTime,
        "reminders: \"\(text)\" is neither a duration such as 15m or PT15M nor a moment")
    }
  }

  // MARK: Words and text

  private func word<Word: RawRepresentable & CaseIterable>(
    _ text: String?, key: String
  ) throws(CallError) -> Word? where Word.RawValue == String {
    guard let text, !text.isEmpty else { return nil }
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw CallError(.invalidArguments, "\(key): \"\(text)\" is none of \(known)")
    }
    return word
  }

  private func check(_ draft: EventDraft) throws(CallError) {
    try check(draft.summary, key: "summary", limit: Limit.line, lines: false)
    try check(draft.location, key: "location", limit: Limit.line, lines: true)
    try check(draft.url, key: "url", limit: Limit.line, lines: false)
    try check(draft.description, key: "description", limit: Limit.description, lines: true)
    guard draft.categories.count <= Limit.categories else {
      throw CallError(.limitsExceeded, "categories: at most \(Limit.categories)")
    }
    for category in draft.categories {
      try check(category, key: "categories", limit: Limit.line, lines: false)
    }
  }

  private func check(
    _ text: String, key: String, limit: Int, lines: Bool
  ) throws(CallError) {
    guard text.utf8.count <= limit else {
      throw CallError(
        .limitsExceeded, "\(key): \(text.utf8.count) bytes, where \(limit) are allowed")
    }
    for (position, byte) in text.utf8.enumerated() where byte < 0x20 || byte == 0x7f {
      if byte == 0x09 || (byte == 0x0a && lines) { continue }
      throw CallError(
        .invalidArguments,
        "\(key): control character \(byte) at byte \(position) (only tab"
          + (lines ? " and newline are" : " is") + " allowed)")
    }
  }
}
