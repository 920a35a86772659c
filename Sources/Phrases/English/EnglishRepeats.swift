import CivilTime
import Recurrence

extension RuleTable {
  /// Recurrences and their ends: "every other friday", "first monday of each month", "until May 3".
  mutating func addEnglishRepeats() {
    addWeekdayLists()
    addIntervals()
    addOrdinalRepeats()
    addBounds()
  }

  private mutating func addWeekdayLists() {
    for left in [Symbol.weekday, .weekdays] {
      add(.weekdays, [.one(left), .maybe(.and), .maybe(.and), .one(.weekday)]) {
        let days = $0.weekdays(0)
        guard !days.contains($0.weekday(3)) else { return nil }
        return .weekdays(days + [$0.weekday(3)])
      }
      add(.weekdays, .weekday, .slash, .weekday) { .weekdays([$0.weekday(0), $0.weekday(2)]) }
    }
    add(.weekdays, .weekday, .to, .weekday) {
      .weekdays(Self.days(from: $0.weekday(0), to: $0.weekday(2)))
    }
    addLists()
    for days in [Symbol.weekday, .weekdays] {
      add(.repeats, .repeats, .except, days) { match in
        match.repeats(0)?.except(match.weekdays(2)).map { .repeats($0) }
      }
    }
    add(.repeats, .repeats, .except, .repeats) {
      guard let days = $0.repeats(2), days.isPlural else { return nil }
      return $0.repeats(0)?.except(days.weekdays.map(\.weekday)).map { .repeats($0) }
    }
    // "repeat weekly"
    add(.repeats, .limit, .repeats) { $0.repeats(1).map { .repeats($0) } }
    add(.repeats, .on, .repeats) { $0.repeats(1).flatMap { $0.isPlural ? .repeats($0) : nil } }
    add(.repeats, [.one(.repeats), .maybe(.and), .maybe(.and), .one(.repeats)]) {
      guard let left = $0.repeats(0), let right = $0.repeats(3), left.isPlural, right.isPlural
      else { return nil }
      var all = left
      all.weekdays += right.weekdays
      return .repeats(all)
    }
    add(.repeats, .repeats, .to, .repeats) {
      guard let left = $0.repeats(0), let right = $0.repeats(2), left.isPlural, right.isPlural,
        left.weekdays.count == 1, right.weekdays.count == 1
      else { return nil }
      return .repeats(
        .weekly(Self.days(from: left.weekdays[0].weekday, to: right.weekdays[0].weekday)))
    }
  }

  /// Weekdays without "every": "mon-fri", "Tue, Thu". Days in a row, and those joined by "and", may be
  /// those of this week.
  private mutating func addLists() {
    @Sendable func listed(_ days: [Weekday], isAnd: Bool = false) -> Value? {
      let isInRow = days[1].days(since: days[0]) == 1
      return RepeatReading.listed(days, mayBeOnce: isAnd || isInRow).map { .repeats($0) }
    }
    add(.repeats, .weekday, .to, .weekday) {
      let days = Self.days(from: $0.weekday(0), to: $0.weekday(2))
      guard days == RepeatReading.workdays else { return nil }
      return RepeatReading.listed(days, mayBeOnce: false).map { .repeats($0) }
    }
    add(.repeats, .weekday, .weekday, .weekday) {
      listed([$0.weekday(0), $0.weekday(1), $0.weekday(2)])
    }
    add(.repeats, .weekday, .and, .weekday) {
      $0.integer(1) == 1 ? listed([$0.weekday(0), $0.weekday(2)], isAnd: true) : nil
    }
    for mark in [Symbol.comma, .slash] {
      add(.repeats, .weekday, mark, .weekday) { listed([$0.weekday(0), $0.weekday(2)]) }
      for last in [mark, .and] {
        add(.repeats, .weekday, mark, .weekday, last, .weekday) {
          listed([$0.weekday(0), $0.weekday(2), $0.weekday(4)])
        }
      }
    }
  }

  static func days(from first: Weekday, to last: Weekday) -> [Weekday] {
    (0...last.days(since: first)).compactMap {
      Weekday(rawValue: (first.rawValue - 1 + $0) % 7 + 1)
    }
  }

  private mutating func addIntervals() {
    add(.repeats, .once, .every, .unit) {
      RepeatReading.every($0.length(2)).map { .repeats($0) }
    }
    add(.repeats, .once, .a, .unit) { RepeatReading.every($0.length(2)).map { .repeats($0) } }
    add(.repeats, .once, .every, .number, .unit) {
      RepeatReading.every($0.length(3), $0.integer(2)).map { .repeats($0) }
    }
    add(.repeats, .every, .other, .unit) {
      RepeatReading.every($0.length(2), 2).map { .repeats($0) }
    }
    add(.repeats, .every, .ordinal, .unit) {
      guard $0.integer(1) > 1 else { return nil }
      return RepeatReading.every($0.length(2), $0.integer(1)).map { .repeats($0) }
    }
    for days in [Symbol.weekday, .weekdays] {
      add(.repeats, .every, .other, days) { .repeats(.weekly($0.weekdays(2), interval: 2)) }
      add(.repeats, [.one(.repeats), .maybe(.on), .one(days)]) {
        $0.repeats(0)?.on(weekdays: $0.weekdays(2)).map { .repeats($0) }
      }
    }
    add(.repeats, .every, .part) {
      var repeats = RepeatReading(.daily)
      repeats.part = $0.part(1)
      return .repeats(repeats)
    }
    add(.repeats, .every, .weekday, .part) {
      var repeats = RepeatReading.weekly([$0.weekday(1)])
      repeats.part = $0.part(2)
      return .repeats(repeats)
    }
    add(.repeats, .repeats, .part) {
      guard var repeats = $0.repeats(0), repeats.part == nil, !repeats.isBare else { return nil }
      repeats.part = $0.part(1)
      return .repeats(repeats)
    }
    for hours in [Symbol.hour, .hours] {
      add(.repeats, [.one(.repeats), .maybe(.comma), .one(hours)]) {
        guard var repeats = $0.repeats(0), repeats.hours == nil, var when = $0.when(2),
          repeats.takesHour(when.clock, isRange: hours == .hours)
        else { return nil }
        when.isLoose = hours == .hour
        repeats.hours = when
        return .repeats(repeats)
      }
    }
    add(.repeats, .weekday, .repeats) {
      guard let part = $0.repeats(1), part.part != nil, part.frequency == .daily else {
        return nil
      }
      var repeats = RepeatReading.weekly([$0.weekday(0)])
      repeats.part = part.part
      return .repeats(repeats)
    }
    add(.repeats, .every, .day) {
      guard let day = $0.day(1) else { return nil }
      return RepeatReading(.yearly).on(day).map { .repeats($0) }
    }
  }

  private mutating func addOrdinalRepeats() {
    for left in [Symbol.ordinal, .ordinals] {
      add(.ordinals, [.one(left), .one(.and), .maybe(.the), .one(.ordinal), .maybe(.unit)]) {
        guard !$0.has(4) || $0.length(4) == .day else { return nil }
        return .list($0.list(0) + [$0.integer(3)])
      }
    }
    for numbers in [Symbol.ordinal, .ordinals] {
      // "first and third friday of each month", "every first monday of each month"
      for lead in [[.maybe(.on), .maybe(.the)], [.maybe(.every), .maybe(.the)]] as [[RuleElement]] {
        add(
          .repeats, lead + [.one(numbers), .one(.weekday), .maybe(.of), .one(.repeats)]
        ) { $0.repeats(5)?.on($0.list(2), $0.weekday(3)).map { .repeats($0) } }
      }
      add(.repeats, [.one(.every), .one(numbers), .one(.weekday)]) {
        RepeatReading(.monthly).on($0.list(1), $0.weekday(2)).map { .repeats($0) }
      }
      add(.repeats, [.one(.every), .one(numbers), .one(.weekday), .one(.of), .one(.frame)]) {
        guard var repeats = RepeatReading(.monthly).on($0.list(1), $0.weekday(2)) else {
          return nil
        }
        switch $0.day(4) {
        case .months(0)?, .someMonth?: break
        case .month(let month, nil)?:
          repeats.frequency = .yearly
          repeats.month = month
        default: return nil
        }
        return .repeats(repeats)
      }
      // "the 15th of every month", "last day of each month", "last working day of every month"
      add(
        .repeats,
        [.maybe(.on), .maybe(.the), .one(numbers), .maybe(.unit), .maybe(.of), .one(.repeats)]
      ) { Self.monthly($0.repeats(5), $0.list(2), unit: $0.has(3) ? $0.length(3) : nil) }
      add(
        .repeats,
        [.one(.repeats), .maybe(.on), .maybe(.the), .one(numbers), .maybe(.unit)]
      ) { Self.monthly($0.repeats(0), $0.list(3), unit: $0.has(4) ? $0.length(4) : nil) }
      // "every last day of the month"
      add(
        .repeats, [.one(.every), .one(numbers), .one(.unit), .maybe(.of), .maybe(.frame)]
      ) {
        guard $0.length(2) == .day || $0.length(2) == .workday, $0.has(3) == $0.has(4),
          $0.has(4) ? $0.day(4) == .someMonth : $0.list(1) == [-1]
        else { return nil }
        return Self.monthly(RepeatReading(.monthly), $0.list(1), unit: $0.length(2))
      }
      // "every 27th", "every 4th and 10th of the month"
      add(.repeats, [.one(.every), .one(numbers), .maybe(.of), .maybe(.frame)]) {
        guard $0.has(2) == $0.has(3),
          !$0.has(3) || $0.day(3) == .someMonth || $0.day(3) == .months(0)
        else { return nil }
        return Self.monthly(RepeatReading(.monthly), $0.list(1), unit: nil)
      }
    }
    // "every second friday" is every other one as well.
    add(.repeats, .every, .ordinal, .weekday) {
      $0.integer(1) == 2 ? .repeats(.weekly([$0.weekday(2)], interval: 2)) : nil
    }
  }

  private static func monthly(_ base: RepeatReading?, _ days: [Int], unit: Length?) -> Value? {
    if unit == .workday {
      return days.count == 1 ? base?.onWorkday(days[0]).map { .repeats($0) } : nil
    }
    guard unit == nil && days.count + (days[0] > 0 ? 1 : 0) > 1 || unit == .day else { return nil }
    return base?.on(days: days).map { .repeats($0) }
  }

  private mutating func addBounds() {
    add(.bound, [.one(.until), .maybe(.on), .one(.day)]) { $0.day(2).map { .bound(.until($0)) } }
    add(.bound, .to, .day) { $0.day(1).map { .bound(.until($0)) } }
    // "until june" is until June begins, or ends.
    for day in [1, -1] {
      add(.bound, .until, .frame) {
        guard case .month(let month, let year)? = $0.day(1) else { return nil }
        return .bound(.until(.monthDay(month: month, day: day, year: year)))
      }
    }
    add(.bound, [.maybe(.for), .one(.number), .one(.times)]) {
      (1...9999).contains($0.integer(1)) ? .bound(.count($0.integer(1))) : nil
    }
    for day in [Symbol.day, .frame] {
      add(.beginning, [.one(.starting), .maybe(.on), .maybe(.in), .one(day)]) {
        $0.when(3).map { .when($0) }
      }
      add(.beginning, .from, day) { $0.when(1).map { .when($0) } }
    }
  }
}
