import CivilTime

extension RuleTable {
  /// Reminders: "!15m", "!end-5m", "!1d 18:00", "!none", and in words.
  mutating func addEnglishReminders() {
    add(.reminder, [.one(.bang), .glued(.length)]) { .length($0.length(1)) }
    add(.reminder, .remind, .length, .before) { .length($0.length(1)) }
    add(.reminder, .length, .before, .remind) { .length($0.length(0)) }
    add(.reminder, .remind, .length, .before, .monthEnd) {
      Self.reminder($0.length(1).negated, isFromEnd: true)
    }
    add(.reminder, [.one(.bang), .glued(.no)]) { _ in .reminder(.none) }
    add(.reminder, [.one(.no), .maybe(.a), .one(.reminders)]) { _ in .reminder(.none) }
    addPlaces()
    addTimes()
  }

  /// "!end", "!end-5m", "!start+10m"
  private mutating func addPlaces() {
    for place in [Symbol.monthStart, .monthEnd] {
      let isFromEnd = place == .monthEnd
      add(.reminder, [.one(.bang), .glued(place)]) { _ in
        Self.reminder(Length(), isFromEnd: isFromEnd)
      }
      add(.reminder, [.one(.bang), .glued(place), .glued(.dash), .glued(.length)]) {
        Self.reminder($0.length(3).negated, isFromEnd: isFromEnd)
      }
      add(.reminder, [.one(.bang), .glued(place), .glued(.plus), .glued(.length)]) {
        Self.reminder($0.length(3), isFromEnd: isFromEnd)
      }
    }
  }

  /// "!9:00" on the day, "!1d 18:00" on the day before.
  private mutating func addTimes() {
    for clock in [Symbol.clock, .hour] {
      // A bare hour needs its "at".
      let needsAt = clock == .hour
      if !needsAt {
        add(.reminder, [.one(.bang), .glued(.clock)]) { Self.reminder(daysBefore: 0, $0.clock(1)) }
      }
      add(.reminder, [.one(.bang), .glued(.at), .one(clock)]) {
        Self.reminder(daysBefore: 0, $0.clock(2))
      }
      let at = RuleElement(symbol: .at, isOptional: !needsAt)
      for lead in [Symbol.bang, .remind] {
        let isGlued = lead == .bang
        add(
          .reminder,
          [
            .one(lead), RuleElement(symbol: .length, isGlued: isGlued), .maybe(.before),
            .maybe(.comma), at, .one(clock),
          ]
        ) {
          let length = $0.length(1)
          guard length == Length(days: length.days) else { return nil }
          return Self.reminder(daysBefore: length.days, $0.clock(5))
        }
        for first in [Symbol.the, .unit] {
          var elements: [RuleElement] = [
            .one(lead), RuleElement(symbol: first, isGlued: isGlued), .one(.unit), .one(.before),
            .maybe(.comma), at, .one(clock),
          ]
          if first == .unit { elements.remove(at: 2) }
          let (unit, time) = first == .the ? (2, 6) : (1, 5)
          add(.reminder, elements) {
            $0.length(unit) == .day ? Self.reminder(daysBefore: 1, $0.clock(time)) : nil
          }
        }
      }
    }
  }

  private static func reminder(_ length: Length?, isFromEnd: Bool) -> Value? {
    (length?.duration).map { .reminder(isFromEnd ? .fromEnd($0) : .fromStart($0)) }
  }

  /// A bare hour is in the morning, as reminders of a day are.
  private static func reminder(daysBefore: Int, _ clock: ClockReading?) -> Value? {
    guard let clock, clock.daysLater == 0,
      !clock.isBare || clock.isDigital || (8...12).contains(clock.hour)
    else { return nil }
    return .reminder(.time(ReminderTime(daysBefore: daysBefore, time: clock.time)))
  }
}
