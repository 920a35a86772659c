import CalendarBus
import CalendarModel
import CivilTime
import Phrases
import Platform
import Recurrence

/// Converts a caller's draft into an event or a change of one; its errors name the key.
///
/// Every draft from the bus is checked here and nowhere later.
struct EventComposer {
  let zones: ZoneContext
  /// Reads times as people write them.
  let phrases: PhraseReader
  var now: Timestamp { phrases.context.now }
  /// The time of day of a reminder that is whole days before an all-day event.
  var allDayTime = CalendarInfo.usualAllDayTime
  /// Whether the edit is of all, or all following, occurrences of a recurring event.
  var changesSeries = false

  /// - Throws: ``CallError`` of the kinds that Events.Add documents.
  func event(_ draft: EventDraft, uid: EventUID) throws(CallError) -> Event {
    let summary = draft.summary ?? ""
    try checkTitle(summary)
    guard let startMoment = draft.start else {
      throw CallError(.invalidArguments, about: "start", localized("missing"))
    }
    var draft = draft
    // "9:00 Asia/Tokyo" comes again at 9:00 there.
    if draft.timeZone == nil, case .text(let text) = startMoment {
      draft.timeZone = phrases.zoneName(in: text)
    }
    let start = try time(startMoment, key: "start", draft)
    let end = try self.end(draft, start: start)
    var event = Event(uid: uid, start: start, end: end, summary: summary)
    try checkTexts(draft)
    event.location = draft.location ?? ""
    event.description = draft.description ?? ""
    event.url = draft.url ?? ""
    event.categories = draft.categories ?? []
    let zone = try zoneRules(draft)
    let rules = try self.rules(draft.rules ?? "")
    try check(rules, start)
    event.recurrence = RecurrencePattern(
      rules: rules,
      added: try dates(draft.added ?? [], key: "rdate", like: start, zone).map {
        AddedDate(start: $0)
      },
      excluded: try dates(draft.excluded ?? [], key: "exdate", like: start, zone))
    if event.recurrence.isRecurring { try checkRepeats(start, zone) }
    event.alarms = try alarms(
      draft.reminders ?? [], present: [], start, repeats: event.recurrence.isRecurring)
    try checkDensity(event)
    try checkOccurrences(event)
    event.status = try word(draft.status, key: "status") ?? .confirmed
    event.classification = try word(draft.classification, key: "class") ?? .open
    event.isBusy = draft.isBusy ?? !start.isDate
    event.color = try draft.color.flatMap(color)
    event.created = now
    event.lastModified = now
    return event
  }

  /// Returns what a draft changes of an event.
  ///
  /// - Parameters:
  ///   - event: The occurrence that is edited, or the first one, with its own start
  ///     and end.
  /// - Throws: ``CallError`` of the kinds that Events.Update documents.
  func change(_ draft: EventDraft, of event: Event) throws(CallError) -> EventChange {
    var change = EventChange()
    if let summary = draft.summary { try checkTitle(summary) }
    try checkTexts(draft)
    change.summary = draft.summary
    change.location = draft.location
    change.description = draft.description
    change.url = draft.url
    change.categories = draft.categories
    if draft.status != nil { change.status = try word(draft.status, key: "status") ?? .confirmed }
    if draft.classification != nil {
      change.classification = try word(draft.classification, key: "class") ?? .open
    }
    change.isBusy = draft.isBusy
    if let text = draft.color { change.color = .some(try color(text)) }
    let start = try newStart(draft, of: event, &change)
    if let reminders = draft.reminders {
      change.alarms = try alarms(
        reminders, present: event.alarms, start,
        repeats: changesSeries || draft.rules?.isEmpty == false)
    }
    if draft.end != nil { change.end = try end(draft, start: start, isOfEvent: true) }
    if let text = draft.rules { change.rules = try rules(text, present: event.recurrence.rules) }
    // An imported all-day event may keep rules that are refused in a draft.
    let present = event.recurrence.rules
    if !event.start.isDate {
      try check(change.rules ?? (changesSeries ? present : []), start)
    } else if let rules = change.rules, rules != present {
      try check(rules, start)
    }
    if change.start != nil, changesSeries || change.rules?.isEmpty == false {
      let own = try asInvalidTime { () throws(CivilTimeError) in
        try event.start.zoneRules(in: zones)
      }
      try checkRepeats(start, draft.timeZone == nil ? own : zoneRules(draft))
    }
    let zone = try asInvalidTime { () throws(CivilTimeError) in try start.zoneRules(in: zones) }
    if let added = draft.added {
      change.added = try dates(added, key: "rdate", like: start, zone).map { AddedDate(start: $0) }
    }
    if let excluded = draft.excluded {
      change.excluded = try dates(excluded, key: "exdate", like: start, zone)
    }
    return change
  }

  /// - Throws: ``CallError`` for an event with far too many reminders a day.
  func checkDensity(_ event: Event) throws(CallError) {
    guard event.recurrence.isTooDenseToRing, event.alarms.contains(where: { $0.action != .none })
    else { return }
    throw CallError(
      .invalidRecurrence, about: "reminders",
      localized(
        RecurrencePattern.mostInstancesToRing,
        one: """
          an event that repeats more than {count} time a day cannot have reminders; remove them, \
          or repeat it less often
          """,
        other: """
          an event that repeats more than {count} times a day cannot have reminders; remove them, \
          or repeat it less often
          """))
  }

  /// - Throws: ``CallError`` for a rule without any occurrence, and where every occurrence is
  ///   excluded.
  func checkOccurrences(_ event: Event) throws(CallError) {
    guard event.recurrence.isRecurring else {
      guard event.recurrence.excluded.isEmpty else {
        throw CallError(
          .invalidRecurrence, about: "exdate",
          localized("the event does not repeat, so no occurrence can be excluded"))
      }
      return
    }
    let (idle, isEmpty) = try asInvalidTime { () throws(CivilTimeError) in
      (
        try event.idleRules(context: zones),
        try EventSeries(calendar: CalendarID(""), master: event)
          .occurrences(in: .always, context: zones, limit: 1).isEmpty
      )
    }
    if let rule = idle.first {
      throw CallError(
        .invalidRecurrence, about: "rrule",
        rule.until == nil
          ? localized(
            "{rule} has no occurrence at or after the start {start}",
            ["rule": rule.text, "start": event.start.reading.description])
          : localized(
            """
            {rule} has no occurrence at or after the start {start}; check whether its UNTIL is \
            before that
            """, ["rule": rule.text, "start": event.start.reading.description]))
    }
    guard !isEmpty else {
      throw CallError(
        .invalidRecurrence, about: "exdate",
        localized("these dates exclude every occurrence; exclude fewer"))
    }
  }

  // MARK: Recurrence and alarms

  /// - Throws: ``CallError`` for a rule with times on an all-day event.
  ///
  /// Source: RFC 5545 section 3.3.10 (BYSECOND, BYMINUTE, BYHOUR).
  private func check(_ rules: [RecurrenceRule], _ start: EventTime) throws(CallError) {
    guard start.isDate, let rule = rules.first(where: \.hasTimes) else { return }
    throw CallError(
      .invalidRecurrence, about: "rrule",
      localized(
        """
        {rule} has hours, minutes or seconds, but an all-day event has none; add a time to the \
        start, or repeat it by days
        """, ["rule": rule.text]))
  }

  /// - Parameter present: the event's rules, which are allowed unchanged: they may be imported.
  private func rules(
    _ text: String, present: [RecurrenceRule] = []
  ) throws(CallError) -> [RecurrenceRule] {
    var rules: [RecurrenceRule] = []
    for line in text.split(separator: "\n") {
      let rule: RecurrenceRule
      do throws(RecurrenceError) { rule = try RecurrenceRule(text: line) } catch {
        throw CallError(.invalidRecurrence, about: "rrule", localized(error.text))
      }
      guard rule.count == nil || rule.until == nil || present.contains(rule) else {
        throw CallError(
          .invalidRecurrence, about: "rrule",
          localized(
            "{rule} has both COUNT and UNTIL, but RFC 5545 allows only one; remove one",
            ["rule": rule.text]))
      }
      rules.append(rule)
    }
    try checkLimit("rrule", rules.count, .rules, most: Limit.rules)
    return rules
  }

  /// Returns the alarms for some texts; an existing alarm among them keeps its properties.
  ///
  /// - Parameter start: the event's start, which a time of day is relative to.
  private func alarms(
    _ texts: [String], present: [Alarm], _ start: EventTime, repeats: Bool
  ) throws(CallError) -> [Alarm] {
    try checkLimit("reminders", texts.count, .entries, most: Limit.reminders)
    var triggers: [(trigger: Alarm.Trigger, isOnClock: Bool)] = []
    for text in texts where text != "none" {
      // On an all-day event "9:00" means 9:00 even on a day when the clock changes.
      var isOnClock = false
      if start.isDate, case .time? = try? readReminder(text) { isOnClock = true }
      if start.isDate, daysBefore(text) != nil { isOnClock = true }
      triggers.append((try trigger(text, start, repeats: repeats), isOnClock))
    }
    var alarms: [Alarm] = []
    let silent = present.filter { $0.action == .none }
    if texts.contains("none") { alarms = silent.isEmpty ? [.silent] : silent }
    for alarm in present where alarm.action != .none {
      // A trigger that a client sends back unchanged means the existing alarm.
      let index = triggers.firstIndex {
        $0.trigger == alarm.trigger && (alarm.isOnClock || !$0.isOnClock)
      }
      guard let index else { continue }
      triggers.remove(at: index)
      alarms.append(alarm)
    }
    var number = present.count
    for (trigger, isOnClock) in triggers {
      repeat { number += 1 } while present.contains { $0.id == String(number) }
      var alarm = Alarm(id: String(number), trigger: trigger)
      alarm.isOnClock = isOnClock
      alarms.append(alarm)
    }
    return alarms
  }

  /// Returns the days of "2d" or "1 week before"; nil for "P2D", which counts from midnight, and for
  /// anything that is not whole days.
  private func daysBefore(_ text: String) -> Int? {
    guard !["P", "p", "start"].contains(where: text.hasPrefix),
      case .fromStart(let offset)? = try? readReminder(text), offset.isNegative,
      offset.seconds == 0
    else { return nil }
    return Int(-offset.days)
  }

  /// Reads a reminder.
  ///
  /// "15m" and "PT15M" are before the start, "-15m", "-PT15M" and "start:-15m" after it, "end:PT5M"
  /// before the end; likewise "start", "start+15m", "end-5m". "9:00" is on the day, "1d 18:00" on
  /// the day before. "2d" of an all-day event is two days before, at ``allDayTime``. Anything else is
  /// a date and time.
  private func trigger(
    _ text: String, _ start: EventTime, repeats: Bool
  ) throws(CallError) -> Alarm.Trigger {
    // As a date and time, "+15m" would count from now.
    if text.hasPrefix("+"), (try? readDuration(text.dropFirst())) != nil {
      throw CallError(
        .invalidTime, about: "reminders",
        localized(
          """
          "{value}" is ambiguous: use {before} (before the start), {after} (after the start) or \
          {end} (after the end)
          """,
          [
            "value": text, "before": text.dropFirst(), "after": "start\(text)",
            "end": "end\(text)",
          ]))
    }
    if start.isDate, let days = daysBefore(text) {
      let time = ReminderTime(daysBefore: days, time: allDayTime)
      return .fromStart(CalendarDuration(seconds: time.seconds(after: .midnight)))
    }
    switch try? readReminder(text) {
    case .fromStart(let offset)?: return .fromStart(offset)
    case .fromEnd(let offset)?: return .fromEnd(offset)
    case .time(let clock)?:
      // The time is in the agent's zone, whatever zone the event is in.
      if start.isDate {
        return .fromStart(CalendarDuration(seconds: clock.seconds(after: .midnight)))
      }
      let first = try instant(of: start)
      let begin = zones.local.reading(at: first)
      let length = clock.seconds(after: begin.time)
      // The clock may change in between, and differently for each occurrence.
      let due = begin.adding(seconds: length).map(zones.local.instant(of:))
      let exact = repeats ? length : due.map { $0.seconds - first.seconds } ?? length
      return .fromStart(CalendarDuration(seconds: exact))
    case PhraseReminder.none?, nil: break
    }
    let fromEnd = text.hasPrefix("end:")
    let rest =
      fromEnd ? text.dropFirst(4) : text.hasPrefix("start:") ? text.dropFirst(6) : text[...]
    let isAfter = rest.hasPrefix("-")
    if let length = try? readDuration(isAfter ? rest.dropFirst() : rest), !length.isNegative {
      let offset = isAfter ? length : length.negated
      return fromEnd ? .fromEnd(offset) : .fromStart(offset)
    }
    do throws(PhraseRefusal) {
      let moment = try phrases.at(zone: zones.local).moment(rest)
      return .absolute(moment.instant(in: zones.local))
    } catch {
      throw CallError(
        .invalidTime, about: "reminders",
        localized(
          """
          "{value}" is not a duration such as 15m or PT15M, a time such as 9:00 or 1d 18:00, or a \
          date and time
          """, ["value": text]))
    }
  }
}

extension RecurrenceRule {
  /// Whether it has hours, minutes or seconds.
  fileprivate var hasTimes: Bool {
    switch frequency {
    case .secondly, .minutely, .hourly: true
    case .daily, .weekly, .monthly, .yearly:
      !hours.isEmpty || !minutes.isEmpty || !seconds.isEmpty
    }
  }
}
