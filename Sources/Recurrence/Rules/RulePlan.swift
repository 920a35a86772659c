internal import CivilTime

/// A rule together with its start, worked out for stepping.
///
/// All times are linear seconds, as ``CivilDateTime/linearSeconds``. The rule
/// is brought to the quickest of a few shapes; which one says nothing about the
/// result.
final class RulePlan: Sendable {
  enum Shape {
    /// Every period has the same offsets, and periods are equally long.
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
    /// The rule gives nothing, or the start alone.
    case nothing
  }

  let shape: Shape
  /// Years, months, weeks, days or seconds from one period to the next.
  let step: Int
  /// The first period, in the same unit: a year, a month counted from year 0, a
  /// day number, or linear seconds.
  let origin: Int
  /// After so much, in the unit of the step, what a period holds repeats.
  let cycle: Int
  let filter: DayFilter
  let monthFilter: MonthFilter
  let clock: ClockFilter
  /// From a day, an hour, … to its instances, ascending.
  let offsets: ContiguousArray<Int64>
  /// From what the iterator steps to, to the instances, ascending.
  let offsetsOfBase: ContiguousArray<Int64>
  /// What is still to pick a period, as ``SetPositions/ordered(_:)`` has it; BYSETPOS
  /// of periods that are all alike is in `offsets` already.
  let setPositions: [Int]
  /// Whether BYSETPOS picks among the days of a period, since each has one time.
  let picksDays: Bool
  /// Whether BYSETPOS picks among several times a day.
  let picksTimes: Bool
  /// ``DayFilter/movesDays`` of the filter, which costs a copy of its lists each time.
  let movesDays: Bool
  /// Whether whole periods are laid out before an instance is taken.
  let expandsPeriods: Bool

  let start: Int64
  /// When the start is, in seconds since 1970: no instance is before it.
  let startInstant: Int64
  /// Whether the start is an instance and counts, whatever the rule says.
  let includesStart: Bool
  /// Whether UNTIL lies before the start; then nothing is an instance.
  let endsBeforeStart: Bool
  /// Whether readings mean their day: a rule of hours for a start without
  /// a time.
  let isByDay: Bool
  /// The last reading that may be an instance.
  let last: Int64
  /// The last instant that may be one, in seconds since 1970.
  let lastInstant: Int64
  /// How many instances there are, if only counting tells; in a plan that
  /// expands, `last` has been set by it.
  let count: Int?
  /// Whether COUNT or UNTIL ends it, be it after the last year there is.
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
      // UNTIL before the start: not even the start is an instance.
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

  /// Makes a plan like another with its last reading.
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

  /// What a plan must know besides the rule.
  struct Context {
    let isAllDay: Bool
    let isFloating: Bool
    /// Whether the start is the first instance even if it does not match; not
    /// so for EXRULE, or where there are several rules.
    let countsStart: Bool
    let startInstant: Int64
  }

  /// The ends that UNTIL sets, on the clock and as an instant.
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
      // The time means nothing for a start without one; the day counts.
      (instant.seconds - floorMod(instant.seconds, 86_400), .max)
    case .instant(let instant) where context.isFloating: (instant.seconds, .max)
    case .instant(let instant):
      // No clock is 26 hours from UTC; the instant decides.
      (min(instant.seconds + 26 * 3600, endOfTime), instant.seconds)
    }
  }
}

/// Rounds down, where `/` rounds to zero.
@inline(__always)
func floorDiv(_ value: Int64, _ divisor: Int64) -> Int64 {
  let quotient = value / divisor
  return value % divisor < 0 ? quotient - 1 : quotient
}

/// 0 to `divisor` − 1, for a divisor above 0.
@inline(__always)
func floorMod(_ value: Int64, _ divisor: Int64) -> Int64 {
  let rest = value % divisor
  return rest < 0 ? rest + divisor : rest
}
