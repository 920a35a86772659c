import CivilTime
import Messages
import Recurrence

/// The first occurrence and the rule of a series.
extension Assembly {
  func series(
    _ written: RepeatReading, _ pieces: Pieces
  ) throws(PhraseRefusal) -> PhraseReading {
    var repeats = written
    var from = setting.today
    var isGiven = false
    var bound = pieces.bound
    if let day = pieces.when.day {
      if let last = pieces.when.endDay {
        // "every monday from 6 april to 29 june".
        guard bound == nil, pieces.beginning == nil, !repeats.isBare || repeats.isFrequent else {
          throw contradiction
        }
        from = try firstDay(day)
        bound = .until(last)
      } else if let refined = repeats.on(day) {
        repeats = refined
      } else {
        if repeats.isBare, !repeats.isFrequent, case .weekday = day { throw whichWeekday }
        guard !day.isFrame, !day.isRecurring, pieces.beginning == nil else { throw contradiction }
        from = try firstDay(day)
        isGiven = true
      }
    }
    if let beginning = pieces.beginning {
      guard let day = beginning.day, beginning.clock == nil else { throw contradiction }
      from = try firstDay(day)
    }
    let time = startTime(pieces.when)
    if let time, time.daysLater > 0, repeats.frequency != .daily {
      throw PhraseRefusal(
        UserText("it begins at the end of a day; name the next day, and 0:00"), isFinal: true)
    }
    let isHourly = repeats.frequency == .hourly
    if isHourly, time == nil || pieces.when.endClock != nil {
      throw PhraseRefusal(UserText("it needs a time at which the hours begin, and no end"))
    }
    // "every 8 hours from 9:00" begins at the next 9:00.
    let days = isHourly ? RepeatReading(.daily) : repeats
    let text = days.text(ignoringInterval: true)
    guard
      let rule = try? RecurrenceRule(text: repeats.text(weekStart: setting.customs.firstWeekday)),
      let every = try? RecurrenceRule(text: text)
    else { throw PhraseRefusal(UserText("there is no such recurrence")) }
    guard let first = first(of: every, isBare: repeats.isBare, from: from, time) else {
      throw PhraseRefusal(UserText("the recurrence has no day"))
    }
    if isGiven, first.date != from {
      throw PhraseRefusal(
        UserText("{date} is not a day of the recurrence", ["date": from.description]))
    }
    var result = PhraseReading(
      start: time == nil ? .date(first.date) : .local(first))
    result.end = try seriesEnd(first, isTimed: time != nil, pieces)
    result.rule = try bounded(rule, bound, first.date)
    result.notes += SkippedMonths.notes(of: repeats)
    return result
  }

  /// A series without some of its days, where no rule reads it: "every weekday 9:00 except holidays".
  var exception: PhraseRefusal? {
    let series = items.filter { $0.symbol == .repeats }.count
    func isHyphen(_ token: Int) -> Bool {
      chart.tokens.indices.contains(token) && chart.tokens[token].text == "-"
        && chart.tokens[token].isGlued
    }
    let except = chart.items.first { item in
      let start = item.start
      // "skip-level"
      guard item.symbol == .except, (start..<item.end).contains(where: isLeftWord),
        !chart.isInOrdinary(start),
        !isHyphen(start - 1), !isHyphen(item.end)
      else { return false }
      // "every day 9:00, fridays off", but not "fridays off" alone.
      if item.value == .integer(2) { return series > 1 }
      // 站会，除周三 and 站会 除周三, but not 大扫除.
      return item.value == .none || start > 0 && !isLeftWord(start - 1)
        || !language.titles.usesBlanks && !chart.tokens[start].isGlued
    }
    guard series > 0, let except else { return nil }
    let range = range(except.start, except.end)
    return PhraseRefusal(
      UserText(
        """
        "{words}": exceptions are not read; add the series without them, then remove those days \
        with calctl rm "TITLE@DATE"; or put the title in quotation marks
        """, ["words": text(range)]), fault: range, saysAll: true)
  }

  /// "every month on friday" may be every friday, or one of the month.
  private var whichWeekday: PhraseRefusal {
    var refusal = refusal(.when, where: Self.hasDay) {
      UserText("\"{words}\" may be each of them, or only one", ["words": $0])
    }
    refusal.suggestions = language.examples(of: .weekdayOfMonth)
    return refusal
  }

  private func seriesEnd(
    _ first: CivilDateTime, isTimed: Bool, _ pieces: Pieces
  ) throws(PhraseRefusal) -> PhraseReading.End? {
    var pieces = pieces
    pieces.when.endDay = nil
    guard !isTimed else { return try end(after: first, pieces) }
    guard pieces.duration == nil else {
      throw PhraseRefusal(UserText("it has a duration, and no time at which it begins"))
    }
    return nil
  }

  private func firstDay(_ day: DayReference) throws(PhraseRefusal) -> CivilDate {
    if case .month(let month, let year) = day {
      return try firstDay(.monthDay(month: month, day: 1, year: year))
    }
    if case .months(let months) = day { return try firstDay(.dayInMonth(1, months: months)) }
    if case .week(let weeks) = day {
      return try firstDay(.weekdayInWeek(setting.customs.firstWeekday ?? .monday, weeks: weeks))
    }
    switch resolved(day, takesFrom: true) {
    case .one(let date): return date
    case .none(let reason): throw PhraseRefusal(reason)
    case .either(let first, let second):
      throw PhraseRefusal(
        UserText(
          "it could begin on {first} or {second}",
          ["first": first.description, "second": second.description]))
    }
  }

  /// The first occurrence, which is never in the past.
  private func first(
    of rule: RecurrenceRule, isBare: Bool, from: CivilDate, _ time: StartTime?
  ) -> CivilDateTime? {
    // The start of a set is an instance even where it does not match: so it is a day before.
    guard let from = from.adding(days: time?.daysLater ?? 0),
      let before = from.adding(days: isBare ? 0 : -1)
    else { return nil }
    let time = time?.time
    let set = RecurrenceSet(
      start: CivilDateTime(before, time ?? .midnight), isAllDay: time == nil, zone: .utc,
      rules: [rule])
    let start = CivilDateTime(from, time ?? .midnight)
    let earliest = time == nil || start > setting.now ? start : setting.now
    return set.first(atOrAfter: Timestamp(earliest, offset: .utc))?.reading
  }

  private func bounded(
    _ rule: RecurrenceRule, _ bound: Bound?, _ first: CivilDate
  ) throws(PhraseRefusal) -> RecurrenceRule {
    var rule = rule
    switch bound {
    case nil: break
    case .count(let count): rule.count = count
    case .until(let day):
      var last = day
      // "until May" is until May begins, or ends.
      guard !day.isFrame else {
        throw PhraseRefusal(UserText("it ends in a month or week, and on no day"))
      }
      if case .weekday(let weekday) = day { last = .thisWeekday(weekday) }
      rule.until = .date(try lastDay(last, from: first))
    case .length(let length):
      guard let end = length.added(to: first)?.adding(days: -1), end >= first else {
        throw PhraseRefusal(UserText("the recurrence ends before it begins"))
      }
      rule.until = .date(end)
    }
    return rule
  }
}
