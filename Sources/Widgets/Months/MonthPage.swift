package import CivilTime

/// How much of the calendar a page shows, and in how many lanes.
package enum MonthMode: String, CaseIterable, Hashable, Sendable {
  /// One week.
  case collapsed
  /// Two weeks.
  case twoWeeks = "two-weeks"
  /// Six weeks: all days of a month, and the days around them.
  case normal
  /// Six weeks with every event.
  case expanded

  /// The rows of the page.
  package var weeks: Int {
    switch self {
    case .collapsed: 1
    case .twoWeeks: 2
    case .normal, .expanded: 6
    }
  }

  /// How many bars fit on a day.
  ///
  /// Fewer rows leave room for more; "every event" ends at 100, more than anybody can see.
  package var lanes: Int {
    switch self {
    case .collapsed: 6
    case .twoWeeks: 4
    case .normal: 3
    case .expanded: 100
    }
  }
}

/// The days of a page: whole weeks, 7, 14 or 42 days.
package struct MonthPage: Hashable, Sendable {
  /// The requested day.
  package let day: CivilDate
  package let mode: MonthMode
  /// The first weekday of rows.
  package let firstWeekday: Weekday
  /// The first day of the first row.
  package let first: CivilDate

  /// Makes the page that contains a day.
  ///
  /// A page of one or two weeks begins with the week of the day, one of six weeks with the week of
  /// the first of the month. Returns nil if the page would leave the years 1 to 9999.
  package init?(day: CivilDate, mode: MonthMode, firstWeekday: Weekday) {
    let shown = mode.weeks == 6 ? CalendarMonth(day).firstDay : day
    guard let first = shown.onOrBefore(firstWeekday), first.adding(days: mode.weeks * 7) != nil
    else { return nil }
    self.day = day
    self.mode = mode
    self.firstWeekday = firstWeekday
    self.first = first
  }

  /// The month whose days are "in the month".
  package var month: CalendarMonth { CalendarMonth(day) }
  /// The number of days.
  package var count: Int { mode.weeks * 7 }
  /// The first day after the page.
  package var end: CivilDate { first.adding(days: count) ?? .latest }

  /// All days, in order.
  package var dates: [CivilDate] { (0..<count).compactMap { first.adding(days: $0) } }

  /// Returns the span from the beginning of the first day to the end of the last.
  package func span(in zone: ZoneRules) -> TimeSpan {
    let start = zone.startOfDay(first)
    return TimeSpan(start: start, end: max(start, zone.startOfDay(end)))
  }

  /// A day of the previous page; nil if there is none.
  ///
  /// The first of the month before, or the day one or two weeks before.
  package var previous: CivilDate? { turned(by: -1) }

  /// A day of the next page, in the same way.
  package var next: CivilDate? { turned(by: 1) }

  private func turned(by step: Int) -> CivilDate? {
    let target =
      mode.weeks == 6
      ? month.adding(months: step)?.firstDay : day.adding(days: step * count)
    guard let target, MonthPage(day: target, mode: mode, firstWeekday: firstWeekday) != nil
    else { return nil }
    return target
  }
}
