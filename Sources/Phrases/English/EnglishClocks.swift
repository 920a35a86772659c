import CivilTime

extension RuleTable {
  /// Times of day: "9:30", "half past nine", "3-5pm".
  mutating func addEnglishClocks() {
    addHours()
    addSpokenClocks()
    addMinutesBefore()
    addClockRanges()
  }

  private mutating func addHours() {
    for digits in [Symbol.oneDigit, .twoDigits, .spoken] {
      add(.hour, digits) { ClockReading($0.integer(0)).map { .clock($0) } }
    }
    for half in [Symbol.am, .pm] {
      let isAfternoon = half == .pm
      add(.clock, .hour, half) { Self.half($0.clock(0), isAfternoon) }
      add(.clock, .clock, half) { Self.half($0.clock(0), isAfternoon) }
      add(.clock, [.one(.number), .glued(.dot), .glued(.twoDigits), .one(half)]) {
        Self.half(ClockReading($0.integer(0), $0.integer(2)), isAfternoon)
      }
      for digits in [Symbol.threeDigits, .fourDigits] {
        add(.clock, digits, half) {
          Self.half(ClockReading($0.integer(0) / 100, $0.integer(0) % 100), isAfternoon)
        }
      }
    }
    for letter in [Symbol.amLetter, .pmLetter] {
      let isAfternoon = letter == .pmLetter
      add(.clock, [.one(.hour), .glued(letter)]) { Self.half($0.clock(0), isAfternoon) }
      add(.clock, [.one(.clock), .glued(letter)]) { Self.half($0.clock(0), isAfternoon) }
    }
    for digits in [Symbol.oneDigit, .twoDigits] {
      add(
        .clock,
        [
          .one(digits), .glued(.colon), .glued(.twoDigits), .glued(.colon), .glued(.twoDigits),
        ]
      ) {
        ClockReading($0.integer(0), $0.integer(2), second: $0.integer(4), isDigital: true)
          .map { .clock($0.exact) }
      }
      add(.clock, [.one(digits), .glued(.hourLetter), .glued(.twoDigits)]) {
        ClockReading($0.integer(0), $0.integer(2)).map { .clock($0.exact) }
      }
    }
    // "tomorrow 9.30", "tomorrow 1430": next to a day alone.
    for digits in [Symbol.oneDigit, .twoDigits] {
      add(.hour, [.one(digits), .glued(.dot), .glued(.twoDigits)]) {
        ClockReading($0.integer(0), $0.integer(2), isDigital: true).map { .clock($0) }
      }
    }
    add(.hour, .fourDigits) {
      let number = $0.integer(0)
      guard !(1900..<2200).contains(number) else { return nil }
      return ClockReading(number / 100, number % 100).map { .clock($0.exact) }
    }
    // "1930-0730" is no range of years.
    add(.hours, .fourDigits, .to, .fourDigits) {
      let (first, last) = ($0.integer(0), $0.integer(2))
      guard !(1900..<2200).contains(first) || !(first..<2200).contains(last),
        let start = ClockReading(first / 100, first % 100),
        let end = ClockReading(last / 100, last % 100)
      else { return nil }
      return .when(When(clock: start.exact, endClock: end.exact))
    }
    // "18h" is a duration, but after "15h30-" it is a time.
    add(.when, [.one(.clock), .one(.to), .one(.number), .glued(.hourLetter)]) {
      guard let start = $0.clock(0), !start.isBare, let end = ClockReading($0.integer(2)) else {
        return nil
      }
      return .when(When(clock: start, endClock: end.exact))
    }
    // "from 13h to 18h"
    add(
      .when,
      [
        .maybe(.from), .one(.number), .glued(.hourLetter), .one(.to), .one(.number),
        .glued(.hourLetter),
      ]
    ) {
      guard let start = ClockReading($0.integer(1)), let end = ClockReading($0.integer(4)) else {
        return nil
      }
      return .when(When(clock: start.exact, endClock: end.exact))
    }
    add(.when, [.one(.at), .one(.number), .glued(.hourLetter)]) {
      ClockReading($0.integer(1)).map { .when(When(clock: $0.exact)) }
    }
    add(.when, .at, .fourDigits) {
      ClockReading($0.integer(1) / 100, $0.integer(1) % 100).map { .when(When(clock: $0.exact)) }
    }
    add(.clock, [.one(.hour), .one(.oclock)]) { .clock($0.clock(0) ?? .noon) }
  }

  private static func half(_ clock: ClockReading?, _ isAfternoon: Bool) -> Value? {
    guard let clock, clock.isBare else { return nil }
    return clock.inHalf(isAfternoon: isAfternoon).map { .clock($0) }
  }

  private mutating func addSpokenClocks() {
    for hour in [Symbol.hour, .clock] {
      add(.clock, .half, .past, hour) { Self.shifted($0.clock(2), by: 30) }
      add(.clock, [.maybe(.a), .one(.quarter), .one(.past), .one(hour)]) {
        $0.has(0) || $0.optionalInteger(1) == nil ? Self.shifted($0.clock(3), by: 15) : nil
      }
      add(.clock, [.maybe(.a), .one(.quarter), .one(.toHour), .one(hour)]) {
        Self.shifted($0.clock(3), by: -15)
      }
      for (word, sign) in [(Symbol.past, 1), (.toHour, -1)] {
        add(.clock, [.one(.number), .one(.unit), .one(word), .one(hour)]) {
          guard (1...59).contains($0.integer(0)), $0.length(1) == .minute else { return nil }
          return Self.shifted($0.clock(3), by: sign * $0.integer(0))
        }
        // "five to six"; "5 to 6" is a range, and "5 past 6" is none.
        for digits in [Symbol.oneDigit, .twoDigits] where word == .past {
          add(.clock, digits, word, hour) {
            guard (1...59).contains($0.integer(0)), $0.integer(0) % 5 == 0 else { return nil }
            return Self.shifted($0.clock(2), by: $0.integer(0))
          }
        }
        add(.clock, [.one(.spoken), .one(word), .one(hour)]) {
          guard (1...59).contains($0.integer(0)), $0.integer(0) % 5 == 0 else { return nil }
          return Self.shifted($0.clock(2), by: sign * $0.integer(0))
        }
      }
    }
    // "half four" is after four in Britain, and before four in what others translate.
    for minutes in [30, -30] {
      add(.clock, .half, .hour) {
        guard let clock = $0.clock(1), clock.isBare, !clock.isDigital else { return nil }
        return Self.shifted(clock, by: minutes)
      }
    }
    // "three twenty", "five-thirty"
    add(.clock, [.one(.spoken), .maybe(.dash), .one(.spoken)]) {
      guard (1...12).contains($0.integer(0)), (10...59).contains($0.integer(2)) else {
        return nil
      }
      return ClockReading($0.integer(0), $0.integer(2)).map { .clock($0) }
    }
  }

  /// "20 to 5" may be a range or 4:40; "10 to 4" is a range, but may be 3:50 after "at".
  private mutating func addMinutesBefore() {
    @Sendable func clock(_ minutes: Int, _ hour: ClockReading?) -> ClockReading? {
      guard minutes % 5 == 0, (5...25).contains(minutes), let hour, hour.isBare, hour.minute == 0
      else { return nil }
      return hour.adding(minutes: -minutes)
    }
    add(.clock, .twoDigits, .toHour, .hour) {
      $0.integer(0) > 10 ? clock($0.integer(0), $0.clock(2)).map { .clock($0) } : nil
    }
    for digits in [Symbol.oneDigit, .twoDigits] {
      add(.when, .at, digits, .toHour, .hour) {
        clock($0.integer(1), $0.clock(3)).map { .when(When(clock: $0)) }
      }
    }
  }

  private static func shifted(_ clock: ClockReading?, by minutes: Int) -> Value? {
    guard let clock, clock.minute == 0 else { return nil }
    return .clock(clock.adding(minutes: minutes))
  }

  private mutating func addClockRanges() {
    for (start, end) in [
      (Symbol.clock, Symbol.clock), (.hour, .clock), (.clock, .hour), (.hour, .hour),
    ] {
      let range: @Sendable (RuleMatch) -> Value? = {
        guard let start = $0.clock(1), let end = $0.clock(3) else { return nil }
        return .when(When(clock: start, endClock: end))
      }
      let isBare = start == .hour && end == .hour
      add(.when, [isBare ? .one(.from) : .maybe(.from), .one(start), .one(.to), .one(end)], range)
      add(.when, [.one(.between), .one(start), .one(.and), .one(end)], range)
      add(.when, [.one(.between), .one(start), .one(.to), .one(end)], range)
      if isBare {
        add(.hours, start, .to, end) {
          guard let start = $0.clock(0), let end = $0.clock(2) else { return nil }
          return .when(When(clock: start, endClock: end))
        }
      }
    }
  }
}
