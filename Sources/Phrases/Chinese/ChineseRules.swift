import CivilTime

extension RuleTable {
  mutating func addChineseDays() {
    addNumericDays()
    add(.when, .day) { $0.when(0).map { .when($0) } }
    add(.day, .weekday) { .day(.weekday($0.weekday(0))) }
    // Weeks begin on Monday, and 下周五 is that of the next one.
    add(.day, .next, .weekday) { .day(.weekdayInWeek($0.weekday(1), weeks: 1)) }
    add(.day, .next, .next, .weekday) { .day(.weekdayInWeek($0.weekday(2), weeks: 2)) }
    add(.day, .number, .monthMark, .number, .dayMark) {
      Self.monthDay($0.integer(0), $0.integer(2))
    }
    add(
      .day,
      [
        .one(.year), .one(.yearMark), .one(.number), .one(.monthMark), .one(.number),
        .one(.dayMark),
      ]
    ) {
      Self.monthDay($0.integer(2), $0.integer(4), year: $0.integer(0))
    }
  }

  mutating func addChineseClocks() {
    add(.hour, .number, .hourMark) { ClockReading($0.integer(0)).map { .clock($0) } }
    add(.clock, .hour) { $0.clock(0).map { .clock($0) } }
    add(.clock, .hour, .half) { match in match.clock(0).map { .clock($0.adding(minutes: 30)) } }
    add(.clock, .hour, .quarter) { match in
      match.clock(0).map { .clock($0.adding(minutes: match.integer(1))) }
    }
    for digits in [Symbol.twoDigits, .spoken] {
      add(.clock, [.one(.hour), .one(digits), .maybe(.minuteMark)]) { match in
        // 三点五 is no time: minutes below ten have their 分.
        guard match.has(2) || match.integer(1) >= 10 else { return nil }
        return Self.shifted(match)
      }
    }
    add(.clock, .hour, .oneDigit, .minuteMark) { Self.shifted($0) }
    for digits in [Symbol.oneDigit, .twoDigits] {
      add(.clock, [.one(digits), .glued(.colon), .glued(.twoDigits)]) {
        ClockReading($0.integer(0), $0.integer(2), isDigital: true).map { .clock($0) }
      }
    }
    add(.when, .clock) { $0.when(0).map { .when($0) } }
    add(.partWhen, .part) { $0.when(0).map { .when($0) } }
  }

  private static func shifted(_ match: RuleMatch) -> Value? {
    guard (0...59).contains(match.integer(1)) else { return nil }
    return match.clock(0).map { .clock($0.adding(minutes: match.integer(1))) }
  }
}
