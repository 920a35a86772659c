import CivilTime
import Recurrence

/// A recurrence as it is written; what it leaves open comes from the rest of the line.
struct RepeatReading: Hashable, Sendable {
  var frequency: RecurrenceRule.Frequency
  var interval = 1
  /// Days of the week, with an ordinal where the line has one: "2nd friday".
  var weekdays: [RecurrenceRule.WeekdayChoice] = []
  var monthDays: [Int] = []
  var month: Int?
  /// -1 for "last working day".
  var position: Int?
  /// "every evening": the part of the day.
  var part: PartOfDay?
  /// "every tuesday 10-12": bare hours right after it.
  var hours: When?
  /// Whether it is a list of weekdays without "every", which needs a time: "Tue, Thu 17:00".
  var isListed = false
  /// Whether each of its days may be meant once: "Tue and Thu 17:00".
  var mayBeOnce = false
  /// Whether the weekdays alone say "every": "mondays", which "every two weeks" may refine.
  var isPlural = false
  /// Whether it is of quarters: their days are those of the calendar's, and not of every third month
  /// from now on.
  var isQuarterly = false

  init(_ frequency: RecurrenceRule.Frequency, interval: Int = 1) {
    self.frequency = frequency
    self.interval = interval
  }

  static func weekly(_ days: [Weekday], interval: Int = 1) -> RepeatReading {
    var reading = RepeatReading(.weekly, interval: interval)
    reading.weekdays = days.map { RecurrenceRule.WeekdayChoice($0) }
    return reading
  }

  static let workdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]

  /// Whether it names no days.
  var isBare: Bool { weekdays.isEmpty && monthDays.isEmpty && month == nil && position == nil }

  /// Whether it is weekly or more often, so that a range of days is no single instance of it.
  var isFrequent: Bool { [.hourly, .daily, .weekly].contains(frequency) }

  /// Whether a bare number right after it can only be an hour: not in "rent every month 15" and
  /// "pills daily 2".
  func takesHour(_ hour: ClockReading?, isRange: Bool) -> Bool {
    guard weekdays.isEmpty, let hour else { return hour != nil && frequency != .yearly }
    return frequency == .daily && (isRange || part != nil && (5...23).contains(hour.hour))
  }

  /// Whether a length of whole days has room for two instances: the end of the recurrence, and not
  /// the length of each.
  func fits(in length: Length) -> Bool {
    let days = length.days + length.months * 30
    return switch frequency {
    case .hourly: days >= 1
    case .daily: days >= 2
    case .weekly: days >= (weekdays.count > 1 ? 7 : 8)
    case .monthly: days > 31
    default: days > 366
    }
  }

  /// Returns it without some weekdays: "every weekday except friday"; nil if it is of no weekdays.
  func except(_ days: [Weekday]) -> RepeatReading? {
    var result = self
    if frequency == .daily, isBare, interval == 1 {
      result = .weekly(Weekday.allCases)
      result.part = part
    }
    guard result.frequency == .weekly, monthDays.isEmpty, month == nil, position == nil,
      days.allSatisfy({ day in result.weekdays.contains { $0.weekday == day } })
    else { return nil }
    result.weekdays.removeAll { days.contains($0.weekday) }
    return result.weekdays.isEmpty ? nil : result
  }

  /// Returns two of one line as one: "weekly" and "on wednesdays"; nil if they contradict.
  func merged(_ other: RepeatReading) -> RepeatReading? {
    if isBare, !other.isBare { return other.refined(by: self) }
    if other.isBare, !isBare { return refined(by: other) }
    return self == other ? self : nil
  }

  private func refined(by bare: RepeatReading) -> RepeatReading? {
    guard interval == 1, bare.part == nil || part == nil, bare.hours == nil || hours == nil else {
      return nil
    }
    var result = self
    result.hours = hours ?? bare.hours
    result.part = part ?? bare.part
    result.isListed = false
    result.mayBeOnce = false
    if bare.frequency == frequency {
      result.interval = bare.interval
      return result
    }
    // "daily on weekdays"; "at 9 every morning, mondays".
    return bare.frequency == .daily && bare.interval == 1 && frequency == .weekly ? result : nil
  }

  /// Returns it with a day of the same line: "monthly on the 15th", "every year on 3 june".
  ///
  /// - Returns: nil if the day is a start and no part of the rule.
  func on(_ day: DayReference) -> RepeatReading? {
    guard isBare else { return nil }
    if isQuarterly {
      guard case .dayOfMonth(1) = day else { return nil }
    }
    var result = self
    switch (frequency, day) {
    case (.weekly, .weekday(let weekday)):
      result.weekdays = [RecurrenceRule.WeekdayChoice(weekday)]
    case (.monthly, .dayOfMonth(let day)): result.monthDays = [day]
    case (.monthly, .nthWeekday(let n, let weekday, nil, nil)):
      result.weekdays = [RecurrenceRule.WeekdayChoice(weekday, ordinal: n)]
    case (.yearly, .monthDay(let month, let day, nil)):
      result.month = month
      result.monthDays = [day]
    case (.yearly, .nthWeekday(let n, let weekday, let month?, nil)):
      result.month = month
      result.weekdays = [RecurrenceRule.WeekdayChoice(weekday, ordinal: n)]
    default: return nil
    }
    return result
  }

  /// Whether it is yearly and names its day, or one of these days of the line does.
  func isOnDayOfYear(_ days: [DayReference]) -> Bool {
    frequency == .yearly && (!isBare || days.contains { on($0) != nil })
  }

  /// The rule in the spelling of RFC 5545, without its end.
  ///
  /// - Parameters:
  ///   - isEvery: Whether the interval is left out, to find the first day.
  ///   - weekStart: The first day of the week, which counts where weeks are left out.
  func text(ignoringInterval isEvery: Bool = false, weekStart: Weekday? = nil) -> String {
    var text = "FREQ=\(frequency.name)"
    if interval > 1, !isEvery { text += ";INTERVAL=\(interval)" }
    if isQuarterly, isEvery, !isBare {
      text += ";BYMONTH=" + (monthDays == [1] ? "1,4,7,10" : "3,6,9,12")
    }
    if let month { text += ";BYMONTH=\(month)" }
    if !monthDays.isEmpty {
      text += ";BYMONTHDAY=" + monthDays.map(String.init).joined(separator: ",")
    }
    if !weekdays.isEmpty { text += ";BYDAY=" + weekdays.map(\.description).joined(separator: ",") }
    if let position { text += ";BYSETPOS=\(position)" }
    if let weekStart, weekStart != .monday, frequency == .weekly, interval > 1, weekdays.count > 1 {
      text += ";WKST=\(weekStart.code)"
    }
    return text
  }
}

/// The end of a recurrence.
enum Bound: Hashable, Sendable {
  /// The last day, inclusive.
  case until(DayReference)
  case count(Int)
  case length(Length)
}
