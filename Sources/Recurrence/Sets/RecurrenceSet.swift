package import CivilTime

/// All the times at which something happens: a start, rules and added dates,
/// less what is excluded.
///
/// Rules step on the clock of the start's zone; each reading then becomes an
/// instant as ``LocalResolution/instant`` has it. Equal instants are one
/// instance, and none is before the start. COUNT counts readings, before
/// anything is excluded.
///
///     var set = RecurrenceSet(start: …, isAllDay: false, zone: berlin, rules: [rule])
///     set.first(atOrAfter: now)
///
/// Reading: a start that its rule does not match is undefined by the RFC. Here
/// it is the first instance and counts as one, unless UNTIL lies before it. With
/// several rules, which are as little defined, each counts what it matches.
/// RFC 5545 section 3.3.10 says of local times that do not exist both that they
/// are ignored and that they are interpreted as in section 3.3.5; we follow the
/// second.
///
/// Source: RFC 5545 section 3.8.5.
package struct RecurrenceSet: Sendable {
  let zone: ZoneRules
  let plans: [RulePlan]
  let exclusionPlans: [RulePlan]
  /// Ascending, each instant once. It has the start unless one rule alone does.
  let added: [RecurrenceInstance]
  /// Ascending.
  let excludedInstants: [Timestamp]
  /// Ascending; all that happens on such a day is excluded.
  let excludedDays: [CivilDate]

  /// Makes a set.
  ///
  /// - Parameters:
  ///   - start: DTSTART as its clock shows it; midnight for an all-day set.
  ///   - isAllDay: Whether the start is a date. Times in rules are then ignored,
  ///     and an instant among the moments means its day.
  ///   - zone: Whose clock the rules step on; ``ZoneRules/utc`` for all-day.
  ///   - rules: RRULE; several are united.
  ///   - exclusionRules: EXRULE, of RFC 2445.
  ///   - added: RDATE. A date among times means the start's time on it.
  ///   - excluded: EXDATE. A date among times means all of that day.
  ///   - isFloating: Whether the start has no zone of its own; then the digits of
  ///     an UNTIL in UTC are compared with the clock.
  ///   - countedEnds: What ``countedEnds(of:exclusionRules:start:isAllDay:)`` said of
  ///     these rules; empty to have it counted.
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
      // An EXRULE like it takes all of it away but a start that it does not match:
      // the first is enough to find that out.
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

  /// Whether every rule says when it ends.
  package var isBounded: Bool {
    plans.allSatisfy { $0.isBounded || $0.shape == .nothing }
  }

  /// Returns whether EXDATE takes an instance away.
  func isExcluded(_ instance: RecurrenceInstance) -> Bool {
    RecurrenceSet.contains(instance.instant, in: excludedInstants)
      || (!excludedDays.isEmpty && RecurrenceSet.contains(instance.reading.date, in: excludedDays))
  }

  /// Returns the index of the first element that is not below `value`.
  static func lowerBound<Element: Comparable>(of value: Element, in list: [Element]) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  static func contains<Element: Comparable>(_ value: Element, in list: [Element]) -> Bool {
    let index = lowerBound(of: value, in: list)
    return index < list.count && list[index] == value
  }
}
