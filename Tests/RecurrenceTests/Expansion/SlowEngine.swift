import CivilTime
import Recurrence

/// Expands a rule by trying every day, minute or second, and asking of each
/// whether the parts of the rule allow it: slow and obvious. It knows no zones,
/// COUNT, UNTIL or start that does not match.
struct SlowEngine {
  let rule: RecurrenceRule
  let start: CivilDateTime

  /// The readings from the start's period on, up to `days` days later; the last
  /// period may be cut.
  func readings(days: Int) -> [CivilDateTime] {
    var byPeriod: [(period: Int, readings: [CivilDateTime])] = []
    for candidate in candidates(days: days) {
      let period = period(of: candidate)
      guard (period - self.period(of: start)) % rule.interval == 0 else { continue }
      if byPeriod.last?.period != period { byPeriod.append((period, [])) }
      byPeriod[byPeriod.count - 1].readings.append(candidate)
    }
    return byPeriod.flatMap { picked($0.readings) }.filter { $0 >= start }
  }

  private func picked(_ readings: [CivilDateTime]) -> [CivilDateTime] {
    guard !rule.setPositions.isEmpty else { return readings }
    let count = readings.count
    return readings.indices.filter {
      rule.setPositions.contains($0 + 1) || rule.setPositions.contains($0 - count)
    }.map { readings[$0] }
  }

  /// Every reading that the parts allow, whatever the interval.
  private func candidates(days: Int) -> [CivilDateTime] {
    var found: [CivilDateTime] = []
    // The first period may begin a year before the start.
    let before = rule.frequency >= .weekly ? 380 : 1
    for offset in -before...days {
      guard let date = start.date.adding(days: offset), allows(date) else { continue }
      for hour in 0..<24 where allows(hour, rule.hours, start.time.hour, below: .hourly) {
        for minute in 0..<60 where allows(minute, rule.minutes, start.time.minute, below: .minutely)
        {
          for second in 0..<60
          where allows(second, rule.seconds, start.time.second, below: .secondly) {
            if let time = TimeOfDay(hour: hour, minute: minute, second: second) {
              found.append(CivilDateTime(date, time))
            }
          }
        }
      }
    }
    return found
  }

  private func allows(
    _ value: Int, _ list: [Int], _ ofStart: Int, below frequency: RecurrenceRule.Frequency
  ) -> Bool {
    if !list.isEmpty { return list.contains(value) || (value == 59 && list.contains(60)) }
    return rule.frequency <= frequency || value == ofStart
  }

  private func allows(_ date: CivilDate) -> Bool {
    let (year, month, day) = date.parts
    let first = start.date
    let saysDay = !(rule.yearDays.isEmpty && rule.monthDays.isEmpty && rule.weekdays.isEmpty)
    var months = rule.months
    if rule.frequency == .yearly, months.isEmpty, rule.yearDays.isEmpty, rule.weekNumbers.isEmpty,
      !rule.monthDays.isEmpty || !saysDay
    {
      months = [first.month]
    }
    if !months.isEmpty, !months.contains(month) { return false }
    let length = CivilDate.length(ofMonth: month, year: year)
    if !rule.monthDays.isEmpty {
      guard rule.monthDays.contains(day) || rule.monthDays.contains(day - length - 1) else {
        return false
      }
    }
    let yearLength = CivilDate.isLeap(year: year) ? 366 : 365
    if !rule.yearDays.isEmpty {
      guard
        rule.yearDays.contains(date.dayOfYear)
          || rule.yearDays.contains(date.dayOfYear - yearLength - 1)
      else { return false }
    }
    if !rule.weekNumbers.isEmpty {
      let (_, week, count) = week(of: date)
      guard rule.weekNumbers.contains(week) || rule.weekNumbers.contains(week - count - 1) else {
        return false
      }
    }
    if !rule.weekdays.isEmpty {
      let isInMonth = rule.frequency == .monthly || !rule.months.isEmpty
      return rule.weekdays.contains { choice in
        guard choice.weekday == date.weekday else { return false }
        guard let ordinal = choice.ordinal else { return true }
        let index = isInMonth ? day : date.dayOfYear
        let total = isInMonth ? length : yearLength
        return ordinal == (index - 1) / 7 + 1 || ordinal == -((total - index) / 7 + 1)
      }
    }
    // A week without BYDAY has the weekday of the start, BYMONTHDAY or not.
    if saysDay, rule.frequency != .weekly { return true }
    switch rule.frequency {
    case .weekly: return date.weekday == first.weekday
    case .monthly: return day == first.day
    case .yearly where !rule.weekNumbers.isEmpty: return date.weekday == first.weekday
    case .yearly: return day == first.day
    default: return true
    }
  }

  /// The year a week belongs to, its number, and how many weeks that year has:
  /// a week belongs to the year that its fourth day lies in.
  private func week(of date: CivilDate) -> (year: Int, week: Int, count: Int) {
    let begin = date.onOrBefore(rule.weekStart) ?? date
    let fourth = begin.adding(days: 3) ?? begin
    let remaining = (CivilDate.isLeap(year: fourth.year) ? 366 : 365) - fourth.dayOfYear
    let week = (fourth.dayOfYear - 1) / 7 + 1
    return (fourth.year, week, week + remaining / 7)
  }

  private func period(of reading: CivilDateTime) -> Int {
    let seconds = Int(reading.linearSeconds)
    switch rule.frequency {
    case .secondly: return seconds
    case .minutely: return Int((Double(seconds) / 60).rounded(.down))
    case .hourly: return Int((Double(seconds) / 3600).rounded(.down))
    case .daily: return Int(reading.date.dayNumber)
    case .weekly: return Int(reading.date.onOrBefore(rule.weekStart)?.dayNumber ?? 0) / 7
    case .monthly: return reading.date.year * 12 + reading.date.month
    case .yearly: return rule.weekNumbers.isEmpty ? reading.date.year : week(of: reading.date).year
    }
  }
}
