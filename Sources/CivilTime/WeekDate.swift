/// A week of a year, counted as in BYWEEKNO.
///
/// Week 1 is the first with at least four days in the year, so days around New Year may belong to a
/// week of the other year. With Monday as the first weekday these are ISO 8601 weeks.
///
/// Source: RFC 5545 section 3.3.10, BYWEEKNO.
package struct WeekDate: Hashable, Sendable {
  /// The year of the week; it may be 0 or 10000 at the ends of the calendar.
  package let year: Int
  /// 1 to 53.
  package let week: Int

  package init(year: Int, week: Int) {
    self.year = year
    self.week = week
  }

  /// Creates the week that contains a day.
  package init(_ date: CivilDate, firstWeekday: Weekday = .monday) {
    let day = Int(date.dayNumber)
    var year = date.year
    var start = WeekDate.startOfYear(year, firstWeekday: firstWeekday)
    if day < start {
      year -= 1
      start = WeekDate.startOfYear(year, firstWeekday: firstWeekday)
    } else {
      let next = WeekDate.startOfYear(year + 1, firstWeekday: firstWeekday)
      if day >= next { (year, start) = (year + 1, next) }
    }
    self.init(year: year, week: (day - start) / 7 + 1)
  }

  /// Returns the day number on which week 1 of a year begins. It contains 4 January.
  package static func startOfYear(_ year: Int, firstWeekday: Weekday = .monday) -> Int {
    let fourth = CivilDate.dayNumber(year: year, month: 1, day: 4)
    // Day 0 was a Thursday. Kept positive for earlier days.
    let weekday = ((fourth + 3) % 7 + 7) % 7 + 1
    return fourth - (weekday - firstWeekday.rawValue + 7) % 7
  }

  /// Returns how many weeks a year has: 52 or 53.
  package static func weeks(inYear year: Int, firstWeekday: Weekday = .monday) -> Int {
    (startOfYear(year + 1, firstWeekday: firstWeekday)
      - startOfYear(year, firstWeekday: firstWeekday)) / 7
  }
}
