import CivilTime

/// A day as it is written, to be resolved once the rest of the line is known.
///
/// What a line leaves open is the first such day from a given one on: today for an event, the start
/// for its end.
indirect enum DayReference: Hashable, Sendable {
  /// A day that the line names in full.
  case date(CivilDate)
  /// Days from today: "tomorrow".
  case relative(Length)
  /// The next day with this name; on that day itself it may be either.
  case weekday(Weekday)
  /// "this friday": from today on, today included.
  case thisWeekday(Weekday)
  /// "next friday": in English the nearest, or that of the next week.
  case nextWeekday(Weekday)
  /// "last friday", for what may be past: the nearest, or that of the last week.
  case lastWeekday(Weekday)
  /// "monday of week 12", by ISO 8601.
  case weekdayOfWeek(Weekday, week: Int, year: Int?)
  /// The first day of this weekend that is not over.
  case weekend
  /// A weekday some weeks after the present one.
  case weekdayInWeek(Weekday, weeks: Int)
  /// Some weeks after a weekday: "a week from friday".
  case after(Length, DayReference)
  /// The nth such weekday from tomorrow on: "3 fridays from now".
  case nthFromNow(Int, Weekday)
  /// "the 27th"; negative from the end of the month.
  case dayOfMonth(Int)
  /// "27 March"; negative from the end of the month.
  case monthDay(month: Int, day: Int, year: Int?)
  /// "the 20th of next month"; negative from the end.
  case dayInMonth(Int, months: Int)
  /// "second friday of march"; without a month the present or the next one.
  case nthWeekday(Int, Weekday, month: Int?, year: Int?)
  case nthWeekdayInMonth(Int, Weekday, months: Int)
  /// "last friday of the month": of the present or the next one.
  case nthWeekdayOfMonth(Int, Weekday)
  /// "the second last day", with a weekday: "friday 20 march".
  case checked(Weekday, DayReference)
  case easter(year: Int?)
  /// A holiday by its name, which a title may have as well.
  case holiday(month: Int, day: Int)
  /// A week that frames a weekday: "next week".
  case week(Int)
  /// A month that frames a day: "next month".
  case months(Int)
  /// "the month": the present or the next one.
  case someMonth
  /// A month by name: "may", "may 2027".
  case month(Int, year: Int?)

  /// Whether it is a frame and no day.
  var isFrame: Bool {
    switch self {
    case .week, .months, .someMonth, .month: true
    default: false
    }
  }

  /// Whether it is a day of this week or month, so that a past one is hardly meant.
  var isNearby: Bool {
    switch self {
    case .weekdayInWeek, .dayInMonth, .nthWeekdayInMonth: true
    default: false
    }
  }

  /// Whether it is no more than a day of the week or month, which gives a series no start.
  var isRecurring: Bool {
    switch self {
    case .weekday, .dayOfMonth, .nthWeekday, .nthWeekdayInMonth, .nthWeekdayOfMonth: true
    default: false
    }
  }

  /// Whether it depends on the day from which it is counted.
  var isOpen: Bool {
    switch self {
    case .date: false
    case .monthDay(_, _, let year), .nthWeekday(_, _, _, let year), .easter(let year): year == nil
    case .checked(_, let day): day.isOpen
    default: true
    }
  }

  /// Returns the same day in a year, for what leaves it open.
  func inYear(_ year: Int) -> DayReference {
    switch self {
    case .monthDay(let month, let day, nil): .monthDay(month: month, day: day, year: year)
    case .nthWeekday(let n, let weekday, let month?, nil):
      .nthWeekday(n, weekday, month: month, year: year)
    case .checked(let weekday, let day): .checked(weekday, day.inYear(year))
    case .easter(nil): .easter(year: year)
    case .holiday(let month, let day): .monthDay(month: month, day: day, year: year)
    default: self
    }
  }
}
