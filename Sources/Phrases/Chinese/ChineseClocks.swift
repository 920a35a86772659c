extension RuleTable {
  /// Times of day: 下午3点半, 20:15, 差一刻八点.
  mutating func addChineseClocks() {
    add(.hour, .number, .hourMark) { ClockReading($0.integer(0)).map { .clock($0) } }
    // 一点 is "a bit" as well, and a time only next to something that says so.
    for digits in [Symbol.oneDigit, .twoDigits, .spoken] {
      add(.clock, digits, .hourMark) {
        digits == .spoken && $0.integer(0) == 1
          ? nil : ClockReading($0.integer(0)).map { .clock($0) }
      }
    }
    add(.clock, .hour, .half) { Self.later($0.clock(0), by: 30) }
    add(.clock, .hour, .quarter) { Self.later($0.clock(0), by: $0.integer(1)) }
    for digits in [Symbol.twoDigits, .spoken] {
      add(.clock, [.one(.hour), .one(digits), .maybe(.minuteMark)]) {
        // 三点五 is no time: minutes below ten have their 分.
        guard $0.has(2) || digits == .twoDigits || $0.integer(1) >= 10 else { return nil }
        return Self.later($0.clock(0), by: $0.integer(1))
      }
    }
    add(.clock, .hour, .oneDigit, .minuteMark) { Self.later($0.clock(0), by: $0.integer(1)) }
    // 差一刻八点, 八点差五分, 八点过五分钟
    for amount in [[.quarter], [.number, .minuteMark], [.length]] as [[Symbol]] {
      let elements = amount.map { RuleElement.one($0) }
      add(.clock, [.one(.toHour)] + elements + [.one(.hour)]) {
        Self.earlier($0.clock(1 + amount.count), by: Self.minutes($0[1]))
      }
      add(.clock, [.one(.hour), .one(.toHour)] + elements) {
        Self.earlier($0.clock(0), by: Self.minutes($0[2]))
      }
      add(.clock, [.one(.hour), .one(.past)] + elements) {
        Self.later($0.clock(0), by: Self.minutes($0[2]))
      }
    }
    // The midnight of a day is that before it or after it.
    for later in [0, 1] {
      add(.clock, .point) { _ in
        var midnight = ClockReading.midnight
        midnight.daysLater = later
        return .clock(midnight)
      }
    }
    for (half, isAfternoon) in [(Symbol.am, false), (.pm, true)] {
      add(.clock, [.one(.clock), .maybe(half), .one(half)]) { match in
        match.clock(0)?.inHalf(isAfternoon: isAfternoon).map { .clock($0) }
      }
      // AM 10:00
      add(.clock, half, .clock) { match in
        match.clock(1)?.inHalf(isAfternoon: isAfternoon).map { .clock($0) }
      }
      add(.clock, [.one(.number), .glued(half)]) {
        ClockReading($0.integer(0))?.inHalf(isAfternoon: isAfternoon).map { .clock($0) }
      }
    }
    // 3点15分钟 is a quarter of an hour from three on.
    add(.clock, .clock, .oclock) {
      guard let clock = $0.clock(0), $0.integer(1) == 0 || clock.minute == 0 else { return nil }
      return .clock(clock)
    }
    add(.clock, .hour, .half, .oclock) { Self.later($0.clock(0), by: 30) }
    add(.hour, .hour, .oclock) { $0.clock(0).map { .clock($0) } }
    // 下午3点前交报告 is due at three.
    add(.clock, [.one(.clock), .glued(.before)]) { $0.clock(0).map { .clock($0) } }
    add(.clock, .at, .clock) { $0.clock(1).map { .clock($0) } }
    add(.when, .clock, .starting) { $0.when(0).map { .when($0) } }
    addChineseParts()
  }

  private mutating func addChineseParts() {
    for part in [Symbol.part, .amLetter, .pmLetter] {
      for clock in [Symbol.clock, .hour] {
        add(.clock, [.one(part), .maybe(.of), .one(clock)]) {
          Self.time($0.clock(2), in: $0.part(0))
        }
        // 上午12点 is midnight for few, and noon for most.
        add(.clock, [.one(part), .maybe(.of), .one(clock)]) {
          guard let clock = $0.clock(2), clock.isBare, clock.hour == 12, $0.part(0) == .morning
          else { return nil }
          return .clock(clock.exact)
        }
      }
      add(.partWhen, .day, part) {
        guard let named = $0.part(1), part == .part || named != .night else { return nil }
        return .when(When(day: $0.day(0), part: named))
      }
    }
    add(.partWhen, .part) { $0.when(0).map { .when($0) } }
    for clock in [Symbol.clock, .hour] {
      add(.when, .partWhen, clock) {
        guard var when = $0.when(0), when.day != nil,
          case .clock(let exact)? = Self.time($0.clock(1), in: when.part)
        else { return nil }
        when.part = nil
        when.clock = exact
        return .when(when)
      }
      add(.when, [.one(.day), .one(clock)]) {
        guard let day = $0.day(0), let clock = $0.clock(1) else { return nil }
        return .when(When(day: day, clock: clock))
      }
    }
  }

  /// Returns a time in a part of the day; in the afternoon people say 下午十一点半 as well.
  static func time(_ clock: ClockReading?, in part: PartOfDay?) -> Value? {
    guard let clock, let part else { return nil }
    let exact: ClockReading? =
      if part == .afternoon {
        clock.isBare
          ? clock.inHalf(isAfternoon: true) : (12...23).contains(clock.hour) ? clock : nil
      } else {
        part.applied(to: clock)
      }
    guard var exact else { return nil }
    // An end after it is the next one, and not that of the 24-hour clock.
    exact.isDigital = false
    return .clock(exact)
  }

  /// The minutes of 一刻, 五分 and 五分钟; 0 for another length.
  private static func minutes(_ value: Value) -> Int {
    switch value {
    case .integer(let minutes): minutes
    case .length(let length) where length == Length(seconds: length.seconds): length.seconds / 60
    default: 0
    }
  }

  private static func later(_ clock: ClockReading?, by minutes: Int) -> Value? {
    guard let clock, clock.minute == 0, clock.daysLater == 0, (0...59).contains(minutes) else {
      return nil
    }
    return .clock(clock.adding(minutes: minutes))
  }

  private static func earlier(_ clock: ClockReading?, by minutes: Int) -> Value? {
    guard let clock, clock.minute == 0, (1...59).contains(minutes) else { return nil }
    return .clock(clock.adding(minutes: -minutes))
  }
}
