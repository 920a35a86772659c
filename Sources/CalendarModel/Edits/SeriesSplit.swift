import CivilTime
import Recurrence

extension EventSeries {
  /// Returns the series from one occurrence on, with a new UID.
  ///
  /// It has the rules, dates and overrides from there. A rule continues with its own next instance
  /// and the rest of COUNT, so that it keeps its interval. Absolute alarms belong to the half that
  /// they are in.
  ///
  /// - Returns: nil if the master has nothing before the occurrence.
  /// - Throws: The same as ``editing(_:at:scope:context:)``.
  func beginning(
    at id: RecurrenceID, context: EditContext
  ) throws(ModelError) -> EventSeries? {
    let cut = try SeriesCut(self, at: id, context: context.zones)
    var later = overrides.filter { cut.instant(of: $0) >= cut.instant }
    if let range = overrides.filter({ $0.appliesToFuture && cut.instant(of: $0) < cut.instant })
      .max(by: { cut.instant(of: $0) < cut.instant(of: $1) }),
      let next = try rangeGoingOn(range, from: cut.instant, context.zones)
    {
      later.append(next)
    }
    later = later.map { $0.anew(context) }
    guard let master else {
      return EventSeries(calendar: calendar, master: nil, overrides: later)
    }
    guard let right = try cut.masterAfter(master, context: context.zones) else {
      return later.isEmpty ? nil : EventSeries(calendar: calendar, master: nil, overrides: later)
    }
    let series = EventSeries(calendar: calendar, master: right.anew(context), overrides: later)
    try cut.check(series, id, context: context.zones)
    return series
  }
}

extension SeriesCut {
  /// Returns the master of the second half; nil if no rule or date continues.
  fileprivate func masterAfter(
    _ master: Event, context: ZoneContext
  ) throws(ModelError) -> Event? {
    var event = master
    let pattern = master.recurrence
    event.recurrence.added.removeAll { instant(of: $0.start) < instant }
    event.recurrence.excluded.removeAll { instant(of: $0) < instant }
    event.alarms.removeAll {
      if case .absolute(let moment) = $0.trigger { moment < instant } else { false }
    }
    // Only RDATEs are before the cut, so the start stays.
    if instant(of: master.start) >= instant { return event }
    event.recurrence.rules = []
    let first = reaches.compactMap(\.next).min { $0.instant < $1.instant }
    for (index, reach) in reaches.enumerated() {
      guard let next = reach.next else { continue }
      var rule = pattern.rules[index]
      if let count = rule.count {
        if let passed = set.count(ofRule: index, before: next.reading) {
          rule.count = count - passed
        } else {
          rule.count = nil
          rule.until = untilReading(set.lastReading(ofRule: index))
        }
      }
      // Name the old start's day in the rule if the new start is not what the rule would take.
      if rule.skip != nil || next != first { rule = rule.naming(daysOf: master.start.reading.date) }
      event.recurrence.rules.append(rule)
    }
    let start: EventTime
    if let first {
      // A reading that a clock change skips stays: later instances need it.
      start = master.start.withReading(first.reading)
    } else if let date = event.recurrence.added.map({ instant(of: $0.start) }).min() {
      start = time(ofSetInstant: date)
    } else {
      return nil
    }
    try placed { () throws(CivilTimeError) in try event.restart(at: start, context: context) }
    return event
  }

  /// Returns an UNTIL for a reading on the master's clock.
  private func untilReading(_ reading: CivilDateTime) -> RecurrenceUntil {
    switch placement.shared.event.start {
    case .date: .date(reading.date)
    case .floating: .local(reading)
    case .zoned, .utc: .instant(placement.setInstant(ofReading: reading))
    }
  }

  /// Checks that the second half has the same instances as the whole series.
  ///
  /// A rule that takes its interval from the start may differ with another start. The first hundred
  /// instances and the last one are compared, and the first thirty of each rule.
  ///
  /// - Throws: ``ModelError/cannotSplit(uid:recurrenceID:)`` if they differ.
  fileprivate func check(
    _ right: EventSeries, _ id: RecurrenceID, context: ZoneContext
  ) throws(ModelError) {
    guard let master = right.master else { return }
    let after = try placed { () throws(CivilTimeError) in
      try Placement(master, context: context).recurrenceSet(context: context, countedEnds: [])
    }
    let span = TimeSpan(start: instant, end: .latest)
    var isSame =
      after.instances(in: .always, limit: 100).map(\.instant)
      == set.instances(in: span, limit: 100).map(\.instant)
      && after.lastInstance()?.instant == set.lastInstance()?.instant
    let rules = reaches.indices.filter { reaches[$0].next != nil }
    for (rule, old) in rules.enumerated() where instant > setStart {
      isSame =
        isSame
        && after.instances(ofRule: rule, from: instant, limit: 30).map(\.instant)
          == set.instances(ofRule: old, from: instant, limit: 30).map(\.instant)
    }
    if !isSame { throw .cannotSplit(uid: placement.shared.event.uid, recurrenceID: id.text) }
  }

  private var setStart: Timestamp { instant(of: placement.shared.event.start) }
}

extension Event {
  /// Returns the event as a new one with another UID.
  fileprivate func anew(_ context: EditContext) -> Event {
    var event = self
    event.uid = context.newUID
    event.sequence = 0
    event.created = context.now
    event.lastModified = context.now
    return event
  }
}
