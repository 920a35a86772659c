package import CivilTime

/// All instances of a start, rules and added dates, without excluded ones.
///
/// Rules step on the clock of the start's zone. Each reading becomes an instant by
/// ``LocalResolution/instant``. Equal instants are one instance, and none is before the start.
/// COUNT counts readings before anything is excluded.
///
///     var set = RecurrenceSet(start: …, isAllDay: false, zone: berlin, rules: [rule])
///     set.first(atOrAfter: now)
///
/// Reading: A start that its rule does not match is undefined in the RFC. Here it is the first
/// instance and counts as one, unless UNTIL is before it. With several rules, each counts only what
/// it matches. Of local times that do not exist, RFC 5545 section 3.3.10 says both that they are
/// ignored and that they are interpreted as in section 3.3.5; we do the latter.
///
/// Source: RFC 5545 section 3.8.5.
package struct RecurrenceSet: Sendable {
  let zone: ZoneRules
  let plans: [RulePlan]
  let exclusionPlans: [RulePlan]
  /// Ascending, each instant once. Includes the start, unless there is exactly one rule.
  let added: [RecurrenceInstance]
  /// Ascending.
  let excludedInstants: [Timestamp]
  /// Ascending; all instances on these days are excluded.
  let excludedDays: [CivilDate]

  /// Creates a set.
  ///
  /// - Parameters:
  ///   - start: DTSTART on its own clock; midnight for an all-day set.
  ///   - isAllDay: Whether the start is a date. Times in rules are then ignored, and instants count
  ///     as their day.
  ///   - zone: The zone that rules step in; ``ZoneRules/utc`` for all-day.
  ///   - rules: RRULE; several are united.
  ///   - exclusionRules: EXRULE, of RFC 2445.
  ///   - added: RDATE. In a timed set, a date means the start's time on it.
  ///   - excluded: EXDATE. In a timed set, a date means the whole day.
  ///   - isFloating: Whether the start has no zone; an UNTIL in UTC is then compared as a local
  ///     time.
  ///   - countedEnds: The result of ``countedEnds(of:exclusionRules:start:isAllDay:)`` for these
  ///     rules; empty to compute it.
  package init(
    start: CivilDateTime, isAllDay: Bool, zone: ZoneRules, rules: [RecurrenceRule],
    exclusionRules: [RecurrenceRule] = [], added: [RecurrenceMoment] = [],
    excluded: [RecurrenceMoment] = [], isFloating: Bool = false,
    countedEnds: [CivilDateTime?] = []
  ) {
    let start = isAllDay ? CivilDateTime(start.date, .midnight) : start
    let startInstant = zone.instant(of: start)
    self.zone = zone
    func plan(_ rule: RecurrenceRule, isExclusion: Bool, end: CivilDateTime? = nil) -> RulePlan {
      let plan = RulePlan(
        rule, start: start,
        context: RulePlan.Context(
          isAllDay: isAllDay, isFloating: isFloating,
          countsStart: !isExclusion && rules.count == 1, startInstant: startInstant.seconds))
      return plan.count == nil ? plan : RulePlan(counted: plan, end: end?.linearSeconds)
    }
    func end(_ index: Int) -> CivilDateTime? {
      index < countedEnds.count ? countedEnds[index] : nil
    }
    plans = rules.enumerated().map { index, rule in
      var rule = rule
      // An equal EXRULE excludes everything but a start that does not match, so the first instance
      // is enough.
      if rule.count == nil, exclusionRules.contains(rule) { rule.count = 1 }
      return plan(rule, isExclusion: false, end: end(index))
    }
    exclusionPlans = exclusionRules.enumerated().map {
      plan($1, isExclusion: true, end: end(rules.count + $0))
    }

    func reading(_ moment: RecurrenceMoment) -> CivilDateTime {
      let reading =
        switch moment {
        case .date(let date): CivilDateTime(date, start.time)
        case .local(let reading): reading
        case .instant(let instant): (isAllDay ? ZoneRules.utc : zone).reading(at: instant)
        }
      return isAllDay ? CivilDateTime(reading.date, .midnight) : reading
    }
    func instant(_ moment: RecurrenceMoment) -> Timestamp {
      if case .instant(let instant) = moment, !isAllDay { return instant }
      return zone.instant(of: reading(moment))
    }
    var instances = added.map {
      RecurrenceInstance(reading: reading($0), instant: instant($0))
    }
    let needsStart = rules.isEmpty || (rules.count > 1 && plans.contains { !$0.endsBeforeStart })
    if needsStart { instances.append(RecurrenceInstance(reading: start, instant: startInstant)) }
    instances.sort { $0.instant < $1.instant }
    var united: [RecurrenceInstance] = []
    for instance in instances where united.last?.instant != instance.instant {
      united.append(instance)
    }
    self.added = united

    var instants: [Timestamp] = []
    var days: [CivilDate] = []
    for moment in excluded {
      if case .date(let date) = moment, !isAllDay {
        days.append(date)
      } else {
        instants.append(instant(moment))
      }
    }
    excludedInstants = instants.sorted()
    excludedDays = days.sorted()
  }

  /// Whether every rule has an end.
  package var isBounded: Bool {
    plans.allSatisfy { $0.isBounded || $0.shape == .nothing }
  }

  /// Returns whether an EXDATE excludes an instance.
  func isExcluded(_ instance: RecurrenceInstance) -> Bool {
    RecurrenceSet.contains(instance.instant, in: excludedInstants)
      || (!excludedDays.isEmpty && RecurrenceSet.contains(instance.reading.date, in: excludedDays))
  }

  static func contains<Element: Comparable>(_ value: Element, in list: [Element]) -> Bool {
    let index = list.partitioningIndex { $0 >= value }
    return index < list.count && list[index] == value
  }
}
