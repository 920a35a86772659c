import CivilTime
import Recurrence

extension RuleTable {
  /// Days: "friday", "the 27th", "may 3rd 2027", "last friday of march".
  mutating func addEnglishDays() {
    addWeekdays()
    addOrdinals()
    addMonthDays()
    addDayRanges()
  }

  private mutating func addWeekdays() {
    add(.day, .this, .weekday) { .day(.thisWeekday($0.weekday(1))) }
    add(.day, .next, .weekday) { .day(.nextWeekday($0.weekday(1))) }
    // An event is to come: "last friday" is of what is only looked at.
    add(.day, .last, .weekday) {
      $0.setting.takesPast ? .day(.lastWeekday($0.weekday(1))) : nil
    }
    // Weeks have these numbers where they begin on Monday.
    add(
      .day,
      [.one(.weekday), .maybe(.comma), .maybe(.of), .one(.unit), .one(.number), .maybe(.year)]
    ) {
      guard $0.length(3) == .week, (1...53).contains($0.integer(4)),
        $0.setting.customs.firstWeekday ?? .monday == .monday
      else { return nil }
      return .day(
        .weekdayOfWeek($0.weekday(0), week: $0.integer(4), year: $0.optionalInteger(5)))
    }
    // "week 14 tuesday" may be of the calendar or of a course.
    add(.only, [.one(.unit), .one(.number), .maybe(.comma), .one(.weekday)]) {
      $0.length(0) == .week ? Value.none : nil
    }
    add(.day, .weekday, .after, .next) { .day(.after(.week, .thisWeekday($0.weekday(0)))) }
    add(.day, [.one(.weekday), .maybe(.comma), .maybe(.of), .one(.frame)]) {
      Self.weekday($0.weekday(0), in: $0.day(3))
    }
    add(.day, [.one(.frame), .maybe(.on), .one(.weekday)]) {
      Self.weekday($0.weekday(2), in: $0.day(0))
    }
    for link in [Symbol.from, .after] {
      add(.day, [.maybe(.in), .one(.length), .one(link), .one(.day)]) { match in
        guard match.length(1).isWhole else { return nil }
        return match.day(3).map { .day(.after(match.length(1), $0)) }
      }
    }
    // "conference 3 days from monday" may be as long, and "2 weeks from 3 may"; "a week from friday"
    // is never meant so.
    add(.when, .length, .from, .day) { match in
      let length = match.length(0)
      guard length.days > 1, length == Length(days: length.days), let day = match.day(2) else {
        return nil
      }
      switch day {
      case .relative: return nil
      case .monthDay, .date: break
      default: if length.days % 7 == 0 { return nil }
      }
      return .when(When(day: day, endDay: .after(Length(days: length.days - 1), day)))
    }
    add(.day, .length, .before, .day) { match in
      let length = match.length(0)
      guard length.isWhole, length.workdays == 0 else { return nil }
      return match.day(2).map {
        .day(.after(Length(months: -length.months, days: -length.days), $0))
      }
    }
    // "thu week", "a week on friday"
    add(.day, .weekday, .unit) {
      $0.length(1) == .week ? .day(.after(.week, .weekday($0.weekday(0)))) : nil
    }
    // "a week today"
    add(.day, .length, .day) {
      let length = $0.length(0)
      guard length.days > 0, length == Length(days: length.days / 7 * 7),
        case .relative(let day)? = $0.day(1), day.days <= 1
      else { return nil }
      return .day(.after(length, .relative(day)))
    }
    add(.day, .length, .on, .weekday) {
      let length = $0.length(0)
      guard length.days > 0, length == Length(days: length.days / 7 * 7) else { return nil }
      return .day(.after(length, .weekday($0.weekday(2))))
    }
    add(.day, .number, .repeats, .fromNow) {
      guard let weekday = $0.repeats(1), weekday.isPlural, weekday.weekdays.count == 1,
        (1...99).contains($0.integer(0))
      else { return nil }
      return .day(.nthFromNow($0.integer(0), weekday.weekdays[0].weekday))
    }
  }

  private static func weekday(_ weekday: Weekday, in frame: DayReference?) -> Value? {
    guard case .week(let weeks)? = frame else { return nil }
    return .day(.weekdayInWeek(weekday, weeks: weeks))
  }

  private mutating func addOrdinals() {
    add(.dayNumber, [.one(.number), .glued(.ordinalMark)]) {
      (1...99).contains($0.integer(0)) ? .integer($0.integer(0)) : nil
    }
    add(.ordinal, .dayNumber) { .integer($0.integer(0)) }
    add(.when, .dayNumber) {
      Self.dayOfMonth($0.integer(0)).map { .when(When(day: $0, isLoose: true)) }
    }
    for word in [Symbol.the, .on] {
      add(.day, [.one(word), .one(.ordinal)]) {
        Self.dayOfMonth($0.integer(1)).map { .day($0) }
      }
    }
    add(.day, .on, .the, .ordinal) { Self.dayOfMonth($0.integer(2)).map { .day($0) } }
    // "friday the 13th", "tuesday 19th"
    for number in [Symbol.ordinal, .dayNumber] {
      add(.day, [.one(.weekday), .maybe(.comma), .maybe(.the), .one(number)]) { match in
        Self.dayOfMonth(match.integer(3)).map { .day(.checked(match.weekday(0), $0)) }
      }
    }
    // "20th of next month", "first of march", "last day of october 2015"
    add(.day, [.maybe(.the), .one(.ordinal), .maybe(.unit), .maybe(.of), .one(.frame)]) {
      guard !$0.has(2) || $0.length(2) == .day, $0.has(2) || $0.integer(1) > 0 else { return nil }
      return Self.day($0.integer(1), in: $0.day(4))
    }
    add(.day, .number, .of, .frame) { Self.day($0.integer(0), in: $0.day(2)) }
    add(.day, .monthStart, .frame) { Self.day(1, in: $0.day(1)) }
    add(.day, .monthEnd, .frame) { Self.day(-1, in: $0.day(1)) }
    // "second friday", of a month that comes later in the line
    add(.day, [.maybe(.the), .one(.ordinal), .one(.weekday)]) {
      .day(.nthWeekday($0.integer(1), $0.weekday(2), month: nil, year: nil))
    }
    add(.day, [.maybe(.the), .one(.ordinal), .one(.weekday), .maybe(.of), .one(.frame)]) {
      let day = DayReference.nthWeekday($0.integer(1), $0.weekday(2), month: nil, year: nil)
      return $0.day(4).flatMap { day.merged($0) }.map { .day($0) }
    }
    add(.frame, .month) { .day(.month($0.integer(0), year: nil)) }
    add(.frame, .this, .month) { .day(.month($0.integer(1), year: nil)) }
    add(.frame, .month, .year) { .day(.month($0.integer(0), year: $0.integer(1))) }
    add(.when, .frame) {
      switch $0.day(0) {
      case .month?, .someMonth?, nil: return nil
      default: break
      }
      return $0.day(0).map { .when(When(day: $0)) }
    }
    for word in [Symbol.of, .in] {
      add(.when, word, .frame) { $0.day(1).map { .when(When(day: $0)) } }
    }
  }

  private static func dayOfMonth(_ day: Int) -> DayReference? {
    (1...31).contains(day) ? .dayOfMonth(day) : nil
  }

  private static func day(_ day: Int, in frame: DayReference?) -> Value? {
    guard day < 0 && day >= -31 || (1...31).contains(day) else { return nil }
    switch frame {
    case .months(let months): return .day(.dayInMonth(day, months: months))
    case .someMonth: return .day(.dayOfMonth(day))
    case .month(let month, let year):
      return .day(.monthDay(month: month, day: day, year: year))
    default: return nil
    }
  }

  private mutating func addMonthDays() {
    for number in [Symbol.number, .ordinal] {
      add(
        .monthDay,
        [.one(.month), .maybe(.dot), .maybe(.comma), .maybe(.the), .one(number)]
      ) { Self.monthDay($0.integer(0), $0.integer(4)) }
      add(.monthDay, [.one(number), .maybe(.of), .one(.month)]) {
        Self.monthDay($0.integer(2), $0.integer(0))
      }
    }
    add(.monthDay, .the, .ordinal, .of, .month) { Self.monthDay($0.integer(3), $0.integer(1)) }
    for mark in [Symbol.slash, .dash] {
      add(.monthDay, [.one(.month), .glued(mark), .glued(.number)]) {
        Self.monthDay($0.integer(0), $0.integer(2))
      }
      add(.day, [.one(.number), .glued(mark), .glued(.month), .glued(mark), .glued(.year)]) {
        Self.monthDay($0.integer(2), $0.integer(0), year: $0.integer(4))
      }
    }
    add(.day, [.one(.monthDay), .maybe(.dot), .maybe(.comma), .one(.year)]) { match in
      match.day(0).map { .day($0.inYear(match.integer(3))) }
    }
    add(.day, [.one(.monthDay), .one(.apostrophe), .glued(.twoDigits)]) { match in
      match.day(0).map { .day($0.inYear(2000 + match.integer(2))) }
    }
    add(.day, [.one(.weekday), .maybe(.dot), .maybe(.comma), .maybe(.the), .one(.day)]) {
      guard let day = $0.day(4) else { return nil }
      if case .checked = day { return nil }
      return DayReference.weekday($0.weekday(0)).merged(day).map { .day($0) }
    }
  }

  private mutating func addDayRanges() {
    let both: @Sendable (DayReference?, DayReference?) -> Value? = { first, last in
      guard let first, let last, !first.isFrame, !last.isFrame else { return nil }
      if case .monthDay(let m1, let d1, let y1) = first,
        case .monthDay(let m2, let d2, let y2) = last, y1 == nil || y2 == nil,
        (m2 * 31 + d2 - m1 * 31 - d1 + 744) % 372 > 300
      {
        return nil
      }
      // "the 13th to 15 july" is in July.
      if case .dayOfMonth(let day) = first, case .monthDay(_, let other, _) = last, day < other {
        return nil
      }
      return .when(When(day: first, endDay: last))
    }
    for (open, link, isOptional) in [(Symbol.from, Symbol.to, true), (.between, .and, false)] {
      let open = RuleElement(symbol: open, isOptional: isOptional)
      add(.when, [open, .one(.day), .one(link), .one(.day)]) { both($0.day(1), $0.day(3)) }
      for number in [Symbol.number, .ordinal] {
        // "july 13 to 15", "the 21st to 23rd"
        add(.when, [open, .one(.day), .one(link), .one(number), .maybe(.comma), .maybe(.year)]) {
          switch $0.day(1) {
          case .monthDay(let month, let day, nil) where $0.integer(3) > day:
            let year = $0.optionalInteger(5)
            guard case .day(let last)? = Self.monthDay(month, $0.integer(3), year: year) else {
              return nil
            }
            return both(.monthDay(month: month, day: day, year: year), last)
          case .dayOfMonth? where !$0.has(5) && number == .ordinal:
            return both($0.day(1), Self.dayOfMonth($0.integer(3)))
          default: return nil
          }
        }
        // "13 to 15 july", "from the 13th to the 15th of july"
        add(
          .when,
          [open, .maybe(.the), .one(number), .maybe(.dot), .one(link), .maybe(.the), .one(.day)]
        ) {
          guard case .monthDay(let month, let last, let year) = $0.day(6), last > $0.integer(2),
            case .day(let first)? = Self.monthDay(month, $0.integer(2), year: year)
          else { return nil }
          return both(first, $0.day(6))
        }
      }
      add(.when, [open, .one(.dayNumber), .one(link), .one(.dayNumber)]) {
        guard $0.integer(3) != $0.integer(1) else { return nil }
        return both(Self.dayOfMonth($0.integer(1)), Self.dayOfMonth($0.integer(3)))
      }
    }
    // "saturday and sunday"
    add(.when, .weekday, .and, .weekday) {
      guard $0.weekday(2).days(since: $0.weekday(0)) == 1 else { return nil }
      return both(.weekday($0.weekday(0)), .weekday($0.weekday(2)))
    }
    add(.when, .next, .number, .unit) {
      guard $0.length(2) == .day, (2...366).contains($0.integer(1)) else { return nil }
      return both(.relative(.day), .relative(Length(days: $0.integer(1))))
    }
  }
}
