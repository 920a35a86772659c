import CivilTime
import Recurrence

extension EventSeries {
  /// The series from one occurrence on, under a uid of its own: rules, dates,
  /// exceptions and overrides from there. nil if the master and its rules have
  /// nothing before it.
  ///
  /// A rule goes on from its own next instance, with what COUNT has left, so that
  /// it keeps its step. An alarm at a fixed moment goes with the half in which it
  /// lies.
  ///
  /// - Throws: As ``editing(_:at:scope:context:)``.
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
  /// The master of what follows the cut; nil if neither rule nor date does.
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
    // Dates before the start alone lie before the cut.
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
      // A start that is not the rule's own, or not the day that it asks for.
      if rule.skip != nil || next != first { rule = rule.naming(daysOf: master.start.reading.date) }
      event.recurrence.rules.append(rule)
    }
    let start: EventTime
    if let first {
      // The reading of the rule: one that a gap skips is the clock of those after it.
      start = master.start.withReading(first.reading)
    } else if let date = event.recurrence.added.map({ instant(of: $0.start) }).min() {
      start = time(ofSetInstant: date)
    } else {
      return nil
    }
    try placed { () throws(CivilTimeError) in try event.restart(at: start, context: context) }
    return event
  }

  /// UNTIL for a reading on the clock of the master.
  private func untilReading(_ reading: CivilDateTime) -> RecurrenceUntil {
    switch placement.shared.event.start {
    case .date: .date(reading.date)
    case .floating: .local(reading)
    case .zoned, .utc: .instant(placement.setInstant(ofReading: reading))
    }
  }

  /// Holds what each rule has after the cut, and the first hundred instances and the
  /// last one, to those of the whole series: a rule that takes its step from the
  /// start may not have the same with another start.
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
  /// The event as one that begins its life now, under another uid.
  fileprivate func anew(_ context: EditContext) -> Event {
    var event = self
    event.uid = context.newUID
    event.sequence = 0
    event.created = context.now
    event.lastModified = context.now
    return event
  }
}
