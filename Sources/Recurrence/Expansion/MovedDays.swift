internal import CivilTime

/// SKIP=BACKWARD and SKIP=FORWARD: days that do not exist move to the nearest existing one.
///
/// This happens before BYDAY and later parts apply. A moved day may be just outside its period, and
/// may equal another day of it.
///
/// Source: RFC 7529 section 4.1.
extension DayFilter {
  /// Whether days that do not exist are moved, and there may be any.
  var movesDays: Bool { skip != .omit && (hasMonthDays || !yearDays.isEmpty) }

  /// Adds the days of a month that BYMONTHDAY names.
  func insertMovedDays(ofMonth month: Int, year: Int, first: Int, into days: inout DayBits) {
    let length = CivilDate.length(ofMonth: month, year: year)
    for bit in 0..<31 {
      if monthDays & (1 << UInt32(bit)) != 0 {
        insert(index: bit, first: first, length: length, into: &days)
      }
      if monthDaysFromEnd & (1 << UInt32(bit)) != 0 {
        insert(index: length - 1 - bit, first: first, length: length, into: &days)
      }
    }
  }

  /// Adds the days of a year that BYYEARDAY names.
  func insertMovedYearDays(ofYear year: Int, first: Int, into days: inout DayBits) {
    let length = CivilDate.isLeap(year: year) ? 366 : 365
    for number in yearDays {
      insert(
        index: number > 0 ? number - 1 : length + number, first: first, length: length,
        limited: months != 0 || hasMonthDays, into: &days)
    }
  }

  /// - Parameter limited: Whether the resulting day must match all parts.
  private func insert(
    index: Int, first: Int, length: Int, limited: Bool = false, into days: inout DayBits
  ) {
    var day = first + index
    if index < 0 { day = skip == .backward ? first - 1 : first }
    if index >= length { day = skip == .backward ? first + length - 1 : first + length }
    if matchesWeekday(dayNumber: day), !limited || matches(dayNumber: day) { days.insert(day) }
  }
}

extension RuleIterator {
  /// Advances through periods whose days may move into neighbouring ones.
  ///
  /// Bases near the next period wait until that one is expanded.
  mutating func advanceMoving() -> Bool {
    while true {
      if let next = expanded[0].nextBase() {
        base = next
        return true
      }
      guard period <= deadline, plan.layOut(period, into: &expanded[0].days) else {
        guard !expanded[0].waitingBases.isEmpty else { return false }
        expanded[0].takeWaiting(before: .max)
        continue
      }
      period += plan.step
      expanded[0].waitForBases(plan)
      let next =
        plan.shape == .years
        ? CivilDate.dayNumber(year: period, month: 1, day: 1)
        : CivilDate.dayNumber(year: period / 12, month: period % 12 + 1, day: 1)
      expanded[0].takeWaiting(before: Int64(next - 1) * 86_400)
    }
  }
}
