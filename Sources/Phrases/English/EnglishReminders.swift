import CivilTime

extension RuleTable {
  /// Reminders: "!15m", "!end-5m", "!1d 18:00", "!none", and in words.
  mutating func addEnglishReminders() {
    add(.reminder, .remind, .length, .before) { Self.reminder($0.length(1).negated) }
    for word in [Symbol.remind, .reminders] {
      add(.reminder, word, .length) { Self.reminder($0.length(1).negated) }
    }
    add(.reminder, [.maybe(.with), .one(.length), .one(.reminders)]) {
      Self.reminder($0.length(1).negated)
    }
    add(.reminder, .length, .before, .remind) { Self.reminder($0.length(0).negated) }
    add(.reminder, .remind, .length, .before, .monthEnd) {
      Self.reminder($0.length(1).negated, isFromEnd: true)
    }
    add(.reminder, [.one(.bang), .glued(.no)]) { _ in .reminders([.none]) }
    add(.reminder, [.one(.no), .maybe(.a), .one(.reminders)]) { _ in .reminders([.none]) }
    addMarked()
    addTimes()
  }

  /// "!15m", "!end-5m", "!15m,9:00,end"
  private mutating func addMarked() {
    addMarkedReminder([.glued(.length), .maybe(.before)]) { Self.reminder($0.length($1).negated) }
    addMarkedReminder([.glued(.clock)]) { Self.reminder(daysBefore: 0, $0.clock($1)) }
    for place in [Symbol.monthStart, .monthEnd] {
      let isFromEnd = place == .monthEnd
      addMarkedReminder([.glued(place)]) { _, _ in Self.reminder(Length(), isFromEnd: isFromEnd) }
      addMarkedReminder([.glued(place), .glued(.dash), .glued(.length)]) {
        Self.reminder($0.length($1 + 2).negated, isFromEnd: isFromEnd)
      }
      addMarkedReminder([.glued(place), .glued(.plus), .glued(.length)]) {
        Self.reminder($0.length($1 + 2), isFromEnd: isFromEnd)
      }
    }
  }

  /// Adds what follows "!", and "," in a list.
  ///
  /// - Parameter make: Gets the place of the first element, too.
  mutating func addMarkedReminder(
    _ elements: [RuleElement], _ make: @escaping @Sendable (RuleMatch, Int) -> Value?
  ) {
    add(.reminder, [.one(.bang)] + elements) { make($0, 1) }
    add(.reminder, [.one(.reminder), .glued(.comma)] + elements) {
      guard case .reminders(let first) = $0[0], case .reminders(let more)? = make($0, 2) else {
        return nil
      }
      return .reminders(first + more)
    }
  }

  /// "!9:00" on the day, "!1d 18:00" on the day before.
  private mutating func addTimes() {
    for clock in [Symbol.clock, .hour] {
      // A bare hour needs its "at".
      let needsAt = clock == .hour
      if !needsAt {
        add(.reminder, [.one(.bang), .glued(.length), .one(.clock)]) {
          Self.reminder(before: $0.length(1), $0.clock(2))
        }
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
            .one(lead), RuleElement(symbol: .length, isGlued: isGlued), .one(.before),
            .maybe(.comma), at, .one(clock),
          ]
        ) { Self.reminder(before: $0.length(1), $0.clock(5)) }
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

  static func reminder(_ length: Length?, isFromEnd: Bool = false) -> Value? {
    (length?.duration).map { .reminders([isFromEnd ? .fromEnd($0) : .fromStart($0)]) }
  }

  private static func reminder(before length: Length, _ clock: ClockReading?) -> Value? {
    length == Length(days: length.days) ? reminder(daysBefore: length.days, clock) : nil
  }

  /// A bare hour is in the morning, as reminders of a day are.
  private static func reminder(daysBefore: Int, _ clock: ClockReading?) -> Value? {
    guard let clock, clock.daysLater == 0,
      !clock.isBare || clock.isDigital || (8...12).contains(clock.hour)
    else { return nil }
    return .reminders([.time(ReminderTime(daysBefore: daysBefore, time: clock.time))])
  }
}
