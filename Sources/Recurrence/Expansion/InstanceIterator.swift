internal import CivilTime

/// Steps through the instances of one rule as instants, ascending, each once.
///
/// Readings in a gap come out later than some that follow them: a rule of every
/// 15 minutes has 02:30, shown as 03:30, and then 03:00. Near a gap readings are
/// therefore held until no earlier one can come. Of a start in a gap those that
/// would come before it are none of its rule: after 02:30 it has 03:30, and
/// neither 03:00 nor 03:15.
struct InstanceIterator {
  private var rule: RuleIterator
  private var cursor: ZoneCursor
  private let firstInstant: Int64
  private let lastInstant: Int64
  private let isByDay: Bool
  private var emitted = Int64.min
  /// Instances in a gap, ascending, not told yet.
  private var held: [RecurrenceInstance] = []
  /// An instance after a gap that waits for those.
  private var waiting: RecurrenceInstance?
  private var isAtEnd = false
  /// Whether something is held or waits.
  private var isNearChange = false

  /// - Parameters:
  ///   - from: The first instant of interest; some before it may come.
  ///   - until: The last one; some after it may come.
  init(_ plan: RulePlan, zone: ZoneRules, from: Timestamp, until: Timestamp = .latest) {
    let wanted = zone.earliestLinear(ofInstancesFrom: from)
    // No clock is a day ahead of another.
    let end = until < .latest ? until.seconds + 2 * 86_400 : .max
    rule = RuleIterator(plan, from: wanted, through: end)
    cursor = ZoneCursor(zone)
    firstInstant = plan.startInstant
    lastInstant = plan.lastInstant
    isByDay = plan.isByDay
  }

  @inline(__always)
  mutating func next() -> RecurrenceInstance? {
    if !isNearChange, !isAtEnd {
      guard var local = rule.next() else { return nil }
      if isByDay { local = takeDay(of: local) }
      if let instant = cursor.uniqueInstant(ofLinear: local) {
        guard instant <= lastInstant else { return finish() }
        if instant != emitted {
          emitted = instant
          return RecurrenceInstance(linear: local, instant: instant)
        }
      }
      return nextNearChange(local)
    }
    return nextNearChange(nil)
  }

  /// Returns the midnight that begins a reading's day, and passes by the rest of
  /// the day: it may have 86,400 readings more.
  @inline(never)
  private mutating func takeDay(of reading: Int64) -> Int64 {
    let midnight = reading - floorMod(reading, 86_400)
    rule = RuleIterator(rule.plan, from: midnight + 86_400, through: rule.last)
    return midnight
  }

  private mutating func finish() -> RecurrenceInstance? {
    isAtEnd = true
    return nil
  }

  /// The rest of the work: `local` is a reading that was taken and not told.
  @inline(never)
  private mutating func nextNearChange(_ local: Int64?) -> RecurrenceInstance? {
    var local = local
    defer { isNearChange = waiting != nil || !held.isEmpty }
    while true {
      if let instance = takeHeld() { return instance }
      guard var reading = local ?? (isAtEnd ? nil : rule.next()) else {
        isAtEnd = true
        return held.isEmpty && waiting == nil ? nil : takeHeld()
      }
      local = nil
      if isByDay { reading = takeDay(of: reading) }
      guard let civil = CivilDateTime(linearSeconds: reading) else { continue }
      let resolution = cursor.zone.resolve(civil)
      // Away from changes of the clock no reading after the start's comes before it.
      guard resolution.instant.seconds >= firstInstant else { continue }
      let instance = RecurrenceInstance(reading: civil, instant: resolution.instant)
      if case .gap = resolution {
        // Kept in order; they come ascending but for clocks that change twice.
        let place = held.firstIndex { $0.instant > instance.instant } ?? held.count
        held.insert(instance, at: place)
      } else {
        waiting = instance
      }
    }
  }

  /// Returns what may be told now: the waiting one or those held before it.
  private mutating func takeHeld() -> RecurrenceInstance? {
    while true {
      let next: RecurrenceInstance
      if let first = held.first, isAtEnd || waiting.map({ first.instant <= $0.instant }) == true {
        next = first
        held.removeFirst()
      } else if let first = waiting {
        next = first
        waiting = nil
      } else {
        return nil
      }
      if next.instant.seconds > lastInstant {
        isAtEnd = true
        continue
      }
      if next.instant.seconds != emitted {
        emitted = next.instant.seconds
        return next
      }
    }
  }
}
