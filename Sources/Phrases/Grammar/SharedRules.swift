import CivilTime

extension RuleTable {
  /// What is written alike in every language: days in numbers, "9:30", "2.5 hours", and what a day, a
  /// time or a weekday is alone.
  mutating func addSharedRules() {
    addNumericDays()
    addDigitalClocks()
    addAmounts()
    add(.day, .weekday) { .day(.weekday($0.weekday(0))) }
    add(.day, .monthDay) { $0.day(0).map { .day($0) } }
    add(.when, .day) { $0.when(0).map { .when($0) } }
    add(.when, .clock) { $0.when(0).map { .when($0) } }
    // "last week", 上上周: of what is only looked at, as an event is to come.
    add(.frame, .last, .unit) {
      guard $0.setting.takesPast else { return nil }
      let ago = $0.optionalInteger(0) ?? 1
      switch $0.length(1) {
      case .week: return .day(.week(-ago))
      case .month: return .day(.months(-ago))
      default: return nil
      }
    }
    add(.duration, .for, .length) { .length($0.length(1)) }
    add(.repeats, .every, .unit) { RepeatReading.every($0.length(1)).map { .repeats($0) } }
    add(.repeats, .every, .number, .unit) {
      RepeatReading.every($0.length(2), $0.integer(1)).map { .repeats($0) }
    }
    for days in [Symbol.weekday, .weekdays] {
      add(.repeats, .every, days) { .repeats(.weekly($0.weekdays(1))) }
    }
  }

  private mutating func addDigitalClocks() {
    for digits in [Symbol.oneDigit, .twoDigits] {
      add(.clock, [.one(digits), .glued(.colon), .glued(.twoDigits)]) {
        var clock = ClockReading($0.integer(0), $0.integer(2), isDigital: true)
        clock?.isPadded = digits == .twoDigits
        return clock.map { .clock($0) }
      }
    }
  }

  private mutating func addAmounts() {
    add(.amount, .number) {
      $0.integer(0) <= 9999 ? .integer($0.integer(0) * 100) : nil
    }
    add(.amount, [.one(.number), .glued(.dot), .glued(.oneDigit)]) {
      $0.integer(0) <= 1000 ? .integer($0.integer(0) * 100 + $0.integer(2) * 10) : nil
    }
    add(.length, .amount, .unit) {
      $0.length(1).times(hundredths: $0.integer(0)).map { .length($0) }
    }
  }

  /// A day of a month; nil where there is none.
  static func monthDay(_ month: Int, _ day: Int, year: Int? = nil) -> Value? {
    guard CivilDate(year: year ?? 2024, month: month, day: day) != nil else { return nil }
    return .day(.monthDay(month: month, day: day, year: year))
  }
}
