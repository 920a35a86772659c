import CivilTime

extension RuleTable {
  /// Days in numbers, which are much the same in every language.
  ///
  ///     2026-03-20, 2026/3/20       year, month, day
  ///     20.3., 20.3.2026            day, month; with the month first only where it must be
  ///     3/20, 20/3/26, 5-12-2026    by the order of the locale, unless only one is possible
  ///
  /// What can be both, and is settled by nothing, is two items of the chart, so that the line is
  /// refused with both readings.
  mutating func addNumericDays() {
    for mark in [Symbol.dash, .slash, .dot] {
      add(
        .day,
        [.one(.fourDigits), .glued(mark), .glued(.number), .glued(mark), .glued(.number)]
      ) { Self.monthDay($0.integer(2), $0.integer(4), year: $0.integer(0)) }
    }
    // "20260320"
    add(.day, .number) {
      let number = $0.integer(0)
      guard (19_000_101...21_991_231).contains(number) else { return nil }
      return Self.monthDay(number / 100 % 100, number % 100, year: number / 10_000)
    }
    // "24.12", which is no time.
    add(.day, [.one(.number), .glued(.dot), .glued(.number)]) {
      $0.integer(0) >= 24 ? Self.monthDay($0.integer(2), $0.integer(0)) : nil
    }
    for isDayFirst in [true, false] {
      add(.day, [.one(.number), .glued(.slash), .glued(.number)]) {
        Self.ordered($0.integer(0), $0.integer(2), nil, isDayFirst, $0.setting)
      }
      for mark in [Symbol.slash, .dash, .dot] {
        for year in [Symbol.year, .twoDigits] {
          add(
            .day,
            [.one(.number), .glued(mark), .glued(.number), .glued(mark), .glued(year)]
          ) {
            let full = year == .year ? $0.integer(4) : 2000 + $0.integer(4)
            var setting = $0.setting
            if mark == .dot { setting.customs.dateOrder = .dayMonth }
            return Self.ordered($0.integer(0), $0.integer(2), full, isDayFirst, setting)
          }
        }
      }
    }
    add(.day, [.one(.number), .glued(.dot), .glued(.number), .glued(.dot)]) {
      Self.monthDay($0.integer(2), $0.integer(0))
    }
  }

  /// "12.5 15:00": next to a time it is a day, and no number of the title.
  ///
  /// - Parameter usual: The order in the language; with another one in the locale it may be both.
  mutating func addDottedDays(_ usual: TimeCustoms.DateOrder? = nil) {
    for order in [TimeCustoms.DateOrder.dayMonth, .monthDay] {
      add(
        .when,
        [.one(.number), .glued(.dot), .glued(.number), .maybe(.comma), .maybe(.at), .one(.clock)]
      ) {
        let orders = [$0.setting.customs.dateOrder, usual].compactMap { $0 }
        let (first, second) = ($0.integer(0), $0.integer(2))
        let day = order == .dayMonth ? Self.monthDay(second, first) : Self.monthDay(first, second)
        guard orders.isEmpty || orders.contains(order), case .day(let day)? = day else {
          return nil
        }
        return .when(When(day: day, clock: $0.clock(5)))
      }
    }
  }

  private static func ordered(
    _ first: Int, _ second: Int, _ year: Int?, _ isDayFirst: Bool, _ setting: PhraseSetting
  ) -> Value? {
    let (dayFirst, monthFirst) = (
      monthDay(second, first, year: year), monthDay(first, second, year: year)
    )
    let (mine, other) = isDayFirst ? (dayFirst, monthFirst) : (monthFirst, dayFirst)
    guard mine != nil, other != nil, let order = setting.customs.dateOrder else { return mine }
    return (order == .dayMonth) == isDayFirst ? mine : nil
  }
}
