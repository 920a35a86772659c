import CivilTime

extension RuleTable {
  /// Days by their names: 明天, 下周五, 国庆节.
  mutating func addChineseDays() {
    add(.day, .next, .weekday) { .day(.weekdayInWeek($0.weekday(1), weeks: $0.integer(0))) }
    add(.frame, .next, .unit) { $0.length(1) == .week ? .day(.week($0.integer(0))) : nil }
    add(.when, .frame) {
      switch $0.day(0) {
      case .week(let weeks)? where weeks > 0: .when(When(day: .week(weeks)))
      case .months(let months)? where months > 0: .when(When(day: .months(months)))
      default: nil
      }
    }
    add(.day, [.one(.frame), .maybe(.of), .one(.weekday)]) {
      guard case .week(let weeks)? = $0.day(0) else { return nil }
      return .day(.weekdayInWeek($0.weekday(2), weeks: weeks))
    }
    // 下周的今天
    add(.day, [.one(.frame), .maybe(.of), .one(.day)]) {
      guard case .week(let weeks)? = $0.day(0), case .relative? = $0.day(2) else { return nil }
      return $0.day(2).map { .day(.after(Length(days: 7 * weeks), $0)) }
    }
    // 两年后的今天
    add(.day, .elapsed, .of, .day) {
      guard case .relative? = $0.day(2), $0.length(0).isWhole else { return nil }
      let length = $0.length(0)
      return $0.day(2).map { .day(.after(length, $0)) }
    }
    // 3月20日周五, 3月20日（周五）
    for day in [Symbol.day, .monthDay] {
      add(.day, [.one(day), .maybe(.comma), .one(.weekday)]) {
        DayReference.weekday($0.weekday(2)).merged($0.day(0) ?? .someMonth).map { .day($0) }
      }
    }
    // 今年儿童节
    for day in [Symbol.day, .monthDay] {
      add(.day, [.one(.this), .maybe(.of), .one(day)]) {
        guard let day = $0.day(2), day.isOpen else { return nil }
        let dated = day.inYear($0.setting.today.year + $0.integer(0))
        guard !dated.isOpen,
          case .one(let date) = dated.resolved(
            today: $0.setting.today, from: $0.setting.today), date >= $0.setting.today
        else { return nil }
        return .day(dated)
      }
    }
    // 周末, 下周末
    add(.when, .weekend) {
      $0.integer(0) < 0
        ? .when(When(day: .weekday(.saturday), endDay: .weekday(.sunday))) : Self.weekend(0)
    }
    add(.when, .next, .weekend) { Self.weekend($0.integer(0)) }
    add(.when, [.one(.frame), .maybe(.of), .one(.weekend)]) {
      guard case .week(let weeks)? = $0.day(0) else { return nil }
      return Self.weekend(weeks)
    }
  }

  private static func weekend(_ weeks: Int) -> Value {
    .when(
      When(
        day: .weekdayInWeek(.saturday, weeks: weeks), endDay: .weekdayInWeek(.sunday, weeks: weeks))
    )
  }

  /// Days by numbers: 3月5日, 下个月二十号, 五月第二个周日.
  mutating func addChineseMonths() {
    add(.year, [.one(.spoken), .glued(.spoken), .glued(.spoken), .glued(.spoken)]) { match in
      let digits = (0..<4).map { match.integer($0) }
      let year = digits.reduce(0) { $0 * 10 + $1 }
      return digits.allSatisfy { $0 < 10 } && (1900...2199).contains(year) ? .integer(year) : nil
    }
    add(.frame, .last, .monthMark) {
      $0.setting.takesPast ? .day(.months(-$0.integer(0))) : nil
    }
    add(.frame, .number, .monthMark) {
      (1...12).contains($0.integer(0)) ? .day(.month($0.integer(0), year: nil)) : nil
    }
    add(.frame, [.one(.this), .maybe(.of), .one(.number), .one(.monthMark)]) {
      guard (1...12).contains($0.integer(2)) else { return nil }
      return .day(.month($0.integer(2), year: $0.setting.today.year + $0.integer(0)))
    }
    add(.frame, [.one(.year), .one(.yearMark), .one(.number), .one(.monthMark)]) {
      guard (1...12).contains($0.integer(2)) else { return nil }
      return .day(.month($0.integer(2), year: $0.integer(0)))
    }
    add(.dayNumber, .number, .dayMark) {
      (1...31).contains($0.integer(0)) ? .integer($0.integer(0)) : nil
    }
    add(.day, .dayNumber) { .day(.dayOfMonth($0.integer(0))) }
    add(.day, [.one(.frame), .maybe(.of), .one(.dayNumber)]) {
      switch $0.day(0) {
      case .months(let months)?: .day(.dayInMonth($0.integer(2), months: months))
      default: nil
      }
    }
    add(.monthDay, .number, .monthMark, .dayNumber) {
      Self.monthDay($0.integer(0), $0.integer(2))
    }
    // 3月20, 三月二十
    for digits in [Symbol.twoDigits, .spoken] {
      add(.monthDay, .number, .monthMark, digits) {
        $0.integer(2) >= 10 ? Self.monthDay($0.integer(0), $0.integer(2)) : nil
      }
    }
    for year in [Symbol.year, .twoDigits] {
      add(.day, [.one(year), .one(.yearMark), .one(.monthDay)]) {
        guard case .monthDay(let month, let day, nil)? = $0.day(2) else { return nil }
        let full = year == .year ? $0.integer(0) : 2000 + $0.integer(0)
        return Self.monthDay(month, day, year: full)
      }
    }
    add(.day, [.one(.number), .glued(.slash), .glued(.dayNumber)]) {
      Self.monthDay($0.integer(0), $0.integer(2))
    }
    // "09-01"; "3-20" may be 3 to 20.
    add(.day, [.one(.twoDigits), .glued(.dash), .glued(.twoDigits)]) {
      $0.integer(0) < 10 ? Self.monthDay($0.integer(0), $0.integer(2)) : nil
    }
    addChineseOrdinals()
  }

  private mutating func addChineseOrdinals() {
    add(.ordinal, [.one(.ordinalMark), .one(.number), .maybe(.a)]) {
      (1...31).contains($0.integer(1)) ? .integer($0.integer(0) * $0.integer(1)) : nil
    }
    add(.day, [.one(.frame), .maybe(.of), .one(.ordinal), .one(.weekday)]) {
      let day = DayReference.nthWeekday($0.integer(2), $0.weekday(3), month: nil, year: nil)
      return $0.day(0).flatMap { day.merged($0) }.map { .day($0) }
    }
    add(.day, [.one(.frame), .maybe(.of), .one(.monthEnd)]) {
      switch $0.day(0) {
      case .months(let months)?: .day(.dayInMonth(-1, months: months))
      case .month(let month, let year)?: .day(.monthDay(month: month, day: -1, year: year))
      default: nil
      }
    }
    // 今年底
    add(.day, .this, .monthEnd) {
      .day(.monthDay(month: 12, day: 31, year: $0.setting.today.year + $0.integer(0)))
    }
  }
}
