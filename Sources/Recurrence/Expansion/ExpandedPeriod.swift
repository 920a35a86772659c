internal import CivilTime

/// The current period of a rule, expanded to its days or base readings.
///
/// Years and weeks have days. With BYSETPOS among several times a day, or with moved days, any
/// period has bases.
struct ExpandedPeriod: Sendable {
  var days = DayBits()
  /// The picked or moved base readings, ascending.
  var bases = ContiguousArray<Int64>()
  private var baseIndex = 0
  /// Bases near the next period, which may add earlier ones.
  var waitingBases = ContiguousArray<Int64>()

  /// Creates an empty period with the capacity that a plan needs.
  init(_ plan: RulePlan) {
    if plan.picksTimes { bases.reserveCapacity(plan.setPositions.count) }
    if plan.movesDays {
      bases.reserveCapacity(33)
      waitingBases.reserveCapacity(33)
    }
  }

  /// Whether all bases were taken.
  var isDone: Bool { baseIndex == bases.count }

  /// Takes the next base; nil if there is none.
  mutating func nextBase() -> Int64? {
    guard baseIndex < bases.count else { return nil }
    baseIndex += 1
    return bases[baseIndex - 1]
  }

  /// Removes all bases and keeps the capacity.
  mutating func removeBases() {
    bases.removeAll(keepingCapacity: true)
    baseIndex = 0
  }

  /// Keeps only the days that BYSETPOS picks.
  mutating func pickDays(_ plan: RulePlan) {
    guard let first = days.first else { return }
    days = SetPositions.pick(plan.setPositions, of: days, first: first)
  }

  /// Sets the bases that BYSETPOS picks from the days and times.
  mutating func pickBases(_ plan: RulePlan) {
    removeBases()
    SetPositions.pick(plan.setPositions, of: days, offsets: plan.offsets, into: &bases)
  }

  /// Adds the bases of the days, after BYSETPOS, to the waiting ones.
  mutating func waitForBases(_ plan: RulePlan) {
    if plan.setPositions.isEmpty {
      removeBases()
      while let day = days.removeFirst() { bases.append(Int64(day) * 86_400) }
    } else {
      pickBases(plan)
    }
    // There are few waiting bases, all near the beginning of the new ones.
    for base in bases {
      var place = waitingBases.count
      while place > 0, waitingBases[place - 1] > base { place -= 1 }
      if place == 0 || waitingBases[place - 1] != base { waitingBases.insert(base, at: place) }
    }
    removeBases()
  }

  /// Takes the waiting bases before a boundary.
  mutating func takeWaiting(before boundary: Int64) {
    removeBases()
    let due = waitingBases.firstIndex { $0 >= boundary } ?? waitingBases.count
    bases.append(contentsOf: waitingBases[..<due])
    waitingBases.removeFirst(due)
  }
}

extension RulePlan {
  /// Expands a period to its days; false if it begins after the end.
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
      // The first day may be moved to the last day of the month before.
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
