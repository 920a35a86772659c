internal import CivilTime

/// Returns the readings of one rule in ascending order, period by period.
///
/// It can begin anywhere, since the first period is found by division. COUNT has become a last
/// reading; see ``RulePlan/init(counted:end:)``.
struct RuleIterator {
  let plan: RulePlan
  let shape: RulePlan.Shape
  let offsets: ContiguousArray<Int64>
  let last: Int64

  /// The reading that offsets are added to.
  var base = Int64.min
  /// The index of the next offset; at the end of the list the next base is needed.
  var offsetIndex: Int
  /// The next period, in the unit of the plan's step.
  var period: Int
  /// The period at which a rule without matches is given up.
  ///
  /// The calendar repeats every 400 years, so a rule without a match in all of them has none.
  var deadline: Int
  /// The remaining days of the current month, and its first.
  private var monthDays: UInt32 = 0
  private var monthBase: Int64 = 0
  /// A month whose first day is known, and that day: the month after the last one examined.
  private var knownMonth = Int.min
  private var firstOfKnownMonth = 0
  /// The current period if it is expanded to more than the days of a month; otherwise empty.
  ///
  /// An array of at most one keeps the iterator small.
  var expanded = ContiguousArray<ExpandedPeriod>()

  /// No earlier reading is an instance.
  private(set) var floor: Int64
  private(set) var startIsNext: Bool

  /// - Parameters:
  ///   - wanted: The first reading needed.
  ///   - end: The last reading needed, so that a rule without matches is not followed to 9999.
  init(_ plan: RulePlan, from wanted: Int64, through end: Int64 = .max) {
    self.plan = plan
    shape = plan.shape
    last = min(plan.last, end)
    offsets = plan.offsetsOfBase
    offsetIndex = offsets.count
    startIsNext = plan.includesStart
    floor = plan.includesStart ? plan.start + 1 : plan.start
    period = plan.origin
    deadline = plan.origin + plan.cycle
    if plan.expandsPeriods { expanded.append(ExpandedPeriod(plan)) }
    if wanted > plan.start {
      startIsNext = false
      floor = wanted
      period = RuleIterator.period(of: plan, at: wanted)
      deadline = period + plan.cycle
      if shape == .pattern, wanted <= last {
        // Find the first offset at or after `wanted` in the first period.
        base = Int64(period)
        period += plan.step
        let rest = wanted - base
        offsetIndex = offsets.partitioningIndex { $0 >= rest }
      }
    }
  }

  /// Returns the period that contains a reading, or one shortly before it.
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
    // A day may have been moved from the period before.
    let steps = (position - plan.origin) / plan.step - (plan.movesDays ? 1 : 0)
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
        // Further calls must return nil as well.
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
    if plan.movesDays { return advanceMoving() }
    switch shape {
    case .nothing, .pattern: return false
    case .months: return plan.picksTimes ? advancePicking() : advanceMonth()
    case .years, .weeks: return plan.picksTimes ? advancePicking() : advanceLaidOut()
    case .days: return advanceDay()
    case .clock: return advanceClock()
    }
  }

  private mutating func advanceMonth() -> Bool {
    if monthDays == 0 {
      guard findMonth() else { return false }
    }
    base = monthBase &+ Int64(monthDays.trailingZeroBitCount) &* 86_400
    monthDays &= monthDays &- 1
    return true
  }

  /// Moves to the next month with days; false if there is none.
  ///
  /// Consecutive months need no division: Friday the 13th matches about every seventh month.
  @inline(__always)
  private mutating func findMonth() -> Bool {
    let filter = plan.monthFilter
    let (step, end, last) = (plan.step, min(10_000 * 12 - 1, deadline), last)
    var period = period
    defer { self.period = period }
    while period <= end {
      var month = CountedMonth(period)
      let wait = filter.wait(atMonth: month.month)
      if wait != 0 {
        period &+= step == 1 ? wait : (wait &+ step &- 1) / step &* step
        continue
      }
      var first = period == knownMonth ? firstOfKnownMonth : month.firstDay
      repeat {
        let begin = Int64(first) &* 86_400
        guard begin <= last else { return false }
        let length = month.length
        var days = filter.days(first: first, length: length)
        if plan.picksDays { days = SetPositions.pick(plan.setPositions, of: days) }
        period &+= step
        first &+= length
        if days != 0 {
          (monthDays, monthBase) = (days, begin)
          if step == 1 { (knownMonth, firstOfKnownMonth) = (period, first) }
          return true
        }
        month.advance()
      } while step == 1 && period <= end && filter.contains(month: month.month)
    }
    return false
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
      // The previous step was on the same day, so the day matches.
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

  /// Moves to the next day of a year or week, which are expanded as a whole.
  private mutating func advanceLaidOut() -> Bool {
    while true {
      if let day = expanded[0].days.removeFirst() {
        base = Int64(day) &* 86_400
        return true
      }
      guard layOutNext() else { return false }
      if plan.picksDays { expanded[0].pickDays(plan) }
    }
  }

  /// Moves to the next reading that BYSETPOS picks from the times of a whole period.
  private mutating func advancePicking() -> Bool {
    while true {
      if let next = expanded[0].nextBase() {
        base = next
        return true
      }
      guard layOutNext() else { return false }
      expanded[0].pickBases(plan)
    }
  }

  private mutating func layOutNext() -> Bool {
    guard period <= deadline, plan.layOut(period, into: &expanded[0].days) else { return false }
    period += plan.step
    if shape == .weeks, expanded[0].days.isEmpty { passByWeeks() }
    return true
  }

  /// Skips weeks without a day that BYMONTH may allow, after a week without days.
  private mutating func passByWeeks() {
    let ahead = plan.filter.nextCandidate(after: period - plan.step + 6) - (period + 6)
    if ahead > 0 { period += (ahead + plan.step - 1) / plan.step * plan.step }
  }
}
