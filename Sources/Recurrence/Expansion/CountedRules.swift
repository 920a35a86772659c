package import CivilTime

/// COUNT is turned into a last reading when a plan is made, as if it were an UNTIL.
///
/// Queries then take the same time for any date. Whole days and periods are counted without a walk,
/// so that even a COUNT of billions of seconds takes about a tenth of a second.
extension RulePlan {
  /// Makes a plan that ends at the last of the counted readings.
  ///
  /// - Parameter end: That reading, if it is known.
  convenience init(counted plan: RulePlan, end: Int64?) {
    self.init(plan, last: min(plan.last, end ?? plan.countedEnd))
  }

  private var countedEnd: Int64 {
    guard let count else { return last }
    if shape == .clock {
      // COUNT is more than fits before the end of time.
      let steps = (RulePlan.endOfTime - Int64(origin)) / Int64(step) + 2
      if count / offsets.count > steps { return RulePlan.endOfTime }
    }
    var iterator = RuleIterator(self, from: .min)
    return iterator.reading(number: count)
  }
}

extension RecurrenceSet {
  /// Returns the last reading of each rule and exclusion rule that ends by COUNT; nil for others.
  ///
  /// It depends only on the rules and the start, so it can be stored with them and passed to later
  /// sets.
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
  /// Returns the n-th reading, or the end of time if there are fewer.
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

  /// Counts the rest of a day of a rule that steps by the clock, or skips days without matches.
  ///
  /// - Parameters:
  ///   - counts: The number of instances in a day, by the second of its first step; a cache.
  ///   - isLast: Set if the wanted instance is in the day.
  /// - Returns: false if the day must be walked.
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
    // Times before the start are walked.
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

  /// Counts a whole week, month or year with BYSETPOS; false if it must be walked.
  ///
  /// - Parameter counts: The number picked from a number of candidates; a cache.
  private mutating func skipPeriod(_ left: inout Int, _ counts: inout [Int: Int]) -> Bool {
    guard plan.expandsPeriods, !plan.setPositions.isEmpty, !plan.movesDays, period <= deadline,
      plan.picksDays ? expanded[0].days.isEmpty : expanded[0].isDone
    else { return false }
    var days = DayBits()
    guard plan.layOut(period, into: &days) else { return false }
    // The periods of the start and of the end are walked.
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

  /// Returns the number of instances in a day whose first step is at a given second.
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
