import CalendarModel
import CivilTime
import Messages
import Recurrence

// Reads when an event begins and ends, and how it recurs.
extension EventReader {
  /// Reads a DTSTART, DTEND, DUE or RECURRENCE-ID.
  ///
  /// - Throws: ``Refusal`` for a value that is not a date or a date-time.
  mutating func time(
    _ component: Component, _ line: ContentLine, uid: String
  ) throws(Refusal) -> EventTime {
    let clock = clock(component, line, uid: uid)
    return try time(component, line, line.value, clock, uid: uid)
  }

  /// Returns the RECURRENCE-ID of a component of an unknown kind; nil if it has no valid one.
  mutating func recurrenceID(ofUnknown component: Component) -> EventTime? {
    guard let line = component.first(.recurrenceID) else { return nil }
    return try? time(component, line, uid: component.uidText)
  }

  /// The zone of readings without Z in a line.
  private enum Clock {
    case utc, floating
    case zone(String)
    /// VALUE=DATE.
    case none
  }

  private mutating func clock(
    _ component: Component, _ line: ContentLine, uid: String
  ) -> Clock {
    if let value = component.parameter("VALUE", of: line), component.isName(value, "DATE") {
      if component.parameter("TZID", of: line) != nil {
        tolerateOnce(
          component, line, "zone-ignored", UserText("a day has no time zone; TZID is ignored"),
          uid: uid)
      }
      return .none
    }
    guard let id = component.parameter("TZID", of: line) else { return .floating }
    let meaning = zones.meaning(component, id)
    if !zones.guessed.isEmpty, zones.guessed.contains(component.string(id)) {
      tolerateOnce(
        component, line, "zone-guessed",
        UserText(
          "the zone \"{zone}\" is unknown; the UTC offset in its name is used all year",
          ["zone": component.excerpt(id)]),
        uid: uid, at: id.lowerBound)
    }
    switch meaning {
    case .utc: return .utc
    case .zone(let name): return .zone(name)
    case .unknown:
      tolerate(
        component, line, "unknown-zone",
        UserText(
          """
          no zone "{zone}" is installed, and the file has no rules for it; the time is read in your \
          own time zone
          """, ["zone": component.excerpt(id)]),
        uid: uid, at: id.lowerBound)
      return .floating
    }
  }

  private mutating func time(
    _ component: Component, _ line: ContentLine, _ range: Range<Int>, _ clock: Clock,
    uid: String
  ) throws(Refusal) -> EventTime {
    let isDate = if case .none = clock { true } else { false }
    do throws(ValueFault) {
      switch try component.reading(range, isDate: isDate) {
      case .date(let date):
        if isDate == (component.trimmed(range).count > 8) {
          tolerateOnce(
            component, line, "type-mismatch",
            isDate
              ? UserText("a time with VALUE=DATE is read as its day")
              : UserText("a day without VALUE=DATE is read as a day"),
            uid: uid, at: range.lowerBound)
        }
        return .date(date)
      case .utc(let instant):
        if case .zone = clock {
          tolerateOnce(
            component, line, "zone-ignored",
            UserText("a time with Z is in UTC; TZID is ignored"),
            uid: uid, at: range.lowerBound)
        }
        return .utc(instant)
      case .local(let reading):
        switch clock {
        case .zone(let name): return .zoned(reading, zone: name)
        case .utc: return .utc(Timestamp(reading, offset: .utc))
        case .floating, .none: return .floating(reading)
        }
      }
    } catch { throw Refusal(line: line, fault: error) }
  }

  /// Reads an RRULE or EXRULE; a repeated one is ignored.
  ///
  /// An RRULE that cannot be read is reported and only stays in the text: the event is shown once.
  /// An EXRULE that cannot be read refuses the event, which would otherwise have too many
  /// occurrences.
  mutating func read(
    rule line: ContentLine, of component: Component, into event: inout Event,
    _ list: WritableKeyPath<RecurrencePattern, [RecurrenceRule]>
  ) throws(Refusal) {
    let read: RecurrenceRule?
    do throws(Refusal) { read = try rule(component, line, of: event) } catch {
      guard line.property == .rule, keepsUnreadRules else { throw error }
      let fault = ValueFault(
        word: error.fault.word,
        reason: UserText(
          "{problem}; the event is shown once, and the rule is kept for an export",
          ["problem": error.fault.reason]),
        offset: error.fault.offset)
      return tell(component, line, fault, uid: event.uid.text, severity: .tolerated)
    }
    guard let rule = read, !event.recurrence[keyPath: list].contains(rule) else { return }
    let pattern = event.recurrence
    guard pattern.rules.count + pattern.exclusionRules.count < limits.maximumRules else {
      throw Refusal(
        line: line,
        fault: ValueFault(
          word: "too-many-rules",
          reason: UserText("more than {limit} recurrence rules", ["limit": limits.maximumRules]),
          offset: line.valueStart))
    }
    event.recurrence[keyPath: list].append(rule)
  }

  private mutating func rule(
    _ component: Component, _ line: ContentLine, of event: Event
  ) throws(Refusal) -> RecurrenceRule? {
    let value = component.trimmed(line.value)
    // Some exporters write "RRULE:" for an event that does not recur.
    if value.isEmpty {
      tolerateOnce(
        component, line, "empty", EventReader.emptyValue, uid: event.uid.text)
      return nil
    }
    let text = component.string(value)
    do throws(RecurrenceError) {
      if VCalendarRule.isOne(text) {
        let translated = try VCalendarRule.translated(text, start: event.start.reading.date)
        // The stored text is read again like any other rule.
        let rule = try RecurrenceRule(text: translated).ending(
          onClockOf: event.start, rules: rules)
        if !isVCalendar {
          tolerate(
            component, line, "vcalendar-rule",
            UserText(
              "\"{value}\" is a rule of vCalendar 1.0; it is read as {rule}",
              ["value": component.excerpt(value), "rule": rule.text]),
            uid: event.uid.text, at: value.lowerBound)
        }
        mend(line, of: component, "\(line.property.text):\(rule.text)")
        return rule
      }
      let rule = try RecurrenceRule(text: text)
      let start: RecurrenceRule.StartForm =
        switch event.start {
        case .date: .date
        case .floating: .floating
        case .zoned, .utc: .zoned
        }
      for remark in rule.remarks(on: text, start: start) {
        tolerate(
          component, line, "lenient-rrule",
          UserText(
            "\"{value}\": {problem}",
            ["value": component.excerpt(value), "problem": remark.text]),
          uid: event.uid.text, at: value.lowerBound + remark.position)
      }
      let ending = rule.ending(onClockOf: event.start, rules: rules)
      if endsBeforeItBegins(ending, event) {
        tolerate(
          component, line, "ends-before-start",
          UserText(
            "\"{value}\": UNTIL is before the start, so that the event never happens",
            ["value": component.excerpt(value)]),
          uid: event.uid.text, at: value.lowerBound)
      }
      if ending != rule {
        mend(line, of: component, "\(line.property.text):\(ending.text)")
      }
      return ending
    } catch {
      let fault = ValueFault(
        word: "bad-rrule",
        reason: UserText(
          "\"{value}\": {problem}",
          ["value": component.excerpt(value), "problem": error.text]),
        offset: value.lowerBound + error.position)
      throw Refusal(line: line, fault: fault)
    }
  }

  /// Whether UNTIL of a rule is before the start of the event.
  private func endsBeforeItBegins(_ rule: RecurrenceRule, _ event: Event) -> Bool {
    guard event.anchor != .none, let end = rule.until else { return false }
    return switch end {
    case .date(let day): day < event.start.reading.date
    case .local(let reading): reading < event.start.reading
    case .instant(let instant):
      // A floating start may be up to a day off.
      event.start.zoneName == nil
        ? instant < Timestamp(event.start.reading, offset: .utc).adding(seconds: -86_400)
        : instant < self.instant(event.start)
    }
  }

  /// Reads the values of an RDATE or EXDATE; an empty line is ignored.
  ///
  /// A date in a timed series, or a time in an all-day one, is reported. A value that cannot be
  /// read is reported and only stays in the text.
  ///
  /// - Throws: ``Refusal`` for too many values.
  mutating func read(
    dates line: ContentLine, of component: Component, into event: inout Event, uid: String
  ) throws(Refusal) {
    if component.trimmed(line.value).isEmpty {
      return tolerateOnce(component, line, "empty", EventReader.emptyValue, uid: uid)
    }
    let clock = clock(component, line, uid: uid)
    for part in component.list(line.value) where !component.trimmed(part).isEmpty {
      let known = event.recurrence.added.count + event.recurrence.excluded.count
      guard known + unreadDates < limits.maximumDates else {
        let reason = UserText(
          "more than {limit} values of RDATE and EXDATE", ["limit": limits.maximumDates])
        throw Refusal(
          line: line,
          fault: ValueFault(word: "too-many-dates", reason: reason, offset: part.lowerBound))
      }
      do throws(Refusal) {
        try read(date: part, of: line, component, clock, into: &event, uid: uid)
      } catch {
        // They stay in the text, so they count.
        unreadDates += 1
        tell(component, line, error.fault, uid: uid, severity: .tolerated)
      }
    }
  }

  /// Reads one value of an RDATE or EXDATE.
  private mutating func read(
    date part: Range<Int>, of line: ContentLine, _ component: Component, _ clock: Clock,
    into event: inout Event, uid: String
  ) throws(Refusal) {
    let slash = component.octets[part].firstIndex(of: .slash)
    let start = try time(
      component, line, part.lowerBound..<(slash ?? part.upperBound), clock, uid: uid)
    if start.isDate != event.start.isDate, event.anchor != .none {
      tolerate(
        component, line, "type-mismatch", mismatch(line, start), uid: uid, at: part.lowerBound)
    }
    if line.property == .excludedDates {
      if let slash {
        tolerate(
          component, line, "bad-period",
          UserText("an excluded date cannot be a period; its start is used"), uid: uid, at: slash)
      }
      event.recurrence.excluded.append(start)
    } else if let slash {
      let end = try periodEnd(
        component, line, start, slash + 1..<part.upperBound, clock, uid: uid)
      event.recurrence.added.append(AddedDate(start: start, end: end))
    } else {
      event.recurrence.added.append(AddedDate(start: start))
    }
  }

  /// The report for a value of another form than the start.
  private func mismatch(_ line: ContentLine, _ time: EventTime) -> UserText {
    guard time.isDate else { return UserText("a time in a series of days is read as its day") }
    return line.property == .excludedDates
      ? UserText("a day in a series with times excludes all occurrences on it")
      : UserText("a day in a series with times adds an occurrence at the time of the start")
  }

  /// Reads what follows the slash of a PERIOD.
  private mutating func periodEnd(
    _ component: Component, _ line: ContentLine, _ start: EventTime, _ range: Range<Int>,
    _ clock: Clock, uid: String
  ) throws(Refusal) -> EventEnd {
    func bad(_ reason: UserText) -> Refusal {
      Refusal(
        line: line, fault: ValueFault(word: "bad-period", reason: reason, offset: range.lowerBound))
    }
    let value = component.trimmed(range)
    guard let first = value.first else { throw bad(UserText("the period has no end")) }
    if component.octets[first].isDigit {
      let end = try time(component, line, value, clock, uid: uid)
      guard !start.isDate, !end.isDate else {
        throw bad(UserText("a period has times, not days"))
      }
      // Both are in the zone of the line, so its rules are not needed.
      guard isBefore(start, end) else {
        throw bad(UserText("the period does not end after its start"))
      }
      return .time(end)
    }
    do throws(ValueFault) {
      let duration = try component.duration(value)
      guard !duration.isNegative, !duration.isZero else {
        throw bad(UserText("the period has no length")).fault
      }
      return .duration(duration)
    } catch { throw bad(error.reason) }
  }

  /// Whether one time is before another, as far as their zones are known.
  private func isBefore(_ first: EventTime, _ second: EventTime) -> Bool {
    if first.zoneName == second.zoneName || first.zoneName == nil || second.zoneName == nil {
      return first.reading < second.reading
    }
    return instant(first) < instant(second)
  }

  private func instant(_ time: EventTime) -> Timestamp {
    if case .zoned(let reading, let zone) = time, let rules = rules(zone) {
      return rules.instant(of: reading)
    }
    return Timestamp(time.reading, offset: .utc)
  }

  /// Reports a DURATION or TRIGGER without a number; it is read as 0 and stays in the text.
  mutating func noteLength(_ line: ContentLine, of component: Component, uid: String) {
    guard component.hasNoLength(line.value) else { return }
    tolerate(
      component, line, "bad-duration",
      UserText(
        "\"{value}\" has no number; it is read as 0", ["value": component.excerpt(line.value)]),
      uid: uid)
  }

  /// Returns the end from DTEND, DUE or DURATION.
  mutating func end(
    _ component: Component, _ startLine: ContentLine, _ start: EventTime, finish: ContentLine?,
    duration: ContentLine?, uid: String
  ) throws(Refusal) -> EventEnd {
    // An empty DTEND is ignored.
    if let finish, !component.trimmed(finish.value).isEmpty {
      var end: EventTime
      do throws(Refusal) { end = try time(component, finish, uid: uid) } catch {
        // The start is valid, so the event is kept.
        tell(component, error.line ?? finish, error.fault, uid: uid, severity: .tolerated)
        return try self.end(
          component, startLine, start, finish: nil, duration: duration, uid: uid)
      }
      if let duration {
        tolerate(
          component, duration, "both-end-and-duration",
          UserText(
            "it is ignored, since there is a {property}", ["property": finish.property.text]),
          uid: uid)
      }
      let name = finish.property.text
      if end.isDate != start.isDate {
        tolerate(
          component, finish, "type-mismatch",
          UserText(
            """
            of DTSTART and {property} one is a day and one has a time; {property} was read like DTSTART
            """, ["property": name]),
          uid: uid)
        end = start.like(end)
      }
      if start.isDate, end == start {
        tolerateOnce(
          component, finish, "end-before-start",
          UserText("the end of a day is on the same day; the event lasts one day"),
          uid: uid)
      }
      guard checksOrder, isBefore(end, start) else { return .time(end) }
      let (first, last) = ("\(start.reading)", "\(end.reading)")
      if finish.property == .due {
        // People move a due date and forget the start.
        tolerate(
          component, finish, "due-before-start",
          UserText(
            "the end {end} is before the start {start}; it is due when it starts",
            ["end": last, "start": first]),
          uid: uid)
        return .time(end)
      }
      tolerate(
        component, finish, "end-before-start",
        UserText(
          "the end {end} is before the start {start}; it ends when it starts",
          ["end": last, "start": first]),
        uid: uid)
      let text = component.string(startLine.name.upperBound..<startLine.end)
      mend(finish, of: component, "DTEND" + text)
      return .time(start)
    }
    guard let duration, !component.trimmed(duration.value).isEmpty else { return .none }
    do throws(ValueFault) {
      let length = try component.duration(duration.value)
      guard !length.isNegative else {
        throw ValueFault(
          word: "bad-duration", reason: UserText("a duration cannot be negative"),
          offset: duration.valueStart)
      }
      noteLength(duration, of: component, uid: uid)
      return .duration(length)
    } catch {
      // The start is valid, so the event is kept.
      tell(component, duration, error, uid: uid, severity: .tolerated)
      return .none
    }
  }
}

extension EventTime {
  /// Returns an end in the form of this start, and not before it.
  ///
  /// A date becomes midnight in the zone of the start, a time becomes its date.
  fileprivate func like(_ end: EventTime) -> EventTime {
    let reading = end.reading
    switch self {
    case .date: return .date(reading.date)
    case .floating(let start): return .floating(max(start, reading))
    case .zoned(let start, let zone): return .zoned(max(start, reading), zone: zone)
    case .utc(let start): return .utc(max(start, Timestamp(reading, offset: .utc)))
    }
  }
}
