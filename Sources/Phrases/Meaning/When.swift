import CivilTime

/// Days and times of an event, as far as some tokens give them.
struct When: Hashable, Sendable {
  var day: DayReference?
  /// The last day of a range; the day itself is part of it.
  var endDay: DayReference?
  var part: PartOfDay?
  var clock: ClockReading?
  var endClock: ClockReading?
  /// Whether it ends with a bare hour that belongs to what follows as well: "friday 3 tickets".
  var isLoose = false
  /// Whether it begins with a bare number before a day, which may be one of the title: "windows 11
  /// monday".
  var beginsBare = false

  /// Returns two that one line has, as one; nil where they contradict each other.
  func merged(_ other: When) -> When? {
    guard let day = Self.merged(day, other.day, isRange: endDay != nil || other.endDay != nil)
    else { return nil }
    var result = self
    result.day = day.value
    result.isLoose = false
    result.beginsBare = false
    if let more = other.endDay {
      guard endDay == nil else { return nil }
      result.endDay = more
    }
    if let more = other.part {
      guard part == nil || part == more else { return nil }
      result.part = more
    }
    if let more = other.clock {
      guard clock == nil else { return nil }
      result.clock = more
      result.endClock = other.endClock
    }
    return result
  }

  private static func merged(
    _ left: DayReference?, _ right: DayReference?, isRange: Bool
  ) -> (value: DayReference?, isFine: Bool)? {
    guard let left else { return (right, true) }
    guard let right, left != right else { return (left, true) }
    guard !isRange else { return nil }
    if let day = left.merged(right) { return (day, true) }
    // "friday the 13th", but not "the second friday".
    if case .dayOfMonth = left, case .weekday = right { return nil }
    return right.merged(left).map { ($0, true) }
  }
}

extension DayReference {
  /// Returns a day that another one makes more exact; nil if it does not.
  func merged(_ other: DayReference) -> DayReference? {
    switch (self, other) {
    case (.weekday(let weekday), .week(let weeks)),
      (.thisWeekday(let weekday), .week(let weeks)):
      .weekdayInWeek(weekday, weeks: weeks)
    case (.weekday(let weekday), .relative(let length))
    where length.days >= 7 && length == Length(days: length.days / 7 * 7):
      // "monday in 2 weeks"
      .weekdayInWeek(weekday, weeks: length.days / 7)
    case (.weekday(let weekday), .date), (.weekday(let weekday), .dayOfMonth),
      (.weekday(let weekday), .monthDay), (.weekday(let weekday), .dayInMonth),
      (.weekday(let weekday), .relative):
      .checked(weekday, other)
    case (.dayOfMonth(let day), .months(let months)): .dayInMonth(day, months: months)
    case (.dayOfMonth(let day), .month(let month, let year)):
      .monthDay(month: month, day: day, year: year)
    case (.nthWeekday(let n, let weekday, nil, nil), .months(let months)):
      .nthWeekdayInMonth(n, weekday, months: months)
    case (.nthWeekday(let n, let weekday, nil, nil), .someMonth): .nthWeekdayOfMonth(n, weekday)
    case (.nthWeekday(let n, let weekday, nil, nil), .month(let month, let year)):
      .nthWeekday(n, weekday, month: month, year: year)
    default: nil
    }
  }
}
