internal import CivilTime

/// Returns the instances of one rule as instants, ascending, each once.
///
/// A reading in a gap becomes later than some readings after it: every 15 minutes gives 02:30,
/// shown as 03:30, and then 03:00. So readings in a gap are held until no earlier instant can come.
/// If the start is in a gap, earlier instants are left out: after 02:30 comes 03:30, not 03:00 or
/// 03:15.
struct InstanceIterator {
  private var rule: RuleIterator
  private var cursor: ZoneCursor
  private let firstInstant: Int64
  private let lastInstant: Int64
  private let isByDay: Bool
  private var emitted = Int64.min
  /// Instances in a gap, ascending, that were not returned yet.
  private var held: [RecurrenceInstance] = []
  /// An instance after a gap that waits for the held ones.
  private var waiting: RecurrenceInstance?
  private var isAtEnd = false
  /// Whether an instance is held or waits.
  private var isNearChange = false

  /// - Parameters:
  ///   - from: The first instant needed; some earlier ones may be returned.
  ///   - until: The last instant needed; some later ones may be returned.
  init(_ plan: RulePlan, zone: ZoneRules, from: Timestamp, until: Timestamp = .latest) {
    let wanted = zone.earliestLinear(ofInstancesFrom: from)
    // The clocks of two zones differ by less than two days.
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

  /// Returns the midnight of a reading's day and skips the rest of the day.
  ///
  /// It may have 86,400 readings more.
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

  /// Returns the next instance near a clock change; `local` is a reading that was taken already.
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
      // Only near a clock change can a later reading be before the start.
      guard resolution.instant.seconds >= firstInstant else { continue }
      let instance = RecurrenceInstance(reading: civil, instant: resolution.instant)
      if case .gap = resolution {
        // They arrive in order, unless the clock changes twice.
        let place = held.firstIndex { $0.instant > instance.instant } ?? held.count
        held.insert(instance, at: place)
      } else {
        waiting = instance
      }
    }
  }

  /// Returns the next instance if it is certain: the waiting one, or a held one before it.
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
