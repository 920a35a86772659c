internal import CivilTime

/// SKIP=BACKWARD and SKIP=FORWARD: days that a month or a year does not have
/// are moved to the nearest one that exists, before BYDAY and what follows it
/// are looked at.
///
/// A moved day may lie just outside its period, and may be one that is there
/// already.
///
/// Source: RFC 7529 section 4.1.
extension DayFilter {
  /// Whether days that do not exist are moved, and there may be some.
  var movesDays: Bool { skip != .omit && (hasMonthDays || !yearDays.isEmpty) }

  /// Appends the days of a month that BYMONTHDAY names, ascending.
  func appendMovedDays(ofMonth month: Int, year: Int, to days: inout ContiguousArray<Int>) {
    guard months == 0 || months & (1 << UInt16(month)) != 0 else { return }
    let first = CivilDate.dayNumber(year: year, month: month, day: 1)
    let length = CivilDate.length(ofMonth: month, year: year)
    for bit in 0..<31 {
      if monthDays & (1 << UInt32(bit)) != 0 {
        append(index: bit, first: first, length: length, to: &days)
      }
      if monthDaysFromEnd & (1 << UInt32(bit)) != 0 {
        append(index: length - 1 - bit, first: first, length: length, to: &days)
      }
    }
    sortAndUnite(&days)
  }

  /// Appends the days of a year that BYYEARDAY names, ascending.
  func appendMovedYearDays(ofYear year: Int, to days: inout ContiguousArray<Int>) {
    let first = CivilDate.dayNumber(year: year, month: 1, day: 1)
    let length = CivilDate.isLeap(year: year) ? 366 : 365
    for number in yearDays {
      append(
        index: number > 0 ? number - 1 : length + number, first: first, length: length, to: &days)
    }
    if months != 0 || hasMonthDays { days.removeAll { !matches(dayNumber: $0) } }
    sortAndUnite(&days)
  }

  private func append(
    index: Int, first: Int, length: Int, to days: inout ContiguousArray<Int>
  ) {
    var day = first + index
    if index < 0 { day = skip == .backward ? first - 1 : first }
    if index >= length { day = skip == .backward ? first + length - 1 : first + length }
    if matchesWeekday(dayNumber: day) { days.append(day) }
  }
}

extension RuleIterator {
  /// Periods whose days may be moved into their neighbours: what lies near the
  /// next period waits until that one is laid out.
  mutating func advanceMoving() -> Bool {
    while baseIndex == bases.count {
      bases.removeAll(keepingCapacity: true)
      baseIndex = 0
      days.removeAll(keepingCapacity: true)
      guard period <= deadline, layOut(period) else {
        guard !waitingBases.isEmpty else { return false }
        swap(&bases, &waitingBases)
        continue
      }
      period += plan.step
      RuleIterator.appendBases(of: days, plan: plan, to: &waitingBases)
      sortAndUnite(&waitingBases)
      let next =
        plan.shape == .years
        ? CivilDate.dayNumber(year: period, month: 1, day: 1)
        : CivilDate.dayNumber(year: period / 12, month: period % 12 + 1, day: 1)
      let boundary = Int64(next - 1) * 86_400
      let due = waitingBases.firstIndex { $0 >= boundary } ?? waitingBases.count
      bases.append(contentsOf: waitingBases[..<due])
      waitingBases.removeFirst(due)
    }
    base = bases[baseIndex]
    baseIndex += 1
    return true
  }
}
