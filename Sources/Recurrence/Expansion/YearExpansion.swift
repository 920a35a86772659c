internal import CivilTime

extension DayFilter {
  /// Adds the days of a year that the filter allows.
  ///
  /// With BYWEEKNO it is the year of the weeks, otherwise the calendar year.
  ///
  /// - Parameter first: The day number of 1 January.
  ///
  /// Source: RFC 5545 section 3.3.10, the table and its notes.
  func layOut(year: Int, first: Int, monthFilter: MonthFilter, into days: inout DayBits) {
    if hasWeeks {
      insertWeeks(ofYear: year, into: &days)
    } else if !yearDays.isEmpty {
      if movesDays { return insertMovedYearDays(ofYear: year, first: first, into: &days) }
      insertYearDays(ofYear: year, first: first, into: &days)
    } else if countsInYear, !numberedWeekdays.isEmpty, !hasMonthDays {
      insertNumberedWeekdays(ofYear: year, first: first, into: &days)
    } else {
      insertMonths(ofYear: year, first: first, monthFilter: monthFilter, into: &days)
    }
  }

  private func insertMonths(
    ofYear year: Int, first january: Int, monthFilter: MonthFilter, into days: inout DayBits
  ) {
    var first = january
    for month in 1...12 {
      let length = CivilDate.length(ofMonth: month, year: year)
      defer { first += length }
      guard months == 0 || months & (1 << UInt16(month)) != 0 else { continue }
      if movesDays {
        insertMovedDays(ofMonth: month, year: year, first: first, into: &days)
      } else if countsInYear, !numberedWeekdays.isEmpty {
        for day in first..<first + length where matches(dayNumber: day) { days.insert(day) }
      } else {
        days.insert(monthFilter.days(first: first, length: length), from: first)
      }
    }
  }

  private func insertWeeks(ofYear year: Int, into days: inout DayBits) {
    let first = WeekDate.startOfYear(year, firstWeekday: weekStart)
    let next = WeekDate.startOfYear(year + 1, firstWeekday: weekStart)
    let count = UInt64(truncatingIfNeeded: next - first) / 7
    var wanted = weeks
    var fromEnd = weeksFromEnd
    while fromEnd != 0 {
      let week = UInt64(fromEnd.trailingZeroBitCount)
      if week <= count { wanted |= 1 << (count + 1 - week) }
      fromEnd &= fromEnd - 1
    }
    wanted &= (2 &<< count) &- 2
    // Bit 0 is the first day of a week, whichever weekday that is.
    let begin = UInt32(weekStart.rawValue - 1)
    let ofWeek = weekdays == 0 ? 0x7F : (weekdays &>> begin | weekdays &<< (7 - begin)) & 0x7F
    let isPlain = months == 0 && !hasMonthDays && numberedWeekdays.isEmpty && yearDays.isEmpty
    while wanted != 0 {
      let start = first + (wanted.trailingZeroBitCount - 1) * 7
      wanted &= wanted - 1
      if isPlain {
        days.insert(ofWeek, from: start)
      } else {
        for day in start..<start + 7 where matches(dayNumber: day) { days.insert(day) }
      }
    }
  }

  private func insertYearDays(ofYear year: Int, first: Int, into days: inout DayBits) {
    let length = CivilDate.isLeap(year: year) ? 366 : 365
    let isPlain = months == 0 && !hasMonthDays && !hasWeekdays
    for number in yearDays {
      let index = number > 0 ? number - 1 : length + number
      guard index >= 0, index < length, isPlain || matches(dayNumber: first + index) else {
        continue
      }
      days.insert(first + index)
    }
  }

  private func insertNumberedWeekdays(ofYear year: Int, first: Int, into days: inout DayBits) {
    let length = CivilDate.isLeap(year: year) ? 366 : 365
    let firstWeekday = weekdayIndex(first)
    for (weekday, ordinal) in numberedWeekdays {
      let earliest = (weekday - 1 - firstWeekday + 7) % 7
      let latest = earliest + (length - 1 - earliest) / 7 * 7
      let index = ordinal > 0 ? earliest + 7 * (ordinal - 1) : latest + 7 * (ordinal + 1)
      if index >= 0, index < length { days.insert(first + index) }
    }
    if weekdays != 0 {
      for day in first..<first + length where weekdays & (1 << UInt32(weekdayIndex(day))) != 0 {
        days.insert(day)
      }
    }
  }
}
