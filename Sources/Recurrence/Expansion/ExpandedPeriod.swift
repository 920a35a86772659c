internal import CivilTime

/// A year or a week with the days that are still to come; or any period in which
/// BYSETPOS picks among several times a day, or days are moved, with its bases.
struct ExpandedPeriod: Sendable {
  var days = DayBits()
  /// What is picked or moved, ascending.
  var bases = ContiguousArray<Int64>()
  private var baseIndex = 0
  /// Bases near the next period, which may have some before them.
  var waitingBases = ContiguousArray<Int64>()

  /// Makes a period without days, with room for what each of a plan may need.
  init(_ plan: RulePlan) {
    if plan.picksTimes { bases.reserveCapacity(plan.setPositions.count) }
    if plan.movesDays {
      bases.reserveCapacity(33)
      waitingBases.reserveCapacity(33)
    }
  }

  /// Whether all bases are taken.
  var isDone: Bool { baseIndex == bases.count }

  /// Takes the next base; nil if there is none.
  mutating func nextBase() -> Int64? {
    guard baseIndex < bases.count else { return nil }
    baseIndex += 1
    return bases[baseIndex - 1]
  }

  /// Takes all bases away and leaves the room.
  mutating func removeBases() {
    bases.removeAll(keepingCapacity: true)
    baseIndex = 0
  }

  /// Leaves the days that BYSETPOS picks.
  mutating func pickDays(_ plan: RulePlan) {
    guard let first = days.first else { return }
    days = SetPositions.pick(plan.setPositions, of: days, first: first)
  }

  /// Makes the bases those that BYSETPOS picks of the days and times.
  mutating func pickBases(_ plan: RulePlan) {
    removeBases()
    SetPositions.pick(plan.setPositions, of: days, offsets: plan.offsets, into: &bases)
  }

  /// Puts what the days are the base of, or what BYSETPOS picks, among the waiting
  /// bases.
  mutating func waitForBases(_ plan: RulePlan) {
    if plan.setPositions.isEmpty {
      removeBases()
      while let day = days.removeFirst() { bases.append(Int64(day) * 86_400) }
    } else {
      pickBases(plan)
    }
    // Few wait, and all near the first of those that come.
    for base in bases {
      var place = waitingBases.count
      while place > 0, waitingBases[place - 1] > base { place -= 1 }
      if place == 0 || waitingBases[place - 1] != base { waitingBases.insert(base, at: place) }
    }
    removeBases()
  }

  /// Makes the bases those that wait and lie before a reading.
  mutating func takeWaiting(before boundary: Int64) {
    removeBases()
    let due = waitingBases.firstIndex { $0 >= boundary } ?? waitingBases.count
    bases.append(contentsOf: waitingBases[..<due])
    waitingBases.removeFirst(due)
  }
}

extension RulePlan {
  /// Puts the days of a period in; false if it begins after the end.
  func layOut(_ period: Int, into days: inout DayBits) -> Bool {
    switch shape {
    case .years:
      // The first week of the year 10000 begins in 9999.
      guard period <= 10_000 else { return false }
      let first = CivilDate.dayNumber(year: period, month: 1, day: 1)
      guard Int64(first - 7) * 86_400 <= last else { return false }
      days.begin(at: first)
      filter.layOut(year: period, first: first, monthFilter: monthFilter, into: &days)
    case .months:
      let (year, month) = (period / 12, period % 12 + 1)
      guard year <= 9999 else { return false }
      let first = CivilDate.dayNumber(year: year, month: month, day: 1)
      // The first may become the last day of the month before.
      guard Int64(movesDays ? first - 1 : first) * 86_400 <= last else { return false }
      days.begin(at: first)
      guard monthFilter.contains(month: month) else { return true }
      if movesDays {
        filter.insertMovedDays(ofMonth: month, year: year, first: first, into: &days)
      } else {
        let length = CivilDate.length(ofMonth: month, year: year)
        days.insert(monthFilter.days(first: first, length: length), from: first)
      }
    default:
      guard Int64(period) * 86_400 <= last else { return false }
      days.begin(at: period)
      for day in period..<period + 7 where filter.matches(dayNumber: day) { days.insert(day) }
    }
    return true
  }
}
