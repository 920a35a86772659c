internal import CivilTime

extension RulePlan {
  /// The parts of a plan while its shape is chosen.
  struct Form {
    var shape: Shape
    var step: Int
    var origin: Int
    var filter = DayFilter()
    var offsets: ContiguousArray<Int64>
    var setPositions: [Int] = []

    static let nothing = Form(shape: .nothing, step: 1, origin: 0, offsets: [])
  }

  /// Longer lists of offsets are stepped through instead.
  private static let maximumOffsets = 4096

  static func form(of rule: RecurrenceRule, start: CivilDateTime) -> Form {
    // Such a step leads past the year 9999; longer ones are the same and could overflow.
    let interval = min(rule.interval, 320_000_000_000)
    var filter = DayFilter(rule)
    let times = TimeExpansion.offsets(of: rule, start: start.time)
    let startDay = Int(start.date.dayNumber)

    switch rule.frequency {
    case .secondly, .minutely, .hourly:
      return clockForm(rule, start: start, interval: interval, filter: filter, offsets: times)
    case .daily:
      return dailyForm(
        startDay: startDay, interval: min(interval, 4_000_000), filter: filter,
        offsets: SetPositions.pick(rule.setPositions, of: times))
    case .weekly:
      if !filter.hasWeekdays {
        filter.weekdays = 1 << UInt32(start.date.weekday.rawValue - 1)
      }
      return weeklyForm(
        rule, startDay: startDay, interval: min(interval, 600_000), filter: filter, offsets: times)
    case .monthly:
      if !filter.hasWeekdays, !filter.hasMonthDays {
        filter.monthDays = 1 << UInt32(start.date.day - 1)
      }
      return Form(
        shape: .months, step: min(interval, 150_000),
        origin: start.date.year * 12 + start.date.month - 1,
        filter: filter, offsets: times, setPositions: rule.setPositions)
    case .yearly:
      return yearlyForm(
        rule, start: start, interval: min(interval, 20_000), filter: filter, offsets: times)
    }
  }

  private static func dailyForm(
    startDay: Int, interval: Int, filter: DayFilter, offsets: ContiguousArray<Int64>
  ) -> Form {
    if filter.isEmpty {
      return Form(
        shape: .pattern, step: interval * 86_400, origin: startDay * 86_400, offsets: offsets)
    }
    if interval == 1, filter.isWeekdaysAlone, offsets.count * 7 <= maximumOffsets {
      // Every week counts, so it may begin on any day.
      return Form(
        shape: .pattern, step: 7 * 86_400, origin: startDay * 86_400,
        offsets: week(of: filter.weekdays, from: startDay, offsets: offsets))
    }
    if interval == 1, filter.yearDays.isEmpty {
      let date = CivilDate(dayNumber: startDay) ?? .earliest
      return Form(
        shape: .months, step: 1, origin: date.year * 12 + date.month - 1, filter: filter,
        offsets: offsets)
    }
    return Form(
      shape: .days, step: interval, origin: startDay, filter: filter, offsets: offsets)
  }

  /// Returns the instances of the week that begins with a day, from its midnight.
  private static func week(
    of weekdays: UInt32, from day: Int, offsets: ContiguousArray<Int64>
  ) -> ContiguousArray<Int64> {
    var result = ContiguousArray<Int64>()
    for index in 0..<7 where weekdays & (1 << UInt32(weekdayIndex(day + index))) != 0 {
      for offset in offsets { result.append(Int64(index) * 86_400 + offset) }
    }
    return result
  }

  private static func weeklyForm(
    _ rule: RecurrenceRule, startDay: Int, interval: Int, filter: DayFilter,
    offsets: ContiguousArray<Int64>
  ) -> Form {
    let origin = startDay - (weekdayIndex(startDay) - (rule.weekStart.rawValue - 1) + 7) % 7
    if filter.isWeekdaysAlone, offsets.count * 7 <= maximumOffsets {
      return Form(
        shape: .pattern, step: interval * 7 * 86_400, origin: origin * 86_400,
        offsets: SetPositions.pick(
          rule.setPositions, of: week(of: filter.weekdays, from: origin, offsets: offsets)))
    }
    if interval == 1, rule.setPositions.isEmpty {
      return dailyForm(startDay: startDay, interval: 1, filter: filter, offsets: offsets)
    }
    return Form(
      shape: .weeks, step: interval * 7, origin: origin, filter: filter, offsets: offsets,
      setPositions: rule.setPositions)
  }

  private static func yearlyForm(
    _ rule: RecurrenceRule, start: CivilDateTime, interval: Int, filter given: DayFilter,
    offsets: ContiguousArray<Int64>
  ) -> Form {
    var filter = given
    // Missing parts come from the start.
    if filter.yearDays.isEmpty, !filter.hasMonthDays, !filter.hasWeekdays {
      if filter.hasWeeks {
        filter.weekdays = 1 << UInt32(start.date.weekday.rawValue - 1)
      } else {
        filter.monthDays = 1 << UInt32(start.date.day - 1)
      }
    }
    filter.countsInYear = filter.months == 0
    if filter.hasMonthDays, filter.months == 0, filter.yearDays.isEmpty, !filter.hasWeeks {
      filter.months = 1 << UInt16(start.date.month)
    }
    let needsYear =
      filter.hasWeeks || !filter.yearDays.isEmpty
      || (filter.countsInYear && !filter.numberedWeekdays.isEmpty)
    if interval == 1, !needsYear, rule.setPositions.isEmpty {
      return Form(
        shape: .months, step: 1, origin: start.date.year * 12 + start.date.month - 1,
        filter: filter, offsets: offsets)
    }
    let year =
      filter.hasWeeks
      ? WeekDate(start.date, firstWeekday: rule.weekStart).year : start.date.year
    return Form(
      shape: .years, step: interval, origin: year, filter: filter, offsets: offsets,
      setPositions: rule.setPositions)
  }

  private static func clockForm(
    _ rule: RecurrenceRule, start: CivilDateTime, interval: Int, filter: DayFilter,
    offsets given: ContiguousArray<Int64>
  ) -> Form {
    let unit =
      switch rule.frequency {
      case .hourly: 3600
      case .minutely: 60
      default: 1
      }
    let offsets = SetPositions.pick(rule.setPositions, of: given)
    guard !offsets.isEmpty else { return .nothing }
    let origin = Int(floorDiv(start.linearSeconds, Int64(unit))) * unit
    let step = min(interval, 320_000_000_000 / unit) * unit
    let clock = ClockFilter(rule)
    if clock.isEmpty, filter.isEmpty {
      return Form(shape: .pattern, step: step, origin: origin, offsets: offsets)
    }
    // The times of day that the steps can reach: they differ from the first by multiples of the
    // greatest common divisor of step and day.
    let common = Int64(greatestCommonDivisor(step, 86_400))
    if clock.isEmpty, Int(86_400 / common) * offsets.count > maximumOffsets {
      return Form(shape: .clock, step: step, origin: origin, filter: filter, offsets: offsets)
    }
    var times = ContiguousArray<Int64>()
    var time = floorMod(Int64(origin), common)
    while time < 86_400, times.count + offsets.count <= maximumOffsets {
      let wait = clock.wait(atSecondOfDay: time)
      if wait == 0 { for offset in offsets { times.append(time + offset) } }
      time += max(1, (wait + common - 1) / common) * common
    }
    guard !times.isEmpty else { return .nothing }
    if time >= 86_400, 86_400 % step == 0 {
      return dailyForm(
        startDay: Int(start.date.dayNumber), interval: 1, filter: filter, offsets: times)
    }
    return Form(shape: .clock, step: step, origin: origin, filter: filter, offsets: offsets)
  }
}

extension RulePlan.Form {
  /// Whether no period has an instance, since every BYSETPOS is too large.
  ///
  /// This avoids a walk through 400 years.
  var isEmpty: Bool {
    guard !setPositions.isEmpty else { return offsets.isEmpty }
    let days =
      switch shape {
      case .weeks: filter.weekdays.nonzeroBitCount
      case .months: 31
      default: 53 * 7
      }
    return setPositions.allSatisfy { abs($0) > days * offsets.count }
  }

  /// The distance after which instances repeat, in the unit of the step.
  ///
  /// The Gregorian calendar repeats after 400 years, which are whole weeks.
  var cycle: Int {
    let calendar =
      switch shape {
      case .years: 400
      case .months: 4800
      case .days, .weeks: 146_097
      case .clock: 146_097 * 86_400
      case .pattern, .nothing: 0
      }
    let (cycle, overflow) = (calendar / greatestCommonDivisor(calendar, step))
      .multipliedReportingOverflow(by: step)
    // Half of the range, so that a period can be added.
    return overflow ? .max / 2 : min(cycle, .max / 2)
  }

  /// Returns the n-th instance of a pattern.
  func instance(_ number: Int, start: Int64, includesStart: Bool) -> Int64 {
    if includesStart, number == 1 { return start }
    // The start counts as the first, whether or not it is in the pattern.
    let floor = includesStart ? start + 1 : start
    let wanted = includesStart ? number - 2 : number - 1
    let cycle = floorDiv(floor - Int64(origin), Int64(step))
    let base = Int64(origin) + cycle * Int64(step)
    let before = offsets.firstIndex { base + $0 >= floor } ?? offsets.count
    let (index, overflow) = before.addingReportingOverflow(wanted)
    let (cycles, isTooFar) = Int64(index / offsets.count).multipliedReportingOverflow(
      by: Int64(step))
    guard !overflow, !isTooFar, cycles <= RulePlan.endOfTime - base else {
      return RulePlan.endOfTime
    }
    return base + cycles + offsets[index % offsets.count]
  }
}

private func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
  var (left, right) = (left, right)
  while right != 0 { (left, right) = (right, left % right) }
  return left
}
