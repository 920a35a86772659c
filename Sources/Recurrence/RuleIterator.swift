internal import CivilTime

/// Steps through the readings of one rule, period by period, in ascending order.
///
/// It can begin anywhere: the first period is found by division. COUNT is known
/// by its last reading; see ``RulePlan/init(counted:)``.
struct RuleIterator {
  let plan: RulePlan
  let shape: RulePlan.Shape
  let offsets: ContiguousArray<Int64>
  let last: Int64

  /// What the offsets are added to now.
  var base = Int64.min
  /// The next offset; at the end of the list a new base is due.
  var offsetIndex: Int
  /// The next period, in the unit of the plan's step.
  var period: Int
  /// A period by which something must have been found: the calendar repeats
  /// every 400 years, and a rule that matched nothing in all of its steps
  /// through them never will.
  var deadline: Int
  /// Days of the present month that are still to come, and its first.
  private var monthDays: UInt32 = 0
  private var monthBase: Int64 = 0
  /// Bases of the present year or week that are still to come.
  var bases = ContiguousArray<Int64>()
  var baseIndex = 0
  var days = ContiguousArray<Int>()
  /// Bases near the next period, which may have some before them.
  var waitingBases = ContiguousArray<Int64>()

  /// Nothing before this is an instance.
  private(set) var floor: Int64
  private(set) var startIsNext: Bool

  /// - Parameter wanted: The first reading of interest.
  init(_ plan: RulePlan, from wanted: Int64) {
    self.plan = plan
    shape = plan.shape
    last = plan.last
    offsets = plan.setPositions.isEmpty || plan.picksDays ? plan.offsets : [0]
    offsetIndex = offsets.count
    startIsNext = plan.includesStart
    floor = plan.includesStart ? plan.start + 1 : plan.start
    period = plan.origin
    deadline = plan.origin + plan.cycle
    if wanted > plan.start {
      startIsNext = false
      floor = wanted
      period = RuleIterator.period(of: plan, at: wanted)
      deadline = period + plan.cycle
      if shape == .pattern, wanted <= last {
        // The one period that may begin before is entered where it matters.
        base = Int64(period)
        period += plan.step
        offsetIndex = 0
        var high = offsets.count
        while offsetIndex < high {
          let middle = (offsetIndex + high) / 2
          if base + offsets[middle] < wanted { offsetIndex = middle + 1 } else { high = middle }
        }
      }
    }
  }

  /// Returns the period that a reading lies in, or one shortly before it.
  private static func period(of plan: RulePlan, at reading: Int64) -> Int {
    let reading = min(reading, RulePlan.endOfTime)
    let day = Int(floorDiv(reading, 86_400))
    let date = CivilDate(dayNumber: day) ?? .latest
    let position =
      switch plan.shape {
      case .nothing: plan.origin
      case .pattern, .clock: Int(reading)
      case .days, .weeks: day
      case .months: date.year * 12 + date.month - 1
      // The weeks of a year reach some days into its neighbours.
      case .years: date.year - 1
      }
    // A day may be moved out of the period before.
    let steps = (position - plan.origin) / plan.step - (plan.filter.movesDays ? 1 : 0)
    return plan.origin + max(0, steps) * plan.step
  }

  /// Returns the next reading; nil at the end.
  @inline(__always)
  mutating func next() -> Int64? {
    if startIsNext {
      startIsNext = false
      return plan.start
    }
    while true {
      if offsetIndex == offsets.count {
        if shape == .pattern {
          base = Int64(period)
          period &+= plan.step
        } else {
          guard advance() else { return nil }
        }
        offsetIndex = 0
      }
      let reading = base &+ offsets[offsetIndex]
      offsetIndex &+= 1
      if reading < floor { continue }
      guard reading <= last else {
        // Nothing comes after the end, however often one asks.
        offsetIndex = offsets.count - 1
        return nil
      }
      return reading
    }
  }

  /// Moves to the next base; false at the end.
  @inline(never)
  mutating func advance() -> Bool {
    defer { deadline = period &+ plan.cycle }
    if plan.filter.movesDays { return advanceMoving() }
    switch shape {
    case .nothing, .pattern: return false
    case .months:
      return plan.setPositions.isEmpty || plan.picksDays ? advanceMonth() : advancePicking()
    case .years, .weeks: return advancePicking()
    case .days: return advanceDay()
    case .clock: return advanceClock()
    }
  }

  private mutating func advanceMonth() -> Bool {
    while monthDays == 0 {
      guard period < 10_000 * 12, period <= deadline else { return false }
      // A third of the cost of the division that may be of a negative number.
      let months = UInt32(truncatingIfNeeded: period)
      let (year, month) = (Int(months / 12), Int(months % 12) &+ 1)
      period &+= plan.step
      guard plan.monthFilter.contains(month: month) else { continue }
      let first = CivilDate.dayNumber(year: year, month: month, day: 1)
      monthBase = Int64(first) &* 86_400
      guard monthBase <= last else { return false }
      monthDays = plan.monthFilter.days(ofMonth: month, year: year, first: first)
      if plan.picksDays { monthDays = SetPositions.pick(plan.setPositions, of: monthDays) }
    }
    base = monthBase &+ Int64(monthDays.trailingZeroBitCount) &* 86_400
    monthDays &= monthDays &- 1
    return true
  }

  private mutating func advanceDay() -> Bool {
    while Int64(period) * 86_400 <= last, period <= deadline {
      let day = period
      if plan.filter.matches(dayNumber: day) {
        base = Int64(day) * 86_400
        period += plan.step
        return true
      }
      let candidate = plan.filter.nextCandidate(after: day)
      period += (candidate - day + plan.step - 1) / plan.step * plan.step
    }
    return false
  }

  private mutating func advanceClock() -> Bool {
    while Int64(period) <= last, period <= deadline {
      let day = floorDiv(Int64(period), 86_400)
      let midnight = day * 86_400
      var wait: Int64
      // The base of the step before lies in the same day, so the day matches.
      if base >= midnight || plan.filter.matches(dayNumber: Int(day)) {
        wait = plan.clock.wait(atSecondOfDay: Int64(period) - midnight)
        if wait == 0 {
          base = Int64(period)
          period += plan.step
          return true
        }
      } else {
        wait = Int64(plan.filter.nextCandidate(after: Int(day))) * 86_400 - Int64(period)
      }
      period += (Int(wait) + plan.step - 1) / plan.step * plan.step
    }
    return false
  }

  /// Years and weeks, and months with BYSETPOS: the whole period is laid out
  /// before one is taken.
  private mutating func advancePicking() -> Bool {
    while baseIndex == bases.count {
      days.removeAll(keepingCapacity: true)
      bases.removeAll(keepingCapacity: true)
      baseIndex = 0
      guard period <= deadline, layOut(period) else { return false }
      period += plan.step
      if shape == .weeks, days.isEmpty { passByWeeks() }
      RuleIterator.appendBases(of: days, plan: plan, to: &bases)
    }
    base = bases[baseIndex]
    baseIndex += 1
    return true
  }

  /// After a week with no days: goes to the next one that has a day which
  /// BYMONTH may leave.
  private mutating func passByWeeks() {
    let ahead = plan.filter.nextCandidate(after: period - plan.step + 6) - (period + 6)
    if ahead > 0 { period += (ahead + plan.step - 1) / plan.step * plan.step }
  }

  /// Appends what the days of a period are the base of, or what BYSETPOS picks.
  ///
  /// No method: one would read a copy of the iterator while its own list is
  /// changed, which copies the list each time.
  static func appendBases(
    of days: ContiguousArray<Int>, plan: RulePlan, to bases: inout ContiguousArray<Int64>
  ) {
    if plan.setPositions.isEmpty {
      for day in days { bases.append(Int64(day) * 86_400) }
    } else {
      SetPositions.pick(plan.setPositions, days: days, offsets: plan.offsets, into: &bases)
    }
  }

  /// Puts the days of a period into `days`; false if it begins after the end.
  mutating func layOut(_ period: Int) -> Bool {
    switch shape {
    case .years:
      // The first week of the year 10000 begins in 9999.
      guard period <= 10_000,
        CivilDate.dayNumber(year: period, month: 1, day: 1) - 7
          <= Int(floorDiv(last, 86_400))
      else { return false }
      plan.filter.appendDays(ofYear: period, monthFilter: plan.monthFilter, to: &days)
    case .months:
      let (year, month) = (period / 12, period % 12 + 1)
      let first = CivilDate.dayNumber(year: year, month: month, day: 1)
      guard year <= 9999 else { return false }
      if plan.filter.movesDays {
        // The first may become the last day of the month before.
        guard Int64(first - 1) * 86_400 <= last else { return false }
        plan.filter.appendMovedDays(ofMonth: month, year: year, to: &days)
        return true
      }
      guard Int64(first) * 86_400 <= last else { return false }
      var bits = plan.monthFilter.days(ofMonth: month, year: year, first: first)
      while bits != 0 {
        days.append(first + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    default:
      guard Int64(period) * 86_400 <= last else { return false }
      for day in period..<period + 7 where plan.filter.matches(dayNumber: day) {
        days.append(day)
      }
    }
    return true
  }
}
