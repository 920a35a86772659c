internal import CivilTime

extension DayFilter {
  /// Appends the days of a year that are left, ascending and each once.
  ///
  /// With BYWEEKNO the year is the one that its weeks belong to, else the
  /// calendar's.
  ///
  /// Source: RFC 5545 section 3.3.10, the table and its notes.
  func appendDays(
    ofYear year: Int, monthFilter: MonthFilter, to days: inout ContiguousArray<Int>
  ) {
    if hasWeeks {
      appendWeeks(ofYear: year, to: &days)
    } else if !yearDays.isEmpty {
      if movesDays { return appendMovedYearDays(ofYear: year, to: &days) }
      appendYearDays(ofYear: year, to: &days)
    } else if countsInYear, !numberedWeekdays.isEmpty, !hasMonthDays {
      appendNumberedWeekdays(ofYear: year, to: &days)
    } else {
      appendMonths(ofYear: year, monthFilter: monthFilter, to: &days)
      if movesDays { sortAndUnite(&days) }
    }
  }

  private func appendMonths(
    ofYear year: Int, monthFilter: MonthFilter, to days: inout ContiguousArray<Int>
  ) {
    for month in 1...12 where months == 0 || months & (1 << UInt16(month)) != 0 {
      if movesDays {
        var moved = ContiguousArray<Int>()
        appendMovedDays(ofMonth: month, year: year, to: &moved)
        days.append(contentsOf: moved)
        continue
      }
      let first = CivilDate.dayNumber(year: year, month: month, day: 1)
      if countsInYear, !numberedWeekdays.isEmpty {
        for day in first..<first + CivilDate.length(ofMonth: month, year: year)
        where matches(dayNumber: day) {
          days.append(day)
        }
        continue
      }
      var bits = monthFilter.days(ofMonth: month, year: year, first: first)
      while bits != 0 {
        days.append(first + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
  }

  private func appendWeeks(ofYear year: Int, to days: inout ContiguousArray<Int>) {
    let first = WeekDate.startOfYear(year, firstWeekday: weekStart)
    let count = WeekDate.weeks(inYear: year, firstWeekday: weekStart)
    for week in 1...count {
      guard weeks & (1 << UInt64(week)) != 0 || weeksFromEnd & (1 << UInt64(count + 1 - week)) != 0
      else { continue }
      for day in first + (week - 1) * 7..<first + week * 7 where matches(dayNumber: day) {
        days.append(day)
      }
    }
  }

  private func appendYearDays(ofYear year: Int, to days: inout ContiguousArray<Int>) {
    let first = CivilDate.dayNumber(year: year, month: 1, day: 1)
    let length = CivilDate.isLeap(year: year) ? 366 : 365
    for number in yearDays {
      let index = number > 0 ? number - 1 : length + number
      guard index >= 0, index < length, matches(dayNumber: first + index) else { continue }
      days.append(first + index)
    }
    sortAndUnite(&days)
  }

  private func appendNumberedWeekdays(ofYear year: Int, to days: inout ContiguousArray<Int>) {
    let first = CivilDate.dayNumber(year: year, month: 1, day: 1)
    let length = CivilDate.isLeap(year: year) ? 366 : 365
    let firstWeekday = weekdayIndex(first)
    for (weekday, ordinal) in numberedWeekdays {
      let earliest = (weekday - 1 - firstWeekday + 7) % 7
      let latest = earliest + (length - 1 - earliest) / 7 * 7
      let index = ordinal > 0 ? earliest + 7 * (ordinal - 1) : latest + 7 * (ordinal + 1)
      if index >= 0, index < length { days.append(first + index) }
    }
    if weekdays != 0 {
      for day in first..<first + length where weekdays & (1 << UInt32(weekdayIndex(day))) != 0 {
        days.append(day)
      }
    }
    sortAndUnite(&days)
  }
}

/// Sorts, and leaves one of equal elements. Lists are short or nearly sorted.
func sortAndUnite<Element: Comparable>(_ list: inout ContiguousArray<Element>) {
  guard list.count > 1 else { return }
  list.sort()
  var kept = 1
  for index in 1..<list.count where list[index] != list[kept - 1] {
    list[kept] = list[index]
    kept += 1
  }
  list.removeLast(list.count - kept)
}
