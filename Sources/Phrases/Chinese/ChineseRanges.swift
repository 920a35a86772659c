import CivilTime

extension RuleTable {
  /// From one time or day to another: 下午3-5点, 3月20日到22日, 今晚10点到明早6点.
  mutating func addChineseRanges() {
    addChineseHours()
    addChineseDayRanges()
    add(.when, [.maybe(.from), .one(.when), .one(.to), .one(.when)]) {
      guard let first = $0.when(1), let last = $0.when(3), let day = first.day,
        let clock = first.clock, let end = last.clock, last.day != nil, last.endClock == nil,
        first.endClock == nil, first.endDay == nil, last.endDay == nil,
        let lastDay = last.day, Self.isClear(end, on: lastDay, after: clock, on: day)
      else { return nil }
      return .when(When(day: day, endDay: last.day, clock: clock, endClock: end))
    }
    // 今晚八点到九点
    add(.when, [.maybe(.from), .one(.when), .one(.to), .one(.clock)]) {
      guard var when = $0.when(1), when.day != nil, when.clock != nil, when.endClock == nil,
        when.endDay == nil
      else { return nil }
      when.endClock = $0.clock(3)
      return .when(when)
    }
    // 下午2点到明天下午3点
    add(.when, [.maybe(.from), .one(.clock), .one(.to), .one(.when)]) {
      guard let last = $0.when(3), let day = last.day, let start = $0.clock(1),
        let end = last.clock, last.endClock == nil, last.endDay == nil,
        Self.isClear(end, on: day, after: start, on: .relative(Length()))
      else { return nil }
      return .when(
        When(day: .relative(Length()), endDay: day, clock: $0.clock(1), endClock: last.clock))
    }
  }

  /// Whether the half of an end on another day is clear: 今晚10点到明天6点 is one night, and of
  /// 周五9点到周日8点 nothing says it.
  private static func isClear(
    _ end: ClockReading, on last: DayReference, after start: ClockReading, on first: DayReference
  ) -> Bool {
    guard end.isBare, !end.isDigital, first != last else { return true }
    guard !start.isBare, end.hour % 12 * 60 + end.minute + 720 <= start.minutes else {
      return false
    }
    switch (first, last) {
    case (.relative(let first), .relative(let last)): return last == first + .day
    case (.weekday(let first), .weekday(let last)): return last.days(since: first) == 1
    default: return false
    }
  }

  private mutating func addChineseHours() {
    for (start, end) in [
      (Symbol.clock, Symbol.clock), (.hour, .clock), (.clock, .hour), (.hour, .hour),
    ] {
      add(.hours, [.maybe(.from), .one(start), .one(.to), .one(end)]) {
        guard let start = $0.clock(1), let end = $0.clock(3) else { return nil }
        return .when(When(clock: start, endClock: end))
      }
    }
    for end in [Symbol.clock, .hour] {
      add(.hours, [.maybe(.from), .one(.number), .one(.to), .one(end)]) {
        guard let start = ClockReading($0.integer(1)), let end = $0.clock(3), !end.isDigital else {
          return nil
        }
        return .when(When(clock: start, endClock: end))
      }
      for part in [Symbol.part, .amLetter, .pmLetter] {
        add(.hours, [.maybe(.from), .one(part), .one(.number), .one(.to), .one(end)]) {
          guard let end = $0.clock(4), !end.isDigital,
            case .clock(let start)? = Self.time(ClockReading($0.integer(2)), in: $0.part(1))
          else { return nil }
          return .when(When(clock: start, endClock: end))
        }
      }
    }
    add(.when, .hours) { $0.when(0).map { .when($0) } }
  }

  private mutating func addChineseDayRanges() {
    for first in [Symbol.day, .monthDay] {
      add(.when, [.maybe(.from), .one(first), .one(.to), .one(.day)]) {
        guard let first = $0.day(1), let last = $0.day(3) else { return nil }
        switch (first, last) {
        case (.monthDay(let month, let day, let year), .dayOfMonth(let end)):
          guard end > day, case .day(let last)? = Self.monthDay(month, end, year: year)
          else { return nil }
          return .when(When(day: first, endDay: last))
        case (.dayInMonth(let day, let months), .dayOfMonth(let end)):
          guard end > day else { return nil }
          return .when(When(day: first, endDay: .dayInMonth(end, months: months)))
        case (.dayOfMonth(let day), .monthDay(_, let end, _)) where end <= day: return nil
        case (.dayOfMonth, .monthDay): return nil
        case (.weekdayInWeek(_, let weeks), .weekday(let weekday)):
          return .when(When(day: first, endDay: .weekdayInWeek(weekday, weeks: weeks)))
        case (.weekday, .weekday), (.dayOfMonth, .dayOfMonth):
          guard first != last else { return nil }
        default: break
        }
        return .when(When(day: first, endDay: last))
      }
      // 3月20-22日, 2021年9月12-19日
      add(.when, [.maybe(.from), .one(first), .one(.to), .one(.dayNumber)]) {
        guard case .monthDay(let month, let day, let year)? = $0.day(1), $0.integer(3) > day,
          case .day(let last)? = Self.monthDay(month, $0.integer(3), year: year)
        else { return nil }
        return .when(When(day: $0.day(1), endDay: last))
      }
    }
    // 3月5-7日
    add(.when, [.one(.number), .one(.monthMark), .one(.number), .one(.to), .one(.dayNumber)]) {
      Self.days(of: $0.integer(0), $0.integer(2), $0.integer(4), nil)
    }
    add(
      .when,
      [
        .one(.year), .one(.yearMark), .one(.number), .one(.monthMark), .one(.number), .one(.to),
        .one(.dayNumber),
      ]
    ) { Self.days(of: $0.integer(2), $0.integer(4), $0.integer(6), $0.integer(0)) }
    add(.when, [.maybe(.from), .one(.number), .one(.to), .one(.dayNumber)]) {
      guard $0.integer(3) > $0.integer(1), $0.integer(1) > 0 else { return nil }
      return .when(When(day: .dayOfMonth($0.integer(1)), endDay: .dayOfMonth($0.integer(3))))
    }
    // 下个月3-5号
    add(.when, [.one(.frame), .one(.number), .one(.to), .one(.dayNumber)]) {
      guard case .months(let months)? = $0.day(0), $0.integer(3) > $0.integer(1) else {
        return nil
      }
      return .when(
        When(
          day: .dayInMonth($0.integer(1), months: months),
          endDay: .dayInMonth($0.integer(3), months: months)))
    }
    // "3.20-3.22", which is no number with a fraction.
    for mark in [Symbol.dot, .slash] {
      add(
        .when,
        [
          .one(.number), .glued(mark), .glued(.number), .one(.to), .one(.number), .glued(mark),
          .glued(.number),
        ]
      ) {
        guard case .day(let first)? = Self.monthDay($0.integer(0), $0.integer(2)),
          case .day(let last)? = Self.monthDay($0.integer(4), $0.integer(6))
        else { return nil }
        return .when(When(day: first, endDay: last))
      }
    }
  }

  private static func days(of month: Int, _ first: Int, _ last: Int, _ year: Int?) -> Value? {
    guard last > first, case .day(let start)? = monthDay(month, first, year: year),
      case .day(let end)? = monthDay(month, last, year: year)
    else { return nil }
    return .when(When(day: start, endDay: end))
  }
}
