internal import CivilTime

/// A rule with its start, prepared for stepping.
///
/// Times are ``CivilDateTime/linearSeconds``. The rule gets the fastest shape that fits; the shape
/// does not affect the result.
final class RulePlan: Sendable {
  enum Shape {
    /// All periods have the same offsets and the same duration.
    case pattern
    /// Month by month, its days as bits.
    case months
    /// Year by year.
    case years
    /// Week by week, with limits.
    case weeks
    /// Day by day, with limits.
    case days
    /// By hours, minutes or seconds, with limits.
    case clock
    /// The rule has no instance but perhaps the start.
    case nothing
  }

  let shape: Shape
  /// Years, months, weeks, days or seconds from one period to the next.
  let step: Int
  /// The first period: a year, a month from year 0, a day number, or linear seconds.
  let origin: Int
  /// The distance after which instances repeat, in the unit of the step.
  let cycle: Int
  let filter: DayFilter
  let monthFilter: MonthFilter
  let clock: ClockFilter
  /// The offsets of instances in a day, an hour, …, ascending.
  let offsets: ContiguousArray<Int64>
  /// The offsets of instances from the iterator's base, ascending.
  let offsetsOfBase: ContiguousArray<Int64>
  /// The BYSETPOS still to apply, from ``SetPositions/ordered(_:)``.
  ///
  /// If all periods are alike, it has been applied to `offsets` already.
  let setPositions: [Int]
  /// Whether BYSETPOS picks days, since each has one time.
  let picksDays: Bool
  /// Whether BYSETPOS picks among several times a day.
  let picksTimes: Bool
  /// ``DayFilter/movesDays`` of the filter, stored because computing it copies lists.
  let movesDays: Bool
  /// Whether whole periods are expanded before an instance is taken.
  let expandsPeriods: Bool

  let start: Int64
  /// The instant of the start, in seconds since 1970; no instance is earlier.
  let startInstant: Int64
  /// Whether the start is the first instance even if it does not match.
  let includesStart: Bool
  /// Whether UNTIL is before the start, so that there are no instances.
  let endsBeforeStart: Bool
  /// Whether readings count as their day: an hourly rule of an all-day event.
  let isByDay: Bool
  /// The last reading that can be an instance.
  let last: Int64
  /// The last instant that can be an instance, in seconds since 1970.
  let lastInstant: Int64
  /// The number of instances, if `last` does not tell yet; see ``init(counted:end:)``.
  let count: Int?
  /// Whether the rule has COUNT or UNTIL, even after the year 9999.
  let isBounded: Bool

  /// The last second of the year 9999.
  static let endOfTime = Timestamp.latest.seconds

  init(_ given: RecurrenceRule, start: CivilDateTime, context: Context) {
    var rule = given
    isBounded = rule.count != nil || rule.until != nil
    // A start without a time: RFC 5545 section 3.3.10.
    if context.isAllDay { (rule.hours, rule.minutes, rule.seconds) = ([], [], []) }
    let begin = start.linearSeconds
    self.start = begin
    startInstant = context.startInstant
    let end = RulePlan.end(of: rule, context: context)
    guard end.last >= begin, end.lastInstant >= context.startInstant else {
      // Not even the start is an instance.
      (shape, step, origin, cycle, filter, offsets) = (.nothing, 1, 0, 0, DayFilter(), [])
      (setPositions, includesStart, last, lastInstant, count) = ([], false, .min, .min, nil)
      (clock, endsBeforeStart, isByDay) = (ClockFilter(rule), true, false)
      (monthFilter, offsetsOfBase) = (MonthFilter(filter), [])
      (picksDays, picksTimes, movesDays, expandsPeriods) = (false, false, false, false)
      return
    }
    endsBeforeStart = false
    isByDay = context.isAllDay && rule.frequency < .daily
    includesStart = context.countsStart
    lastInstant = end.lastInstant
    var form = RulePlan.form(of: rule, start: start)
    if form.isEmpty { form.shape = .nothing }
    shape = form.shape
    step = form.step
    origin = form.origin
    cycle = form.cycle
    filter = form.filter
    monthFilter = MonthFilter(form.filter)
    offsets = form.offsets
    setPositions = SetPositions.ordered(form.setPositions)
    movesDays = form.filter.movesDays
    picksDays = !form.setPositions.isEmpty && form.offsets.count == 1 && !movesDays
    picksTimes = !form.setPositions.isEmpty && !picksDays
    // A base that BYSETPOS has picked is the reading itself.
    offsetsOfBase = picksTimes ? [0] : form.offsets
    expandsPeriods = form.shape == .years || form.shape == .weeks || picksTimes || movesDays
    clock = ClockFilter(rule)
    if let count = rule.count, form.shape == .pattern {
      last = min(end.last, form.instance(count, start: begin, includesStart: context.countsStart))
      self.count = nil
    } else {
      last = end.last
      count = rule.count
    }
  }

  /// Copies a plan with another last reading.
  init(_ plan: RulePlan, last: Int64) {
    (shape, step, origin, cycle) = (plan.shape, plan.step, plan.origin, plan.cycle)
    (filter, monthFilter, movesDays) = (plan.filter, plan.monthFilter, plan.movesDays)
    (picksDays, picksTimes, expandsPeriods) = (plan.picksDays, plan.picksTimes, plan.expandsPeriods)
    offsetsOfBase = plan.offsetsOfBase
    (clock, offsets) = (plan.clock, plan.offsets)
    (setPositions, start, includesStart) = (plan.setPositions, plan.start, plan.includesStart)
    (endsBeforeStart, isByDay) = (plan.endsBeforeStart, plan.isByDay)
    startInstant = plan.startInstant
    (lastInstant, count, isBounded) = (plan.lastInstant, plan.count, plan.isBounded)
    self.last = last
  }

  /// What a plan depends on besides the rule.
  struct Context {
    let isAllDay: Bool
    let isFloating: Bool
    /// Whether the start is the first instance even if it does not match.
    ///
    /// False for an EXRULE and for several rules.
    let countsStart: Bool
    let startInstant: Int64
  }

  /// Returns the limits of UNTIL, as a reading and as an instant.
  private static func end(
    of rule: RecurrenceRule, context: Context
  ) -> (last: Int64, lastInstant: Int64) {
    switch rule.until {
    case nil: (endOfTime, .max)
    case .date(let date): (Int64(date.dayNumber) * 86_400 + 86_399, .max)
    case .local(let reading) where context.isAllDay:
      (Int64(reading.date.dayNumber) * 86_400, .max)
    case .local(let reading): (reading.linearSeconds, .max)
    case .instant(let instant) where context.isAllDay:
      // An all-day event has no time, so only the day counts.
      (instant.seconds - floorMod(instant.seconds, 86_400), .max)
    case .instant(let instant) where context.isFloating: (instant.seconds, .max)
    case .instant(let instant):
      // A reading is less than 26 hours from UTC; the instant decides.
      (min(instant.seconds + 26 * 3600, endOfTime), instant.seconds)
    }
  }
}

/// Rounds down, while `/` rounds towards zero.
@inline(__always)
func floorDiv(_ value: Int64, _ divisor: Int64) -> Int64 {
  let quotient = value / divisor
  return value % divisor < 0 ? quotient - 1 : quotient
}

/// Returns 0 to `divisor` − 1, for a positive divisor.
@inline(__always)
package func floorMod(_ value: Int64, _ divisor: Int64) -> Int64 {
  let rest = value % divisor
  return rest < 0 ? rest + divisor : rest
}
