import CivilTime
import Messages

/// What a day turns out to be.
enum ResolvedDay: Hashable, Sendable {
  case one(CivilDate)
  /// Two readings that people hold.
  case either(CivilDate, CivilDate)
  /// There is no such day, and why.
  case none(UserText)
}

extension DayReference {
  /// Returns the day.
  ///
  /// - Parameters:
  ///   - today: The day from which "tomorrow" and "next" count.
  ///   - from: The first day that may be meant by what leaves it open.
  ///   - firstWeekday: The first day of the week; nil where nothing settles it.
  ///   - takesFrom: Whether a weekday may be the first day itself without doubt, as in a range, a
  ///     rule, or where its time is still to come.
  func resolved(
    today: CivilDate, from: CivilDate, firstWeekday: Weekday? = nil, takesFrom: Bool = false
  ) -> ResolvedDay {
    switch self {
    case .date(let date): return .one(date)
    case .relative(let length): return Self.known(length.added(to: today))
    case .weekday(let weekday):
      guard let day = Self.next(weekday, from: from) else { return Self.outOfRange }
      guard day == from, !takesFrom, let later = day.adding(days: 7) else { return .one(day) }
      return .either(day, later)
    case .thisWeekday(let weekday): return Self.known(Self.next(weekday, from: from))
    case .weekend:
      return Self.known(from.weekday == .sunday ? from : Self.next(.saturday, from: from))
    case .nextWeekday(let weekday): return nextWeekday(weekday, today, firstWeekday)
    case .lastWeekday(let weekday): return lastWeekday(weekday, today, firstWeekday)
    case .weekdayInWeek(let weekday, let weeks):
      return Self.known(
        today.onOrBefore(firstWeekday ?? .monday)?.adding(
          days: weeks * 7 + weekday.days(since: firstWeekday ?? .monday)))
    case .weekdayOfWeek(let weekday, let week, let year):
      guard let year else {
        return Self.known(
          Self.first(3, from) { Self.weekday(weekday, ofWeek: week, year: from.year + $0) })
      }
      return Self.known(Self.weekday(weekday, ofWeek: week, year: year))
    case .after(let length, let day):
      let found = day.resolved(
        today: today, from: from, firstWeekday: firstWeekday, takesFrom: takesFrom)
      guard case .one(let date) = found else { return found }
      return Self.known(length.added(to: date))
    case .nthFromNow(let count, let weekday):
      return Self.known(
        today.adding(days: 1).flatMap { Self.next(weekday, from: $0) }?
          .adding(days: 7 * (count - 1)))
    case .checked(let weekday, let day): return checked(weekday, day, today, from)
    case .nthWeekday(_, _, nil, _):
      return .none(UserText("it does not say of which month"))
    case .week, .months, .someMonth, .month: return .none(UserText("a day is missing"))
    default: return Self.known(monthly(today, from))
    }
  }

  private static let outOfRange = ResolvedDay.none(UserText("there is no such day"))

  private static func known(_ date: CivilDate?) -> ResolvedDay {
    date.map { .one($0) } ?? outOfRange
  }

  static func next(_ weekday: Weekday, from: CivilDate) -> CivilDate? {
    from.adding(days: 6)?.onOrBefore(weekday)
  }

  /// The nearest one, and that of the next week, are the same where the nearest is in the next week
  /// already, whether weeks begin on Sunday or Monday.
  private func nextWeekday(
    _ weekday: Weekday, _ today: CivilDate, _ first: Weekday?
  ) -> ResolvedDay {
    guard let tomorrow = today.adding(days: 1), let near = Self.next(weekday, from: tomorrow),
      let later = near.adding(days: 7), let monday = today.onOrBefore(first ?? .monday),
      let sunday = today.onOrBefore(first ?? .sunday)
    else { return Self.outOfRange }
    let isNextWeek = near.days(since: monday) >= 7 && near.days(since: sunday) >= 7
    return isNextWeek ? .one(near) : .either(near, later)
  }

  /// Like the next one: the nearest in the past, where it is in the last week already.
  private func lastWeekday(
    _ weekday: Weekday, _ today: CivilDate, _ first: Weekday?
  ) -> ResolvedDay {
    guard let near = today.adding(days: -1)?.onOrBefore(weekday),
      let earlier = near.adding(days: -7), let monday = today.onOrBefore(first ?? .monday),
      let sunday = today.onOrBefore(first ?? .sunday)
    else { return Self.outOfRange }
    return near < monday && near < sunday ? .one(near) : .either(near, earlier)
  }

  private static func weekday(_ weekday: Weekday, ofWeek week: Int, year: Int) -> CivilDate? {
    // 4 January is in the first week.
    guard let first = CivilDate(year: year, month: 1, day: 4)?.onOrBefore(.monday),
      let day = first.adding(days: 7 * (week - 1) + weekday.rawValue - 1),
      week <= WeekDate.weeks(inYear: year)
    else { return nil }
    return day
  }

  private func checked(
    _ weekday: Weekday, _ day: DayReference, _ today: CivilDate, _ from: CivilDate
  ) -> ResolvedDay {
    let found = day.resolved(today: today, from: from, takesFrom: true)
    guard case .one(let date) = found else { return found }
    guard date.weekday != weekday else { return found }
    return .none(
      UserText("{date} is another day of the week", ["date": date.description]))
  }

  /// The days that are counted in months and years.
  private func monthly(_ today: CivilDate, _ from: CivilDate) -> CivilDate? {
    let months = from.year * 12 + from.month - 1
    switch self {
    case .dayOfMonth(let day):
      return Self.first(12, from) { Self.day(day, inMonth: months + $0) }
    case .dayInMonth(let day, let ahead):
      return Self.day(day, inMonth: today.year * 12 + today.month - 1 + ahead)
    case .monthDay(let month, let day, let year):
      if let year { return Self.day(day, inMonth: year * 12 + month - 1) }
      return Self.first(9, from) { Self.day(day, inMonth: (from.year + $0) * 12 + month - 1) }
    case .holiday(let month, let day):
      return DayReference.monthDay(month: month, day: day, year: nil).monthly(today, from)
    case .nthWeekday(let n, let weekday, let month, let year):
      if let month, let year { return Self.nth(n, weekday, inMonth: year * 12 + month - 1) }
      guard let month else { return nil }
      return Self.first(9, from) {
        Self.nth(n, weekday, inMonth: (from.year + $0) * 12 + month - 1)
      }
    case .nthWeekdayOfMonth(let n, let weekday):
      return Self.first(12, from) { Self.nth(n, weekday, inMonth: months + $0) }
    case .nthWeekdayInMonth(let n, let weekday, let ahead):
      return Self.nth(n, weekday, inMonth: today.year * 12 + today.month - 1 + ahead)
    case .easter(let year):
      if let year { return Self.easter(year) }
      return Self.first(2, from) { Self.easter(from.year + $0) }
    default: return nil
    }
  }

  private static func first(
    _ tries: Int, _ from: CivilDate, _ make: (Int) -> CivilDate?
  ) -> CivilDate? {
    for step in 0..<tries {
      if let date = make(step), date >= from { return date }
    }
    return nil
  }

  /// - Parameter month: Months from January of year 0.
  private static func day(_ day: Int, inMonth month: Int) -> CivilDate? {
    let (year, index) = (month / 12, month % 12 + 1)
    guard (1...9999).contains(year) else { return nil }
    let length = CivilDate.length(ofMonth: index, year: year)
    return CivilDate(year: year, month: index, day: day < 0 ? length + 1 + day : day)
  }

  private static func nth(_ n: Int, _ weekday: Weekday, inMonth month: Int) -> CivilDate? {
    if n < 0 {
      return day(-1, inMonth: month)?.onOrBefore(weekday)?.adding(days: 7 * (n + 1))
    }
    guard n > 0, let first = day(1, inMonth: month),
      let found = next(weekday, from: first)?
        .adding(days: 7 * (n - 1)), found.month == first.month
    else { return nil }
    return found
  }

  /// Source: the anonymous Gregorian algorithm, Nature, 20 April 1876.
  private static func easter(_ year: Int) -> CivilDate? {
    let a = year % 19, b = year / 100, c = year % 100
    let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30
    let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7
    let m = (a + 11 * h + 22 * l) / 451
    let sum = h + l - 7 * m + 114
    return CivilDate(year: year, month: sum / 31, day: sum % 31 + 1)
  }
}
