internal import CivilTime

/// The days that a rule's BY parts allow, as bits for quick tests.
///
/// An absent part allows all days. Numbered weekdays are separate, since they count in the month or
/// in the year.
struct DayFilter: Sendable {
  /// Bit 1 to 12; 0 allows all.
  var months: UInt16 = 0
  /// Bit 0 is the first of the month.
  var monthDays: UInt32 = 0
  /// Bit 0 is the last of the month.
  var monthDaysFromEnd: UInt32 = 0
  /// Bit 0 is Monday.
  var weekdays: UInt32 = 0
  var numberedWeekdays: [(weekday: Int, ordinal: Int)] = []
  /// Whether numbered weekdays count in the year; otherwise in the month.
  var countsInYear = false
  var yearDays: [Int] = []
  /// Bit 1 to 53.
  var weeks: UInt64 = 0
  /// Bit 1 is the last week of the year.
  var weeksFromEnd: UInt64 = 0
  var weekStart = Weekday.monday
  var skip = RecurrenceRule.Skip.omit

  init() {}

  init(_ rule: RecurrenceRule) {
    for month in rule.months { months |= 1 << UInt16(month) }
    for day in rule.monthDays {
      if day > 0 {
        monthDays |= 1 << UInt32(day - 1)
      } else {
        monthDaysFromEnd |= 1 << UInt32(-day - 1)
      }
    }
    for choice in rule.weekdays {
      if let ordinal = choice.ordinal {
        numberedWeekdays.append((choice.weekday.rawValue, ordinal))
      } else {
        weekdays |= 1 << UInt32(choice.weekday.rawValue - 1)
      }
    }
    yearDays = rule.yearDays
    for week in rule.weekNumbers {
      if week > 0 { weeks |= 1 << UInt64(week) } else { weeksFromEnd |= 1 << UInt64(-week) }
    }
    weekStart = rule.weekStart
    // Shorter periods cannot name a day that does not exist.
    if rule.frequency >= .monthly { skip = rule.skip ?? .omit }
  }

  var hasWeekdays: Bool { weekdays != 0 || !numberedWeekdays.isEmpty }
  var hasMonthDays: Bool { monthDays | monthDaysFromEnd != 0 }
  var hasWeeks: Bool { weeks | weeksFromEnd != 0 }

  /// Whether the filter allows every day.
  var isEmpty: Bool { months == 0 && !hasMonthDays && isWeekdaysAlone && weekdays == 0 }

  /// Whether no part but plain weekdays is set.
  var isWeekdaysAlone: Bool {
    months == 0 && !hasMonthDays && numberedWeekdays.isEmpty && yearDays.isEmpty && !hasWeeks
  }

  /// Returns whether all parts but BYWEEKNO allow a day.
  func matches(dayNumber: Int) -> Bool {
    if weekdays != 0, numberedWeekdays.isEmpty,
      weekdays & (1 << UInt32(weekdayIndex(dayNumber))) == 0
    {
      return false
    }
    guard months != 0 || hasMonthDays || !numberedWeekdays.isEmpty || !yearDays.isEmpty else {
      return true
    }
    // Weeks of the first and last year include days without a date.
    guard let date = CivilDate(dayNumber: dayNumber) else { return false }
    let (year, month, day) = date.parts
    if months != 0, months & (1 << UInt16(month)) == 0 { return false }
    if hasMonthDays {
      let fromEnd = CivilDate.length(ofMonth: month, year: year) - day
      guard
        monthDays & (1 << UInt32(day - 1)) != 0 || monthDaysFromEnd & (1 << UInt32(fromEnd)) != 0
      else { return false }
    }
    if !yearDays.isEmpty {
      let ofYear = dayNumber - CivilDate.dayNumber(year: year, month: 1, day: 1) + 1
      let fromEnd = ofYear - (CivilDate.isLeap(year: year) ? 366 : 365) - 1
      guard yearDays.contains(ofYear) || yearDays.contains(fromEnd) else { return false }
    }
    if !numberedWeekdays.isEmpty {
      return matchesNumbered(dayNumber, year: year, month: month, day: day)
    }
    return true
  }

  /// Returns whether BYDAY allows a day.
  func matchesWeekday(dayNumber: Int) -> Bool {
    guard hasWeekdays else { return true }
    if weekdays & (1 << UInt32(weekdayIndex(dayNumber))) != 0 { return true }
    guard !numberedWeekdays.isEmpty, let date = CivilDate(dayNumber: dayNumber) else {
      return false
    }
    let (year, month, day) = date.parts
    return matchesNumbered(dayNumber, year: year, month: month, day: day)
  }

  private func matchesNumbered(_ dayNumber: Int, year: Int, month: Int, day: Int) -> Bool {
    let weekday = weekdayIndex(dayNumber)
    if weekdays & (1 << UInt32(weekday)) != 0 { return true }
    let before: Int
    let length: Int
    if countsInYear {
      before = dayNumber - CivilDate.dayNumber(year: year, month: 1, day: 1)
      length = CivilDate.isLeap(year: year) ? 366 : 365
    } else {
      before = day - 1
      length = CivilDate.length(ofMonth: month, year: year)
    }
    let ordinal = before / 7 + 1
    let fromEnd = -((length - 1 - before) / 7 + 1)
    return numberedWeekdays.contains {
      $0.weekday == weekday + 1 && ($0.ordinal == ordinal || $0.ordinal == fromEnd)
    }
  }

  /// Returns a later day, so that no day between them matches.
  func nextCandidate(after dayNumber: Int) -> Int {
    guard months != 0 || !yearDays.isEmpty, let date = CivilDate(dayNumber: dayNumber) else {
      return dayNumber + 1
    }
    var (year, month, _) = date.parts
    if !yearDays.isEmpty {
      // The next one of this year, or else the first day of the next year.
      let first = CivilDate.dayNumber(year: year, month: 1, day: 1)
      let length = CivilDate.isLeap(year: year) ? 366 : 365
      var nearest = first + length
      for number in yearDays {
        let day = first + (number > 0 ? number - 1 : length + number)
        if day > dayNumber { nearest = min(nearest, day) }
      }
      return nearest
    }
    guard months & (1 << UInt16(month)) == 0 else { return dayNumber + 1 }
    repeat {
      month += 1
      if month == 13 { (year, month) = (year + 1, 1) }
    } while months & (1 << UInt16(month)) == 0
    return CivilDate.dayNumber(year: year, month: month, day: 1)
  }
}

/// Returns 0 for Monday to 6 for Sunday, for any day number.
@inline(__always)
func weekdayIndex(_ dayNumber: Int) -> Int {
  // A multiple of 7 that makes all supported days positive; day 0 was a Thursday.
  Int(UInt32(truncatingIfNeeded: dayNumber &+ 7_000_003) % 7)
}
