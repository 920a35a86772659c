internal import CivilTime

/// The times that BYHOUR, BYMINUTE and BYSECOND give in one period.
enum TimeExpansion {
  /// Returns the offsets of the instances from the start of the period, in seconds, ascending.
  ///
  /// The period is a day, an hour, a minute or a second. Missing parts come from the start.
  static func offsets(of rule: RecurrenceRule, start: TimeOfDay) -> ContiguousArray<Int64> {
    let expandsHours = PartAction.of(.byHour, in: rule.frequency) == .expand
    let expandsMinutes = PartAction.of(.byMinute, in: rule.frequency) == .expand
    let expandsSeconds = PartAction.of(.bySecond, in: rule.frequency) == .expand
    let hours = expandsHours ? (rule.hours.isEmpty ? [start.hour] : rule.hours) : [0]
    let minutes = expandsMinutes ? (rule.minutes.isEmpty ? [start.minute] : rule.minutes) : [0]
    let seconds = expandsSeconds ? (rule.seconds.isEmpty ? [start.second] : rule.seconds) : [0]
    var offsets = ContiguousArray<Int64>()
    offsets.reserveCapacity(hours.count * minutes.count * seconds.count)
    for hour in hours {
      for minute in minutes {
        // Second 60 counts as 59: RFC 5545 section 3.3.12.
        for second in seconds { offsets.append(Int64(hour * 3600 + minute * 60 + min(second, 59))) }
      }
    }
    sortAndUnite(&offsets)
    return offsets
  }
}

/// The hours, minutes and seconds that a rule shorter than a day allows, as bits.
///
/// All are set if the part is absent or expands.
struct ClockFilter: Sendable {
  let hours: UInt64
  let minutes: UInt64
  let seconds: UInt64

  init(_ rule: RecurrenceRule) {
    func bits(_ part: RulePart, _ values: [Int]) -> UInt64 {
      guard !values.isEmpty, PartAction.of(part, in: rule.frequency) == .limit else { return .max }
      return values.reduce(0) { $0 | 1 << UInt64(min($1, 59)) }
    }
    hours = bits(.byHour, rule.hours)
    minutes = bits(.byMinute, rule.minutes)
    seconds = bits(.bySecond, rule.seconds)
  }

  var isEmpty: Bool { hours & minutes & seconds == .max }

  /// Returns the seconds until a time that may match; 0 if this one does.
  @inline(__always)
  func wait(atSecondOfDay second: Int64) -> Int64 {
    let hour = second / 3600
    if hours & (1 << UInt64(hour)) == 0 {
      return next(hours, after: hour, end: 24) * 3600 - second
    }
    let minute = second / 60 % 60
    if minutes & (1 << UInt64(minute)) == 0 {
      return hour * 3600 + next(minutes, after: minute, end: 60) * 60 - second
    }
    let tick = second % 60
    if seconds & (1 << UInt64(tick)) == 0 {
      return second / 60 * 60 + next(seconds, after: tick, end: 60) - second
    }
    return 0
  }

  @inline(__always)
  private func next(_ bits: UInt64, after value: Int64, end: Int64) -> Int64 {
    let later = bits & (UInt64.max << UInt64(value))
    return min(Int64(later.trailingZeroBitCount), end)
  }
}

/// Sorts and removes duplicates.
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
