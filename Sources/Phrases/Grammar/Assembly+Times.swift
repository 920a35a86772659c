import CivilTime
import Messages
import Recurrence

/// The days and times of an event, once its hours are settled.
extension Assembly {
  /// Returns the event, or two where people would differ over the day.
  func timed(_ pieces: Pieces) throws(PhraseRefusal) -> [PhraseReading] {
    if let elapsed = pieces.elapsed { return [try counted(elapsed, pieces)] }
    if let repeats = pieces.repeats { return [try series(repeats, pieces)] }
    guard let day = pieces.when.day else {
      guard let time = startTime(pieces.when) else {
        throw PhraseRefusal(UserText("there is no day and no time in it"))
      }
      return [try once(on: try nextDay(of: time), time, pieces)]
    }
    guard !day.isFrame else {
      throw refusal(.when, where: Self.hasDay) {
        UserText("\"{words}\" is a week or a month, and no day", ["words": $0])
      }
    }
    let time = startTime(pieces.when)
    switch start(day, pieces.when, time) {
    case .none(let reason):
      throw refusal(.when, where: Self.hasDay) {
        UserText("\"{words}\": {reason}", ["words": $0, "reason": reason])
      }
    case .one(let date):
      if date < setting.today, day.isNearby, !setting.takesPast {
        var refusal = refusal(.when, where: Self.hasDay) {
          UserText("\"{words}\" has passed: {date}", ["words": $0, "date": date.description])
        }
        refusal.isFinal = true
        throw refusal
      }
      return [try once(on: date, time, pieces)]
    case .either(let first, let second):
      return [try once(on: first, time, pieces), try once(on: second, time, pieces)]
    }
  }

  static func hasDay(_ value: Value) -> Bool {
    day(value) != nil
  }

  struct StartTime {
    var time: TimeOfDay
    var daysLater = 0
  }

  func startTime(_ when: When) -> StartTime? {
    if let clock = when.clock { return StartTime(time: clock.time, daysLater: clock.daysLater) }
    return when.part.map { StartTime(time: $0.usualTime) }
  }

  /// The first day on which a time is still to come.
  private func nextDay(of start: StartTime) throws(PhraseRefusal) -> CivilDate {
    let isPast =
      start.daysLater == 0 && start.time <= setting.earliest.time && !setting.takesPast
    guard let day = setting.earliest.date.adding(days: isPast ? 1 : 0) else { throw outOfRange }
    return day
  }

  /// A weekday of which the time has passed today is that of the next week.
  private func start(_ day: DayReference, _ when: When, _ time: StartTime?) -> ResolvedDay {
    var day = day
    // "10 August - 12 September 2013": the year is that of both.
    if day.isOpen, let end = when.endDay, !end.isOpen,
      case .one(let last) = resolved(end)
    {
      day = day.inYear(last.year)
      if case .one(let first) = resolved(day),
        first > last, let earlier = when.day
      {
        day = earlier.inYear(last.year - 1)
      }
    }
    let found = resolved(
      day,
      takesFrom: when.endDay != nil && time == nil || setting.takesPast || setting.start != nil)
    guard case .weekday = day, case .either(let first, let second) = found, let time,
      first == setting.today, time.daysLater == 0, CivilDateTime(first, time.time) <= setting.now
    else { return found }
    return .one(second)
  }

  /// Returns a day by the setting.
  func resolved(
    _ day: DayReference, from: CivilDate? = nil, takesFrom: Bool = false
  ) -> ResolvedDay {
    day.resolved(
      today: setting.today, from: from ?? setting.start?.date ?? setting.today,
      firstWeekday: setting.customs.firstWeekday, takesFrom: takesFrom)
  }

  var outOfRange: PhraseRefusal {
    PhraseRefusal(UserText("it is out of the years 1 to 9999"))
  }

  // MARK: One event

  private func once(
    on date: CivilDate, _ start: StartTime?, _ pieces: Pieces
  ) throws(PhraseRefusal) -> PhraseReading {
    guard let start else { return try allDay(from: date, pieces) }
    guard let date = date.adding(days: start.daysLater) else { throw outOfRange }
    let reading = CivilDateTime(date, start.time)
    if case .relative(Length())? = pieces.when.day, reading < setting.now, !setting.takesPast,
      pieces.when.clock == nil
    {
      throw PhraseRefusal(UserText("that time has passed today"), isFinal: true)
    }
    var result = PhraseReading(start: .local(reading))
    result.end = try end(after: reading, pieces)
    if let begin = setting.start, case .weekday? = pieces.when.day, reading <= begin {
      // Nobody means a whole week.
      throw refusal(.when) { _ in
        UserText(
          "the end {end} is not after the start {start}",
          ["end": "\(reading)", "start": "\(begin)"])
      }
    }
    return result
  }

  private func allDay(
    from date: CivilDate, _ pieces: Pieces
  ) throws(PhraseRefusal) -> PhraseReading {
    var result = PhraseReading(start: .date(date))
    if let last = pieces.when.endDay {
      let end = try lastDay(last, from: date)
      result.end = end.adding(days: 1).map { .date($0) }
    }
    if let duration = pieces.duration {
      guard result.end == nil, duration.isWhole, let end = duration.added(to: date) else {
        throw PhraseRefusal(UserText("it has a duration, and no time at which it begins"))
      }
      result.end = .date(end)
    }
    return result
  }

  func lastDay(
    _ day: DayReference, from date: CivilDate
  ) throws(PhraseRefusal) -> CivilDate {
    switch resolved(day, from: date, takesFrom: true) {
    case .one(let last) where last >= date: return last
    case .one, .either: throw PhraseRefusal(UserText("it ends before it begins"))
    case .none(let reason): throw PhraseRefusal(reason)
    }
  }

  func end(
    after start: CivilDateTime, _ pieces: Pieces
  ) throws(PhraseRefusal) -> PhraseReading.End? {
    if let clock = pieces.when.endClock {
      guard pieces.duration == nil else {
        throw PhraseRefusal(UserText("it has an end and a duration"))
      }
      var date = start.date
      if let last = pieces.when.endDay { date = try lastDay(last, from: date) }
      guard let day = date.adding(days: clock.daysLater) else { throw outOfRange }
      var end = CivilDateTime(day, clock.time)
      guard end != start else {
        throw refusal(.when, where: Self.hasEnd) {
          UserText("\"{words}\" begins and ends at the same time", ["words": $0])
        }
      }
      if end <= start, pieces.when.endDay == nil, let next = end.adding(seconds: 86_400) {
        // Nights and long shifts end on the next day; "14:00-13:00" is a slip.
        guard next.linearSeconds - start.linearSeconds <= 16 * 3600 else {
          throw endsBefore
        }
        end = next
      }
      guard end > start else { throw PhraseRefusal(UserText("it ends before it begins")) }
      return .local(end)
    }
    guard pieces.when.endDay == nil else {
      throw PhraseRefusal(UserText("it ends on another day, and at no time"))
    }
    guard let length = pieces.duration else { return nil }
    guard let duration = length.duration, !duration.isZero else {
      throw PhraseRefusal(UserText("a duration cannot be in months here"))
    }
    // Nobody is at "physio thu 16:00 for 6 weeks" all the time.
    guard duration.days < 7 else {
      var refusal = refusal(.duration) {
        UserText("\"{words}\" may be how long it lasts, or how long it repeats", ["words": $0])
      }
      refusal.suggestions = language.examples(of: .bound)
      throw refusal
    }
    return .length(duration)
  }

  var endsBefore: PhraseRefusal {
    refusal(.when, where: Self.hasEnd) {
      UserText("\"{words}\" ends before it begins", ["words": $0])
    }
  }

  /// "in 2 hours".
  private func counted(
    _ elapsed: Length, _ pieces: Pieces
  ) throws(PhraseRefusal) -> PhraseReading {
    guard pieces.when == When(), pieces.repeats == nil, let duration = elapsed.duration,
      setting.now.adding(seconds: duration.approximateSeconds) != nil
    else { throw contradiction }
    var result = PhraseReading(start: .elapsed(duration.approximateSeconds))
    if let length = pieces.duration {
      guard let duration = length.duration else {
        throw PhraseRefusal(UserText("a duration cannot be in months here"))
      }
      result.end = .length(duration)
    }
    return result
  }
}
