package import CivilTime
import Messages

/// Days that are looked at together.
package struct ReadDays: Hashable, Sendable {
  package enum Unit: Hashable, Sendable {
    case day, week, month
    /// Any other days: "this weekend", "3-5 Dec".
    case range
  }

  package let days: ClosedRange<CivilDate>
  package let unit: Unit

  package init(days: ClosedRange<CivilDate>, unit: Unit) {
    self.days = days
    self.unit = unit
  }

  /// How many days they are.
  package var count: Int { days.upperBound.days(since: days.lowerBound) + 1 }
}

extension PhraseReader {
  /// Reads days to look at; they may be past.
  ///
  ///     next week, last week, week -1, week +2     whole weeks, from the first weekday on
  ///     week 50, week 50 2027, 2026-W50, 第50周      weeks of ISO 8601, from Monday on
  ///     this month, december, dec 2027, month -1   whole months
  ///     上周, 上个月, 昨天                             the same in Chinese
  ///     this weekend, 3-5 Dec                      the days of a range
  ///     fri, -7d, 2026-11-21, tomorrow 14:00       one day
  ///
  /// A month without a year is the next one of that name, which may be this one.
  ///
  /// - Throws: ``PhraseRefusal``.
  package func days(_ text: some StringProtocol) throws(PhraseRefusal) -> ReadDays {
    if let frame = frame(text) { return frame }
    do throws(PhraseRefusal) {
      let day = try moment(text, takesPast: true).day(in: context.zone)
      return ReadDays(days: day...day, unit: .day)
    } catch {
      guard let range = range(text) else { throw error }
      return range
    }
  }

  /// Reads a week or a month; nil for any other text.
  func frame(_ text: some StringProtocol) -> ReadDays? {
    let text = text.trimmingBlanks().lowercased()
    if let (unit, count) = PhraseReader.counted(text) {
      return unit == .week ? week(count) : month(count)
    }
    if let range = weekend(text) ?? numberedWeek(text) { return range }
    if let first = month(text) { return PhraseReader.month(from: first) }
    var setting = setting(at: context.zone)
    setting.takesPast = true
    for case .day(.week(let ahead)) in meanings(of: text, as: .frame, setting) {
      return week(ahead)
    }
    return nil
  }

  /// Reads "week -1", "week +2", "month -1": a sign makes a number one that counts from now.
  private static func counted(_ text: String) -> (ReadDays.Unit, Int)? {
    let parts = text.split(separator: " ")
    guard parts.count == 2, let sign = parts[1].first, sign == "-" || sign == "+",
      parts[1].utf8.count <= 5, let count = Int(parts[1])
    else { return nil }
    return switch parts[0] {
    case "week", "weeks": (.week, count)
    case "month", "months": (.month, count)
    default: nil
    }
  }

  /// Reads "this weekend" and the like: Saturday and Sunday, also on the Sunday.
  private func weekend(_ text: String) -> ReadDays? {
    let ahead = [
      "weekend": 0, "this weekend": 0, "the weekend": 0, "next weekend": 1, "last weekend": -1,
      "上周末": -1, "上週末": -1,
    ]
    return ahead[text].flatMap {
      Self.days(context.today.onOrBefore(.monday)?.adding(days: 7 * $0 + 5), 2, .range)
    }
  }

  /// Reads a week by its number in ISO 8601: "week 50", "week 50 2027", "2026-W50", 第50周. Without a
  /// year it is the next one, which may be this one.
  private func numberedWeek(_ text: String) -> ReadDays? {
    let counts = [
      "week ": 1, "week # ": 2, "-w": 2, "第#周": 1, "第#週": 1, "年第#周": 2, "年第#週": 2,
    ]
    var numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard counts[text.split { $0.isNumber }.joined(separator: "#")] == numbers.count,
      let this = context.today.onOrBefore(.monday).map({ WeekDate($0) })
    else { return nil }
    if text.first == "w" { numbers.reverse() }
    let week = numbers[numbers.count - 1]
    let year = numbers.count == 2 ? numbers[0] : this.year + (week < this.week ? 1 : 0)
    guard (1...9998).contains(year), (1...WeekDate.weeks(inYear: year)).contains(week) else {
      return nil
    }
    return Self.days(
      CivilDate(dayNumber: WeekDate.startOfYear(year) + 7 * (week - 1)), 7, .week)
  }

  private func week(_ ahead: Int) -> ReadDays? {
    Self.days(
      context.today.onOrBefore(customs.firstWeekday ?? .monday)?.adding(days: ahead * 7), 7, .week)
  }

  private func month(_ ahead: Int) -> ReadDays? {
    let today = context.today
    return CivilDate(year: today.year, month: today.month, day: 1)?.adding(months: ahead)
      .flatMap(Self.month)
  }

  private static func month(from first: CivilDate) -> ReadDays? {
    days(first, CivilDate.length(ofMonth: first.month, year: first.year), .month)
  }

  private static func days(_ first: CivilDate?, _ count: Int, _ unit: ReadDays.Unit) -> ReadDays? {
    guard let first, let last = first.adding(days: count - 1) else { return nil }
    return ReadDays(days: first...last, unit: unit)
  }

  private func range(_ text: some StringProtocol) -> ReadDays? {
    let reading = try? read(text, isEvent: false) { setting, _ in setting.takesPast = true }
    guard let reading, reading.rule == nil, !reading.hasReminders, reading.calendar.isEmpty,
      case .date(let first) = reading.start, case .date(let end)? = reading.end, first < end,
      let last = end.adding(days: -1)
    else { return nil }
    return ReadDays(days: first...last, unit: .range)
  }
}
