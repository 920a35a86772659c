import CivilTime
import Recurrence

extension RuleTable {
  /// Where a recurrence begins and ends: 从3月16日起, 到年底为止, 共10次.
  mutating func addChineseBounds() {
    for day in [Symbol.day, .monthDay] {
      add(.bound, [.one(.until), .one(day), .maybe(.ago)]) {
        $0.day(1).map { .bound(.until($0)) }
      }
      // 到周五 may belong to a list of days, and 到15号 to every month.
      add(.bound, [.one(.to), .one(day), .maybe(.ago)]) {
        guard let day = $0.day(1) else { return nil }
        switch day {
        case .weekday, .dayOfMonth: return nil
        default: return .bound(.until(day))
        }
      }
    }
    // 到六月 is until June begins, or ends.
    for link in [Symbol.until, .to] {
      for day in [1, -1] {
        add(.bound, [.one(link), .one(.frame), .maybe(.ago)]) {
          guard case .month(let month, let year)? = $0.day(1) else { return nil }
          return .bound(.until(.monthDay(month: month, day: day, year: year)))
        }
      }
    }
    add(.bound, .once, .number, .times) {
      (1...9999).contains($0.integer(1)) ? .bound(.count($0.integer(1))) : nil
    }
    for day in [Symbol.day, .monthDay, .frame] {
      add(.beginning, [.maybe(.from), .one(day), .one(.starting)]) {
        // 下周一起吃饭 is to eat together next week.
        if !$0.has(0), $0.integer(2) == 1 {
          switch $0.day(1) {
          case .weekday(.monday), .weekdayInWeek(.monday, _): return nil
          default: break
          }
        }
        return $0.day(1).map { .when(When(day: $0)) }
      }
      add(.beginning, [.one(.from), .one(day)]) { $0.day(1).map { .when(When(day: $0)) } }
    }
  }

  /// What looks like a time and is not known: no part of it may be read without the rest.
  mutating func addChineseLimits() {
    let none: @Sendable (RuleMatch) -> Value? = { _ in Value.none }
    // Of 周五部门聚餐 the 部 counts nothing.
    add(.ordinary, [.one(.number), .glued(.counter)]) { $0.integer(1) == 0 ? Value.none : nil }
    add(.ordinary, .ordinalMark, .number, .counter, make: none)
    add(.ordinary, .ordinalMark, .number, .times, make: none)
    for thing in [Symbol.clock, .hour, .day, .part, .length, .partWhen, .when, .frame] {
      add(.only, thing, .before, make: none)
      add(.only, thing, .in, make: none)
    }
    for thing in [Symbol.clock, .hour, .length] { add(.only, thing, .late, make: none) }
    for thing in [Symbol.clock, .hour, .day, .monthDay, .part, .partWhen, .length] {
      add(.only, .limit, thing, make: none)
    }
    // 1到2小时
    add(.only, .number, .to, .length, make: none)
    add(.only, .early, .length, make: none)
    for thing in [Symbol.clock, .hour, .day, .part, .partWhen, .when, .frame] {
      add(.only, thing, .after, make: none)
    }
    // 到月底 with no recurrence that ends then.
    add(.only, [.one(.to), .one(.day), .maybe(.ago)]) { $0.integer(0) == 1 ? Value.none : nil }
    add(.only, .repeats, .monthEnd, make: none)
    add(.only, .number, .late, .dayMark, make: none)
    // 下周3点, 下周三天: the number is not that of the week.
    add(.only, [.one(.weekday), .glued(.hourMark)], none)
    add(.only, [.one(.weekday), .glued(.unit)]) {
      $0.length(1) == .day || $0.length(1).seconds > 0 ? Value.none : nil
    }
    add(.only, [.one(.length), .glued(.half)], none)
    add(.only, [.one(.number), .maybe(.a), .one(.late), .one(.unit)], none)
    add(.only, .length, .after, make: none)
    add(.ordinary, .street, .number, .dayMark, make: none)
    add(.only, .number, .times, make: none)
    add(.only, .ordinal, .weekday, make: none)
    for number in [Symbol.ordinal, .last] {
      // The third week, and the week before; 第三季度 may be in a title, and 晚上天文台 is none.
      add(.only, number, .unit) {
        let unit = $0.length(1)
        let isTime = number == .last ? unit.days >= 7 || unit.months > 0 : unit.days > 0
        return isTime ? Value.none : nil
      }
    }
    add(.only, .last, .weekday, make: none)
    add(.only, .next, .weekday, make: none)
    add(.only, .last, .monthMark, make: none)
    add(.only, .day, .period, make: none)
    add(.only, .frame, .period, make: none)
    // 每两小时
    add(.only, [.one(.every), .maybe(.number), .maybe(.a), .one(.unit)], none)
    add(.only, [.one(.every), .maybe(.half), .one(.unit)], none)
    add(.only, .feast, .before, make: none)
    add(.only, .feast, .after, make: none)
    // 中秋国庆, 元旦国庆
    add(.only, .feast, .day) {
      if case .holiday? = $0.day(1) { Value.none } else { nil }
    }
    add(.only, .day, .day) {
      if case .holiday? = $0.day(0), case .holiday? = $0.day(1) { Value.none } else { nil }
    }
    add(.only, .length, .monthEnd, make: none)
    // 八点差一小时
    for link in [Symbol.toHour, .past] { add(.only, .hour, link, .length, make: none) }
    add(.only, [.one(.clock), .glued(.hourMark)], none)
    add(.only, .day, .and, .day, make: none)
    // 五一到五三
    for thing in [Symbol.day, .clock] {
      add(.only, [.one(thing), .one(.to), .glued(.number)], none)
    }
    // 第三季度 may be in a title.
    add(.ordinary, .ordinalMark, .number, .unit) {
      $0.length(2) == Length(months: 3) ? Value.none : nil
    }
    add(.only, .number, .yearMark, make: none)
    add(.only, .number, .monthMark, make: none)
    add(.only, .number, .dayMark, make: none)
    add(.only, .between, .day, make: none)
    // 周二四 without 每
    add(.only, [.one(.weekday), .glued(.spoken)]) {
      let number = $0.integer(1)
      return number < 7 && number > $0.weekday(0).rawValue ? Value.none : nil
    }
    // 每周135
    add(.only, .repeats, .number) {
      guard let repeats = $0.repeats(0), repeats.isBare, repeats.frequency == .weekly else {
        return nil
      }
      let digits = String($0.integer(1)).utf8.map { Int($0) - 48 }
      let areDays = digits.allSatisfy { (1...7).contains($0) } && digits.count > 1
      return areDays && zip(digits, digits.dropFirst()).allSatisfy(<) ? Value.none : nil
    }
    // 15点45分30秒
    add(.only, [.one(.clock), .glued(.minuteMark)], none)
    // 一刻钟 and 15分钟 are lengths.
    add(.only, [.one(.clock), .glued(.oclock)]) { $0.integer(1) == 1 ? Value.none : nil }
    // 会议前15分钟, and 提前1天和1小时, which may be two reminders or one.
    add(.only, [.one(.before), .glued(.length)], none)
    add(.only, [.one(.early), .one(.length), .one(.and), .one(.length)], none)
    // 三点五 is no time, and 三点 no part of it; 三点一起 is.
    add(.only, [.one(.hour), .glued(.spoken)]) {
      (2...9).contains($0.integer(1)) ? Value.none : nil
    }
    // 七八点, 两三天
    add(.only, [.one(.spoken), .glued(.length)], none)
    add(.only, [.one(.spoken), .glued(.hour)]) {
      guard let hour = $0.clock(1)?.hour, $0.integer(0) + 1 == hour else { return nil }
      return Value.none
    }
  }
}
