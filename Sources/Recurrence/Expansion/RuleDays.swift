package import CivilTime

/// A small superset of the days on which a rule has instances, apart from its start.
///
/// It is computed without expanding the rule, so BYSETPOS, COUNT and UNTIL are ignored.
package struct RuleDays: Hashable, Sendable {
  /// A repeating range of days: 7 of every 14 for FREQ=WEEKLY;INTERVAL=2.
  private var days = Period()
  /// The same for months, counted from year 0.
  private var months = Period()
  /// Bit 0 is Monday.
  private var weekdays: UInt8 = 0x7f
  /// Bit 1 to 12.
  private var monthsOfYear: UInt16 = 0x1ffe
  /// Bit 1 to 31.
  private var monthDays: UInt32 = 0xffff_fffe

  private struct Period: Hashable {
    var step: Int32 = 1
    var origin: Int32 = 0
    var width: UInt8 = 1

    @inline(__always)
    func contains(_ number: Int) -> Bool {
      step == 1 || floorMod(Int64(number) - Int64(origin), Int64(step)) < Int64(width)
    }
  }

  /// Returns nil for a rule that may have an instance on any day.
  ///
  /// - Parameter start: DTSTART on its own clock.
  package init?(_ rule: RecurrenceRule, start: CivilDateTime, isAllDay: Bool) {
    // A moved day may be any day; all-day events ignore steps of hours.
    guard rule.skip ?? .omit == .omit, rule.frequency >= .daily || !isAllDay else { return nil }
    let (year, month, day) = start.date.parts
    let startDay = Int(start.date.dayNumber)
    limit(rule)
    // Steps beyond the year 9999 are all the same.
    switch rule.frequency {
    case .secondly, .minutely, .hourly: break
    case .daily:
      days = Period(step: Int32(min(rule.interval, 4_000_000)), origin: Int32(startDay))
    case .weekly:
      let before = (weekdayIndex(startDay) - (rule.weekStart.rawValue - 1) + 7) % 7
      days = Period(
        step: Int32(min(rule.interval, 600_000) * 7), origin: Int32(startDay - before), width: 7)
      if rule.weekdays.isEmpty { weekdays = 1 << UInt8(weekdayIndex(startDay)) }
    case .monthly:
      months = Period(
        step: Int32(min(rule.interval, 150_000)), origin: Int32(year * 12 + month - 1))
      if rule.monthDays.isEmpty {
        if rule.weekdays.isEmpty { monthDays = 1 << UInt32(day) } else { limitOrdinals(rule) }
      }
    case .yearly:
      // Weeks reach into the neighbouring years.
      if !rule.weekNumbers.isEmpty {
        (monthsOfYear, monthDays) = (RuleDays.everyMonth, RuleDays.everyMonthDay)
        if rule.weekdays.isEmpty, rule.yearDays.isEmpty, rule.monthDays.isEmpty {
          weekdays = 1 << UInt8(weekdayIndex(startDay))
        }
        break
      }
      months = Period(
        step: Int32(min(rule.interval, 20_000) * 12), origin: Int32(year * 12), width: 12)
      guard rule.yearDays.isEmpty, rule.monthDays.isEmpty else { break }
      if rule.weekdays.isEmpty {
        monthDays = 1 << UInt32(day)
        if rule.months.isEmpty { monthsOfYear = 1 << UInt16(month) }
      } else if !rule.months.isEmpty {
        limitOrdinals(rule)
      }
    }
    let isEvery =
      days.step == 1 && months.step == 1 && weekdays == 0x7f
      && monthsOfYear == RuleDays.everyMonth && monthDays == RuleDays.everyMonthDay
    if isEvery || (days.step == 7 && weekdays == 0x7f) { return nil }
  }

  /// The first and last weekday of instances; 0 is Monday.
  package var weekdayBounds: ClosedRange<Int> {
    weekdays == 0
      ? 0...6 : weekdays.trailingZeroBitCount...7 - weekdays.leadingZeroBitCount
  }

  /// The first and last day of the month of instances; 0 is the first.
  package var monthDayBounds: ClosedRange<Int> {
    monthDays == 0
      ? 0...30 : monthDays.trailingZeroBitCount - 1...30 - monthDays.leadingZeroBitCount
  }

  private static let everyMonth: UInt16 = 0x1ffe
  private static let everyMonthDay: UInt32 = 0xffff_fffe

  /// Applies the parts that limit by themselves.
  private mutating func limit(_ rule: RecurrenceRule) {
    if !rule.weekdays.isEmpty {
      weekdays = rule.weekdays.reduce(0) { $0 | 1 << UInt8($1.weekday.rawValue - 1) }
    }
    if !rule.months.isEmpty { monthsOfYear = rule.months.reduce(0) { $0 | 1 << UInt16($1) } }
    if !rule.monthDays.isEmpty {
      monthDays = 0
      for number in rule.monthDays {
        // The last day of a month is its 28th to 31st.
        insert(number > 0 ? number...number : 29 + number...32 + number)
      }
    }
  }

  /// Limits to the days of a month on which the numbered weekdays can fall.
  private mutating func limitOrdinals(_ rule: RecurrenceRule) {
    guard rule.weekdays.allSatisfy({ $0.ordinal != nil }) else { return }
    monthDays = 0
    for case let ordinal? in rule.weekdays.map(\.ordinal) {
      insert(ordinal > 0 ? ordinal * 7 - 6...ordinal * 7 : 29 + ordinal * 7...38 + ordinal * 7)
    }
  }

  private mutating func insert(_ range: ClosedRange<Int>) {
    for day in range where 1...31 ~= day { monthDays |= 1 << UInt32(day) }
  }

  /// Returns whether the rule may have an instance on a day, given by ``CivilDate/dayNumber``.
  package func contains(dayNumber: Int) -> Bool {
    guard weekdays & (1 << UInt8(weekdayIndex(dayNumber))) != 0, days.contains(dayNumber) else {
      return false
    }
    guard
      months.step > 1 || monthsOfYear != RuleDays.everyMonth
        || monthDays != RuleDays.everyMonthDay
    else { return true }
    guard let date = CivilDate(dayNumber: dayNumber) else { return true }
    let (year, month, day) = date.parts
    return monthDays & (1 << UInt32(day)) != 0 && monthsOfYear & (1 << UInt16(month)) != 0
      && months.contains(year * 12 + month - 1)
  }
}

extension RecurrenceRule {
  /// Returns bounds of the rule's times of day, in seconds, for a start at this time.
  package func timesOfDay(start: TimeOfDay) -> ClosedRange<Int64> {
    guard frequency >= .daily, hours.isEmpty, minutes.isEmpty, seconds.isEmpty else {
      return 0...86_399
    }
    let time = CivilDateTime(.epoch, start).linearSeconds
    return time...time
  }
}
