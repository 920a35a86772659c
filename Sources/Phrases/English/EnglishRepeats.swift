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

  /// Weekdays without "every", where nobody means days of this week: "mon-fri", "Tue, Thu".
  private mutating func addLists() {
    @Sendable func listed(_ days: [Weekday]) -> Value? {
      guard Set(days).count == days.count else { return nil }
      var repeats = RepeatReading.weekly(days)
      repeats.isListed = true
      return .repeats(repeats)
    }
    add(.repeats, .weekday, .to, .weekday) {
      let days = Self.days(from: $0.weekday(0), to: $0.weekday(2))
      return days == RepeatReading.workdays ? listed(days) : nil
    }
    add(.repeats, .weekday, .weekday, .weekday) {
      listed([$0.weekday(0), $0.weekday(1), $0.weekday(2)])
    }
    for mark in [Symbol.comma, .slash] {
      add(.repeats, .weekday, mark, .weekday) {
        // "sat, sun" may be this weekend.
        $0.weekday(2).days(since: $0.weekday(0)) > 1
          ? listed([$0.weekday(0), $0.weekday(2)]) : nil
      }
      for last in [mark, .and] {
        add(.repeats, .weekday, mark, .weekday, last, .weekday) {
          guard $0.weekday(2).days(since: $0.weekday(0)) > 1 else { return nil }
          return listed([$0.weekday(0), $0.weekday(2), $0.weekday(4)])
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
    add(.repeats, [.maybe(.once), .one(.every), .one(.unit)]) {
      Self.every($0.length(2)).map { .repeats($0) }
    }
    add(.repeats, .once, .a, .unit) { Self.every($0.length(2)).map { .repeats($0) } }
    add(.repeats, [.maybe(.once), .one(.every), .one(.number), .one(.unit)]) {
      Self.every($0.length(3), $0.integer(2)).map { .repeats($0) }
    }
    add(.repeats, .every, .other, .unit) { Self.every($0.length(2), 2).map { .repeats($0) } }
    add(.repeats, .every, .ordinal, .unit) {
      guard $0.integer(1) > 1 else { return nil }
      return Self.every($0.length(2), $0.integer(1)).map { .repeats($0) }
    }
    for days in [Symbol.weekday, .weekdays] {
      add(.repeats, .every, days) { .repeats(.weekly($0.weekdays(1))) }
      add(.repeats, .every, .other, days) { .repeats(.weekly($0.weekdays(2), interval: 2)) }
      add(.repeats, [.one(.repeats), .maybe(.on), .one(days)]) {
        guard var repeats = $0.repeats(0), repeats.isBare, repeats.frequency == .weekly else {
          return nil
        }
        repeats.weekdays = $0.weekdays(2).map { RecurrenceRule.WeekdayChoice($0) }
        return .repeats(repeats)
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

  /// "every 3 weeks", for a unit of the calendar.
  private static func every(_ unit: Length, _ count: Int = 1) -> RepeatReading? {
    guard (1...999).contains(count) else { return nil }
    switch unit {
    case .day: return RepeatReading(.daily, interval: count)
    case .week: return RepeatReading(.weekly, interval: count)
    case Length(days: 14): return RepeatReading(.weekly, interval: 2 * count)
    case .month: return RepeatReading(.monthly, interval: count)
    case Length(months: 3): return RepeatReading(.monthly, interval: 3 * count)
    case .year: return RepeatReading(.yearly, interval: count)
    case .hour: return RepeatReading(.hourly, interval: count)
    case .workday: return count == 1 ? .weekly(RepeatReading.workdays) : nil
    default: return nil
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
      // "first and third friday of each month"
      add(
        .repeats,
        [.maybe(.on), .maybe(.the), .one(numbers), .one(.weekday), .maybe(.of), .one(.repeats)]
      ) {
        guard !Self.isOfQuarters($0.repeats(5)) else { return nil }
        return Self.monthly($0.repeats(5), $0.list(2), $0.weekday(3))
      }
      add(.repeats, [.one(.every), .one(numbers), .one(.weekday)]) {
        Self.monthly(RepeatReading(.monthly), $0.list(1), $0.weekday(2))
      }
      add(.repeats, [.one(.every), .one(numbers), .one(.weekday), .one(.of), .one(.frame)]) {
        switch $0.day(4) {
        case .months(0)?, .someMonth?:
          return Self.monthly(RepeatReading(.monthly), $0.list(1), $0.weekday(2))
        case .month(let month, nil)?:
          guard
            case .repeats(var yearly)? =
              Self.monthly(RepeatReading(.monthly), $0.list(1), $0.weekday(2))
          else { return nil }
          yearly.frequency = .yearly
          yearly.month = month
          return .repeats(yearly)
        default: return nil
        }
      }
      add(
        .repeats, [.one(.every), .one(numbers), .one(.weekday), .one(.of), .one(.repeats)]
      ) {
        guard !Self.isOfQuarters($0.repeats(4)) else { return nil }
        return Self.monthly($0.repeats(4), $0.list(1), $0.weekday(2))
      }
      // "the 15th of every month", "last day of each month", "last working day of every month"
      add(
        .repeats,
        [.maybe(.on), .maybe(.the), .one(numbers), .maybe(.unit), .maybe(.of), .one(.repeats)]
      ) {
        guard !Self.isOfQuarters($0.repeats(5)) else { return nil }
        return Self.monthly($0.repeats(5), $0.list(2), unit: $0.has(3) ? $0.length(3) : nil)
      }
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

  /// The first day of a quarter is in one month of it, and not in each.
  private static func isOfQuarters(_ base: RepeatReading?) -> Bool {
    base.map { $0.frequency == .monthly && $0.interval % 3 == 0 } ?? false
  }

  private static func monthly(
    _ base: RepeatReading?, _ ordinals: [Int], _ weekday: Weekday
  ) -> Value? {
    guard var repeats = base, repeats.isBare, repeats.frequency == .monthly,
      ordinals.allSatisfy({ (-5...5).contains($0) })
    else { return nil }
    repeats.weekdays = ordinals.map { RecurrenceRule.WeekdayChoice(weekday, ordinal: $0) }
    return .repeats(repeats)
  }

  private static func monthly(
    _ base: RepeatReading?, _ days: [Int], unit: Length?
  ) -> Value? {
    guard var repeats = base, repeats.isBare, repeats.frequency == .monthly,
      days.allSatisfy({ $0 < 0 ? $0 >= -31 : $0 <= 31 })
    else { return nil }
    if unit == .workday {
      guard days.count == 1 else { return nil }
      repeats.weekdays = RepeatReading.workdays.map { RecurrenceRule.WeekdayChoice($0) }
      repeats.position = days[0]
      return .repeats(repeats)
    }
    guard unit == nil && days.count + (days[0] > 0 ? 1 : 0) > 1 || unit == .day else { return nil }
    repeats.monthDays = days
    return .repeats(repeats)
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
