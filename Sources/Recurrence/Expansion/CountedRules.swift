package import CivilTime

/// COUNT: where it ends is worked out once, when a plan is made. From then on it
/// is an end as UNTIL is one, and a question costs the same wherever it lies.
///
/// Whole days, whole bases and whole periods are counted without being walked
/// through, so that even a COUNT of thousands of millions by the second is done by the
/// year 9999 within about a tenth of a second.
extension RulePlan {
  /// Makes the plan that ends at the last of the counted readings.
  ///
  /// - Parameter end: That reading, where it is known.
  convenience init(counted plan: RulePlan, end: Int64?) {
    self.init(plan, last: min(plan.last, end ?? plan.countedEnd))
  }

  private var countedEnd: Int64 {
    guard let count else { return last }
    if shape == .clock {
      // More than there can be are not counted.
      let steps = (RulePlan.endOfTime - Int64(origin)) / Int64(step) + 2
      if count / offsets.count > steps { return RulePlan.endOfTime }
    }
    var iterator = RuleIterator(self, from: .min)
    return iterator.reading(number: count)
  }
}

extension RecurrenceSet {
  /// Returns, for each rule and then each exclusion rule, its last reading if COUNT
  /// alone tells; nil for the others. It depends on nothing but the rules and the start, so it can be kept
  /// with them and given to the next set that is made of them.
  package static func countedEnds(
    of rules: [RecurrenceRule], exclusionRules: [RecurrenceRule] = [], start: CivilDateTime,
    isAllDay: Bool
  ) -> [CivilDateTime?] {
    guard (rules + exclusionRules).contains(where: { $0.count != nil }) else { return [] }
    let set = RecurrenceSet(
      start: start, isAllDay: isAllDay, zone: .utc, rules: rules, exclusionRules: exclusionRules)
    return (set.plans + set.exclusionPlans).map { plan in
      guard plan.count != nil, plan.shape != .nothing else { return nil }
      return CivilDateTime(linearSeconds: plan.last)
    }
  }
}

extension RuleIterator {
  /// Returns the n-th reading, or the end of time if there are not so many.
  ///
  /// - Precondition: Nothing has been taken yet.
  mutating func reading(number: Int) -> Int64 {
    var left = number
    var dayCounts: [Int64: Int] = [:]
    var pickCounts: [Int: Int] = [:]
    var isLastDay = false
    if startIsNext {
      guard let start = next() else { return RulePlan.endOfTime }
      left -= 1
      if left == 0 { return start }
    }
    while true {
      if offsetIndex == offsets.count {
        if !isLastDay, skipDay(&left, &dayCounts, &isLastDay) { continue }
        if skipPeriod(&left, &pickCounts) { continue }
        guard advance() else { return RulePlan.endOfTime }
        offsetIndex = 0
        if base + offsets[0] >= floor, left > offsets.count {
          left -= offsets.count
          offsetIndex = offsets.count
          if base > last { return RulePlan.endOfTime }
          continue
        }
      }
      guard let reading = next() else { return RulePlan.endOfTime }
      left -= 1
      if left == 0 { return reading }
    }
  }

  /// Counts the rest of a day of a rule that steps by the clock, or passes by days
  /// that it does not have; false if the day must be walked through.
  ///
  /// - Parameters:
  ///   - counts: How many instances a day has, by the second of its first step;
  ///     filled as they are met.
  ///   - isLast: Set where the wanted instance lies in the day.
  private mutating func skipDay(
    _ left: inout Int, _ counts: inout [Int64: Int], _ isLast: inout Bool
  ) -> Bool {
    guard shape == .clock, plan.step < 86_400, Int64(period) <= last, period <= deadline else {
      return false
    }
    let day = floorDiv(Int64(period), 86_400)
    let midnight = day * 86_400
    guard plan.filter.matches(dayNumber: Int(day)) else {
      passBy(daysUntil: plan.filter.nextCandidate(after: Int(day)))
      return true
    }
    let first = Int64(period) - midnight
    // What lies before the start is walked over, not counted.
    guard Int64(period) >= floor else { return false }
    let count = counts[first] ?? count(ofDayFrom: first)
    counts[first] = count
    guard left > count else {
      isLast = true
      return false
    }
    left -= count
    passBy(daysUntil: Int(day) + 1)
    if count > 0 { deadline = period &+ plan.cycle }
    return true
  }

  /// Counts a whole week, month or year of which BYSETPOS picks; false if it must be
  /// walked through.
  ///
  /// - Parameter counts: How many are picked of so many; filled as they are met.
  private mutating func skipPeriod(_ left: inout Int, _ counts: inout [Int: Int]) -> Bool {
    guard plan.expandsPeriods, !plan.setPositions.isEmpty, !plan.movesDays, period <= deadline,
      plan.picksDays ? expanded[0].days.isEmpty : expanded[0].isDone
    else { return false }
    var days = DayBits()
    guard plan.layOut(period, into: &days) else { return false }
    // The period of the start is walked through, and so is one about the end.
    guard let first = days.first, let final = days.last, Int64(first) * 86_400 >= floor,
      Int64(final) * 86_400 + 86_399 <= last
    else {
      guard days.isEmpty else { return false }
      period += plan.step
      return true
    }
    let candidates = days.count * plan.offsets.count
    let count = counts[candidates] ?? SetPositions.count(plan.setPositions, of: candidates)
    counts[candidates] = count
    guard left > count else { return false }
    left -= count
    period += plan.step
    if count > 0 { deadline = period &+ plan.cycle }
    return true
  }

  private mutating func passBy(daysUntil day: Int) {
    period += (day * 86_400 - period + plan.step - 1) / plan.step * plan.step
  }

  /// Returns how many instances a day has whose first step is at a second of it.
  private func count(ofDayFrom first: Int64) -> Int {
    let step = Int64(plan.step)
    var time = first
    var count = 0
    while time < 86_400 {
      let wait = plan.clock.wait(atSecondOfDay: time)
      if wait == 0 { count += offsets.count }
      time += max(1, (wait + step - 1) / step) * step
    }
    return count
  }
}
