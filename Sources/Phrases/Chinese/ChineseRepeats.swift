import CivilTime
import Recurrence

extension RuleTable {
  /// Recurrences: 每周一三五, 每隔一周, 每月15号, 每月最后一个周五.
  mutating func addChineseRepeats() {
    addChineseIntervals()
    addChineseWeekdays()
    addChineseMonthly()
    addChineseExceptions()
  }

  private mutating func addChineseIntervals() {
    add(.repeats, .every, .dayMark) { _ in .repeats(RepeatReading(.daily)) }
    add(.repeats, .every, .monthMark) { _ in .repeats(RepeatReading(.monthly)) }
    add(.repeats, .every, .half, .unit) {
      $0.length(2) == .year ? .repeats(RepeatReading(.monthly, interval: 6)) : nil
    }
    // 隔天, 每隔一周: every second. 每隔两周 is every second for some, and every third for others.
    for unit in [Symbol.unit, .monthMark, .dayMark] {
      let length: @Sendable (RuleMatch, Int) -> Length = {
        unit == .unit ? $0.length($1) : unit == .monthMark ? .month : .day
      }
      add(.repeats, [.maybe(.every), .one(.other), .one(unit)]) {
        RepeatReading.every(length($0, 2), 2).map { .repeats($0) }
      }
    }
    for more in [0, 1] {
      add(.repeats, [.maybe(.every), .one(.other), .one(.number), .one(.unit)]) {
        let count = $0.integer(2)
        return RepeatReading.every($0.length(3), count == 1 ? 2 : count + more).map { .repeats($0) }
      }
    }
    // 每周一次
    add(.repeats, .repeats, .number, .times) {
      guard let repeats = $0.repeats(0), repeats.isBare, $0.integer(1) == 1 else { return nil }
      return .repeats(repeats)
    }
    for part in [Symbol.part, .amLetter, .pmLetter] {
      add(.repeats, .every, part) {
        var repeats = RepeatReading(.daily)
        repeats.part = $0.part(1)
        return repeats.part == .night ? nil : .repeats(repeats)
      }
      add(.repeats, .repeats, part) {
        guard var repeats = $0.repeats(0), repeats.part == nil, $0.part(1) != .night else {
          return nil
        }
        repeats.part = $0.part(1)
        return .repeats(repeats)
      }
    }
    // 每年5月20日, 每年圣诞节
    for day in [Symbol.day, .monthDay] {
      add(.repeats, [.one(.repeats), .maybe(.of), .one(day)]) {
        guard let repeats = $0.repeats(0), repeats.frequency == .yearly, var day = $0.day(2) else {
          return nil
        }
        if case .holiday(let month, let number) = day {
          day = .monthDay(month: month, day: number, year: nil)
        }
        return repeats.on(day).map { .repeats($0) }
      }
    }
  }

  private mutating func addChineseWeekdays() {
    // 一三五, 一、三、五, 二和周四
    for left in [Symbol.weekday, .weekdays] {
      for right in [Symbol.weekday, .spoken, .oneDigit] {
        add(.weekdays, [.one(left), .maybe(.and), .one(right)]) {
          guard let day = Self.weekday($0, 2, right), !$0.weekdays(0).contains(day),
            right == .weekday || $0.has(1)
              || ($0.weekdays(0).last ?? .monday).rawValue < day.rawValue
          else { return nil }
          return .weekdays($0.weekdays(0) + [day])
        }
      }
      add(.weekdays, [.one(left), .maybe(.and), .one(.dayMark)]) {
        let days = $0.weekdays(0)
        return days.contains(.sunday) ? nil : .weekdays(days + [.sunday])
      }
    }
    for right in [Symbol.weekday, .spoken, .oneDigit] {
      add(.weekdays, [.one(.weekday), .one(.to), .one(right)]) {
        guard let last = Self.weekday($0, 2, right), last != $0.weekday(0) else { return nil }
        return .weekdays(Self.days(from: $0.weekday(0), to: last))
      }
    }
    // 周二周四18:30 may be every week, or this one.
    add(.repeats, [.one(.weekday), .maybe(.and), .one(.weekday)]) {
      RepeatReading.listed([$0.weekday(0), $0.weekday(2)], mayBeOnce: true).map { .repeats($0) }
    }
    add(.weekdays, .weekend) { _ in .weekdays([.saturday, .sunday]) }
    add(.weekdays, .workday) { _ in .weekdays(RepeatReading.workdays) }
    for days in [Symbol.weekday, .weekdays] {
      // 每两周的周一, 每周 周二
      add(.repeats, [.one(.repeats), .maybe(.of), .one(days)]) {
        guard let repeats = $0.repeats(0), repeats.part == nil else { return nil }
        return repeats.on(weekdays: $0.weekdays(2)).map { .repeats($0) }
      }
      add(.repeats, [.maybe(.every), .one(.other), .one(days)]) {
        .repeats(.weekly($0.weekdays(2), interval: 2))
      }
    }
    // 周一到周五每天
    add(.repeats, .weekdays, .repeats) {
      guard $0.weekdays(0).count > 1, let daily = $0.repeats(1), daily.isBare,
        daily.frequency == .daily, daily.interval == 1
      else { return nil }
      var repeats = RepeatReading.weekly($0.weekdays(0))
      repeats.part = daily.part
      return .repeats(repeats)
    }
  }

  private static func weekday(_ match: RuleMatch, _ place: Int, _ symbol: Symbol) -> Weekday? {
    symbol == .weekday ? match.weekday(place) : Weekday(rawValue: match.integer(place))
  }

  private mutating func addChineseMonthly() {
    add(.ordinals, .dayNumber) { .list([$0.integer(0)]) }
    for left in [Symbol.number, .dayNumber] {
      add(.ordinals, [.one(left), .one(.and), .one(.ordinals)]) {
        guard (1...31).contains($0.integer(0)), !$0.list(2).contains($0.integer(0)) else {
          return nil
        }
        return .list([$0.integer(0)] + $0.list(2))
      }
    }
    add(.repeats, [.one(.repeats), .maybe(.of), .one(.ordinals)]) {
      $0.repeats(0)?.on(days: $0.list(2)).map { .repeats($0) }
    }
    // 逢1号
    add(.repeats, [.one(.every), .one(.ordinals)]) {
      RepeatReading(.monthly).on(days: $0.list(1)).map { .repeats($0) }
    }
    add(.repeats, [.one(.repeats), .maybe(.of), .one(.monthEnd)]) {
      $0.repeats(0)?.on(days: [-1]).map { .repeats($0) }
    }
    add(.repeats, [.one(.repeats), .maybe(.of), .one(.day)]) {
      $0.day(2) == .dayInMonth(-1, months: 0)
        ? $0.repeats(0)?.on(days: [-1]).map { .repeats($0) } : nil
    }
    // 每月倒数第二天
    add(.repeats, [.one(.repeats), .maybe(.of), .one(.ordinal), .one(.unit)]) {
      guard let repeats = $0.repeats(0) else { return nil }
      if $0.length(3) == .workday { return repeats.onWorkday($0.integer(2)).map { .repeats($0) } }
      return $0.length(3) == .day ? repeats.on(days: [$0.integer(2)]).map { .repeats($0) } : nil
    }
    add(.repeats, [.one(.repeats), .maybe(.of), .one(.ordinal), .one(.weekday)]) {
      $0.repeats(0)?.on([$0.integer(2)], $0.weekday(3)).map { .repeats($0) }
    }
    // 每月第一个和第三个周五
    add(
      .repeats,
      [.one(.repeats), .maybe(.of), .one(.ordinal), .one(.and), .one(.ordinal), .one(.weekday)]
    ) { $0.repeats(0)?.on([$0.integer(2), $0.integer(4)], $0.weekday(5)).map { .repeats($0) } }
  }

  /// 每天除了周日, 工作日（周三除外）
  private mutating func addChineseExceptions() {
    for days in [Symbol.weekday, .weekdays] {
      add(
        .repeats,
        [.one(.repeats), .maybe(.comma), .one(.between), .one(days), .maybe(.ten)]
      ) { $0.repeats(0)?.except($0.weekdays(3)).map { .repeats($0) } }
      add(.repeats, [.one(.repeats), .maybe(.comma), .one(days), .one(.ten)]) {
        $0.repeats(0)?.except($0.weekdays(2)).map { .repeats($0) }
      }
      add(.repeats, [.one(.between), .one(days), .one(.ten), .maybe(.comma), .one(.repeats)]) {
        $0.repeats(4)?.except($0.weekdays(1)).map { .repeats($0) }
      }
    }
  }
}
