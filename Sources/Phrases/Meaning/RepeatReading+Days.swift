import CivilTime
import Recurrence

/// Recurrences as rules of every language make them.
extension RepeatReading {
  /// "every 3 weeks", for a unit of the calendar.
  static func every(_ unit: Length, _ count: Int = 1) -> RepeatReading? {
    guard (1...999).contains(count) else { return nil }
    switch unit {
    case .hour: return RepeatReading(.hourly, interval: count)
    case .day: return RepeatReading(.daily, interval: count)
    case .week: return RepeatReading(.weekly, interval: count)
    case Length(days: 14): return RepeatReading(.weekly, interval: 2 * count)
    case .month: return RepeatReading(.monthly, interval: count)
    case Length(months: 3):
      var repeats = RepeatReading(.monthly, interval: 3 * count)
      repeats.isQuarterly = true
      return repeats
    case .year: return RepeatReading(.yearly, interval: count)
    case .workday: return count == 1 ? .weekly(RepeatReading.workdays) : nil
    default: return nil
    }
  }

  /// Whether it is by the month, and days of it may follow.
  private var isBareMonthly: Bool { isBare && frequency == .monthly && part == nil }

  /// "every month" with "first and third friday".
  func on(_ ordinals: [Int], _ weekday: Weekday) -> RepeatReading? {
    guard isBareMonthly, !isQuarterly, ordinals.allSatisfy({ (-5...5).contains($0) }) else {
      return nil
    }
    var result = self
    result.weekdays = ordinals.map { RecurrenceRule.WeekdayChoice(weekday, ordinal: $0) }
    return result
  }

  /// "every month" with "the 1st and 15th"; of quarters only the first day and the last one.
  func on(days: [Int]) -> RepeatReading? {
    guard isBareMonthly, !isQuarterly || days == [1] || days == [-1],
      days.allSatisfy({ (-31...31).contains($0) })
    else { return nil }
    var result = self
    result.monthDays = days
    return result
  }

  /// "every month" with "last working day".
  func onWorkday(_ position: Int) -> RepeatReading? {
    guard isBareMonthly, !isQuarterly, (-23...23).contains(position) else { return nil }
    var result = self
    result.weekdays = Self.workdays.map { RecurrenceRule.WeekdayChoice($0) }
    result.position = position
    return result
  }

  /// "every 2 weeks" with "monday".
  func on(weekdays: [Weekday]) -> RepeatReading? {
    guard isBare, frequency == .weekly else { return nil }
    var result = self
    result.weekdays = weekdays.map { RecurrenceRule.WeekdayChoice($0) }
    return result
  }

  /// Weekdays without "every", where few mean days of this week: "Tue, Thu 17:00".
  ///
  /// - Parameter mayBeOnce: Whether as many do.
  /// - Returns: nil for a day that is there twice.
  static func listed(_ days: [Weekday], mayBeOnce: Bool) -> RepeatReading? {
    guard Set(days).count == days.count else { return nil }
    var repeats = weekly(days)
    repeats.isListed = true
    repeats.mayBeOnce = mayBeOnce
    return repeats
  }
}
