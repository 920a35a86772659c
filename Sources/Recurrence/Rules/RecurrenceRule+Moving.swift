package import CivilTime

extension RecurrenceRule {
  /// Returns the rule for a moved start, so that all instances move with it.
  ///
  /// What the rule takes from its start moves by itself. Other parts change as well:
  ///
  ///     FREQ=WEEKLY;BYDAY=MO,TH        a day later: TU,FR
  ///     FREQ=MONTHLY;BYDAY=2TU         to the third Wednesday: 3WE
  ///     FREQ=MONTHLY;BYMONTHDAY=1,15   a day later: 2,16
  ///     FREQ=DAILY;BYHOUR=9,17         an hour later: 10,18
  ///
  /// A part whose only value is that of the old start gets the value of the new one. COUNT and
  /// UNTIL do not change.
  ///
  /// - Returns: nil if the parts do not tell how to move.
  package func moved(from old: CivilDateTime, to new: CivilDateTime) -> RecurrenceRule? {
    var rule = self
    guard rule.moveTime(from: old.time, to: new.time),
      old.date == new.date || rule.moveDate(from: old.date, to: new.date)
    else { return nil }
    return rule
  }

  private mutating func moveTime(from old: TimeOfDay, to new: TimeOfDay) -> Bool {
    guard old != new else { return true }
    if !hours.isEmpty {
      let shift = new.hour - old.hour
      hours = hours.map { $0 + shift }
      guard hours.allSatisfy((0...23).contains) else { return false }
    }
    return RecurrenceRule.move(&minutes, from: old.minute, to: new.minute)
      && RecurrenceRule.move(&seconds, from: old.second, to: new.second)
  }

  private static func move(_ values: inout [Int], from old: Int, to new: Int) -> Bool {
    if values.isEmpty || old == new { return true }
    guard values == [old] else { return false }
    values = [new]
    return true
  }

  private mutating func moveDate(from old: CivilDate, to new: CivilDate) -> Bool {
    let hasDays = !weekdays.isEmpty || !monthDays.isEmpty
    guard hasDays || !months.isEmpty || !weekNumbers.isEmpty || !yearDays.isEmpty else {
      return true
    }
    guard weekNumbers.isEmpty, yearDays.isEmpty,
      RecurrenceRule.move(&months, from: old.month, to: new.month)
    else { return false }
    guard hasDays else { return true }
    if !weekdays.isEmpty, frequency <= .weekly {
      return months.isEmpty && monthDays.isEmpty && rotateWeekdays(by: new.days(since: old))
    }
    if weekdays.isEmpty { return moveMonthDays(from: old, to: new) }
    return monthDays.isEmpty && moveOrdinal(from: old, to: new)
  }

  /// Moves the weekdays, and the first day of the week, which groups days in every other week.
  private mutating func rotateWeekdays(by days: Int) -> Bool {
    func rotated(_ weekday: Weekday) -> Weekday {
      Weekday(rawValue: ((weekday.rawValue - 1 + days) % 7 + 7) % 7 + 1) ?? weekday
    }
    guard weekdays.allSatisfy({ $0.ordinal == nil }), setPositions.isEmpty else { return false }
    weekdays = weekdays.map { WeekdayChoice(rotated($0.weekday)) }
    if interval > 1 { weekStart = rotated(weekStart) }
    return true
  }

  private mutating func moveMonthDays(from old: CivilDate, to new: CivilDate) -> Bool {
    if monthDays == [old.day] {
      monthDays = [new.day]
      return true
    }
    let shift = new.days(since: old)
    let moved = monthDays.map { $0 + shift }
    // Not every month has the days after the 28th.
    guard setPositions.isEmpty, (monthDays + moved).allSatisfy((1...28).contains) else {
      return false
    }
    monthDays = moved
    return true
  }

  private mutating func moveOrdinal(from old: CivilDate, to new: CivilDate) -> Bool {
    guard weekdays.count == 1, let ordinal = weekdays[0].ordinal,
      weekdays[0].weekday == old.weekday, setPositions.isEmpty,
      // In a yearly rule without months, the ordinal counts weeks of the year.
      frequency == .monthly || !months.isEmpty
    else { return false }
    let left = CivilDate.length(ofMonth: new.month, year: new.year) - new.day
    weekdays = [
      WeekdayChoice(new.weekday, ordinal: ordinal > 0 ? (new.day - 1) / 7 + 1 : -(left / 7 + 1))
    ]
    return true
  }

  /// Returns the rule with the days that it takes from a start, so that it keeps them with another:
  ///
  ///     FREQ=WEEKLY          BYDAY=TU
  ///     FREQ=MONTHLY         BYMONTHDAY=31
  ///     FREQ=YEARLY          BYMONTH=2;BYMONTHDAY=29
  package func naming(daysOf start: CivilDate) -> RecurrenceRule {
    guard weekdays.isEmpty, monthDays.isEmpty, yearDays.isEmpty else { return self }
    var rule = self
    switch frequency {
    case .weekly: rule.weekdays = [WeekdayChoice(start.weekday)]
    case .monthly: rule.monthDays = [start.day]
    case .yearly where !weekNumbers.isEmpty: rule.weekdays = [WeekdayChoice(start.weekday)]
    case .yearly:
      if months.isEmpty { rule.months = [start.month] }
      rule.monthDays = [start.day]
    default: break
    }
    return rule
  }
}
