import CivilTime
import Messages
import Recurrence

/// Ends of events and of recurrences.
extension QuickAssembly {
  /// When an event ends.
  struct Ends {
    var end: QuickPhrase.End?
    /// The piece that gives the end.
    var piece: QuickPiece?
    /// The last day of a recurrence.
    var until: CivilDate?
    /// The number of consecutive days: "mon-wed 9:00-10:00".
    var days: Int?
  }

  /// Finds when the event and its recurrence end.
  ///
  /// - Parameter length: The piece with the duration; nil for none.
  mutating func readEnds(
    _ start: Moment, _ form: QuickClock.Form, isRepeating: Bool, _ length: QuickPiece?
  ) throws(PhraseError) -> Ends {
    let lastDay = try only { if case .end(let end) = $0.content { end.day != nil } else { false } }
    let lastTime = try only {
      if case .end(let end) = $0.content { end.clock != nil && end.day == nil } else { false }
    }
    let first = start.day(in: context.zone)
    var day: CivilDate?
    var clock: QuickClock?
    if case .end(let end)? = lastDay?.content, let lastDay {
      day = try end.day?.date(from: first, in: scanner, at: end.start)
      clock = end.clock
      if let day, day < first {
        throw fault(
          UserText(
            "the end {end} is before the start {start}",
            ["end": day.description, "start": first.description]), at: lastDay, example: "3-5 Dec")
      }
    }
    let isDate = if case .date = start { true } else { false }
    if let day, let lastDay, clock == nil {
      if isRepeating {
        var end: QuickPhrase.End?
        if let lastTime { end = try self.end(lastTime, start, form, on: nil) }
        return Ends(end: end, piece: lastTime, until: day)
      }
      if !isDate, day > first, lastTime != nil || length != nil {
        // The hours apply to each day; a single long event would have its end time after its end
        // day.
        let end = try lastTime.map { piece throws(PhraseError) in
          try self.end(piece, start, form, on: nil)
        }
        return Ends(end: end, piece: lastTime, days: day.days(since: first) + 1)
      }
      guard isDate, lastTime == nil else {
        throw fault(
          UserText(
            "the time with \"{text}\" could be one long event or one event a day",
            ["text": slice(lastDay)]), at: lastDay,
          example: "fri 18:00 to sun 16:00")
      }
      return Ends(end: .moment(.date(try scanner.inRange(day.adding(days: 1)))), piece: lastDay)
    }
    guard let piece = lastDay ?? lastTime else { return Ends() }
    if let lastDay, let lastTime { throw contradiction(lastDay, lastTime) }
    guard !isDate else {
      throw fault(
        UserText("\"{text}\" is an end, but there is no start", ["text": slice(piece)]), at: piece)
    }
    return Ends(end: try end(piece, start, form, on: day), piece: piece)
  }

  /// Returns the end that a piece gives.
  ///
  /// - Parameter day: The day on which it ends; nil if only a time is given.
  private mutating func end(
    _ piece: QuickPiece, _ start: Moment, _ form: QuickClock.Form, on day: CivilDate?
  ) throws(PhraseError) -> QuickPhrase.End {
    guard case .end(let end) = piece.content, let clock = end.clock else {
      return .length(.zero)
    }
    let begin =
      if case .local(let reading) = start { reading } else {
        context.zone.reading(at: start.instant(in: context.zone))
      }
    if case .date = start {
      throw fault(
        UserText("\"{text}\" is an end, but there is no start", ["text": slice(piece)]), at: piece)
    }
    var time = clock.time
    if clock.form == .bare, form == .settled, day == nil, (1...12).contains(time.hour) {
      // "9am-5": the next time that a 12-hour clock shows 5.
      let hour = time.hour % 12
      let morning = TimeOfDay(hour: hour, minute: 0) ?? time
      let evening = TimeOfDay(hour: hour + 12, minute: 0) ?? time
      time = morning > begin.time || evening <= begin.time ? morning : evening
    } else {
      time = try settled(clock, nil)
    }
    if let day {
      let date = clock.isEndOfDay ? try scanner.inRange(day.adding(days: 1)) : day
      let reading = CivilDateTime(date, time)
      guard reading > begin else {
        throw fault(
          UserText(
            "the end {end} is not after the start {start}",
            ["end": reading.description, "start": begin.description]), at: piece,
          example: "fri 18:00 to sun 16:00")
      }
      return .moment(.local(reading))
    }
    guard time != begin.time else {
      throw fault(
        UserText("the start and the end are both {time}", ["time": time.hourAndMinute]), at: piece,
        example: "9:00-10:00")
    }
    // An end with an earlier time is on the next day: a night, but not "12:30-11:30".
    let hours = Int(time.secondOfDay + 86_400 - begin.time.secondOfDay) / 3600
    if time < begin.time, time != .midnight, hours >= (begin.time.hour < 16 ? 12 : 18) {
      throw fault(
        UserText(
          hours,
          one: """
            {start} to {end} ends before it starts, or lasts {count} hour until the next day
            """,
          other: """
            {start} to {end} ends before it starts, or lasts {count} hours until the next day
            """, ["start": begin.time.hourAndMinute, "end": time.hourAndMinute]), at: piece,
        example: "fri 12:30 to sat 11:30")
    }
    let date =
      time > begin.time ? begin.date : try scanner.inRange(begin.date.adding(days: 1))
    return .moment(.local(CivilDateTime(date, time)))
  }

  /// Returns the recurrence rule, with the end that the text gives.
  ///
  /// - Parameter days: The number of occurrences, if the text gives none itself.
  func rule(
    _ repeating: QuickRepeat, _ start: Moment, until: CivilDate?, days: Int? = nil
  ) throws(PhraseError) -> RecurrenceRule {
    let countPiece = try only { if case .count = $0.content { true } else { false } }
    var text = repeating.ruleText
    if let until {
      if let countPiece {
        let last = pieces.first {
          if case .end(let end) = $0.content { end.day != nil } else { false }
        }
        if let last { throw contradiction(countPiece, last) }
      }
      // UNTIL has the type of the start: a day, or an instant in UTC.
      if case .date = start {
        text += ";UNTIL=\(until.basicText)"
      } else {
        let last = CivilDateTime(until, TimeOfDay(secondOfDay: 86_399) ?? .midnight)
        text += ";UNTIL=\(context.zone.instant(of: last).basicText)"
      }
    } else if let days {
      text += ";COUNT=\(days)"
    } else if case .count(let count)? = countPiece?.content {
      text += ";COUNT=\(count)"
    }
    do throws(RecurrenceError) {
      return try RecurrenceRule(text: text)
    } catch {
      throw fault(error.reason, at: countPiece, example: "every monday 9:00 10 times")
    }
  }
}
