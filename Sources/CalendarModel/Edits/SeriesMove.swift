import CivilTime
import Recurrence

/// Moves the dates and overrides of a series when its start moves or its rules change.
///
/// * EXDATE, RDATE, RECURRENCE-ID and UNTIL move by as much as the start does on its clock, to the
///   clock of the new start. If a monthly or yearly rule moves its instances by different amounts,
///   the nearest instance is used.
/// * An override at the time of its instance moves with it. An override with its own start keeps
///   its distance in days and its time of day. It becomes all-day, or gets the new time of day,
///   only if the series does. THISANDFUTURE overrides move with the occurrences that they apply to.
/// * An EXDATE or an override is removed if its instance no longer exists. One that never had an
///   instance is kept.
struct SeriesMove {
  /// The master with its new start; its pattern is the new one.
  private(set) var master: Event
  private let old: Placement
  private let new: Placement
  private let oldSet: RecurrenceSet
  private let newSet: RecurrenceSet
  private let shiftSeconds: Int64
  private let shiftDays: Int
  private let context: ZoneContext
  private let followsNearest: Bool

  /// - Parameters:
  ///   - before: The old master.
  ///   - start: The new DTSTART, with `end`.
  ///   - change: Its rules and dates replace the moved ones.
  /// - Throws: ``ModelError/ruleCannotFollow(rule:start:)``, ``ModelError/time(_:)``.
  init(
    from before: Event, countedEnds: [CivilDateTime?], to start: EventTime, end: EventEnd,
    change: EventChange, context: ZoneContext
  ) throws(ModelError) {
    self.context = context
    var event = before
    event.start = start
    event.end = end
    let oldReading = before.start.reading
    let days = start.reading.date.days(since: oldReading.date)
    shiftDays = days
    shiftSeconds =
      before.start.isDate || start.isDate
      ? Int64(days) * 86_400
      : start.reading.linearSeconds - oldReading.linearSeconds
    let target =
      before.start.isDate || start.isDate
      ? CivilDateTime(start.reading.date, oldReading.time) : start.reading
    let old = try placed { () throws(CivilTimeError) in
      try Placement(before, context: context)
    }
    let new = try placed { () throws(CivilTimeError) in try Placement(event, context: context) }
    self.old = old
    self.new = new
    let shift = shiftSeconds
    func followed(_ rules: [RecurrenceRule]) throws(ModelError) -> [RecurrenceRule] {
      var moved: [RecurrenceRule] = []
      for rule in rules {
        guard var rule = rule.moved(from: oldReading, to: target) else {
          throw .ruleCannotFollow(rule: rule.text, start: "\(start.reading)")
        }
        rule.until = rule.until.map {
          SeriesMove.until($0, shift: shift, days: days, old: old, new: new)
        }
        moved.append(rule)
      }
      return moved
    }
    let given = change.rules
    if let given {
      event.recurrence.rules = given
    } else {
      event.recurrence.rules = try followed(before.recurrence.rules)
    }
    if let given = change.exclusionRules {
      event.recurrence.exclusionRules = given
    } else {
      event.recurrence.exclusionRules = try followed(before.recurrence.exclusionRules)
    }
    followsNearest =
      given == nil && abs(shift) >= 86_400
      && before.recurrence.rules.contains { $0.frequency >= .monthly }
    (oldSet, newSet) = try placed { () throws(CivilTimeError) in
      (
        try old.instances(of: before.recurrence, countedEnds: countedEnds, context: context),
        try new.instances(of: event.recurrence, countedEnds: [], context: context)
      )
    }
    master = event
    if let given = change.added {
      master.recurrence.added = given
    } else {
      var added: [AddedDate] = []
      for date in before.recurrence.added { added.append(try follow(date)) }
      master.recurrence.added = added
    }
    var excluded: [EventTime] = []
    if let given = change.excluded {
      excluded = given
    } else {
      for time in before.recurrence.excluded {
        if let moved = try place(of: time) { excluded.append(moved) }
      }
    }
    master.recurrence.excluded = excluded
  }

  /// Returns where a date of the series is now; nil if its instance no longer exists.
  func place(of time: EventTime) throws(ModelError) -> EventTime? {
    if time.isDate, !old.shared.event.start.isDate { return follow(reading: time.reading, time) }
    let before = try instant(of: time)
    let moved = follow(reading: reading(at: before), time)
    guard hasInstance(before, in: oldSet, dates: old.shared.event.recurrence.added) else {
      return moved
    }
    let after = try placed { () throws(CivilTimeError) in
      try new.setInstant(of: moved, context: context)
    }
    if hasInstance(after, in: newSet, dates: master.recurrence.added, isNew: true) { return moved }
    guard followsNearest else { return nil }
    let found = [newSet.first(atOrAfter: after), newSet.last(before: after)].compactMap(\.self)
      .min { abs($0.instant.seconds - after.seconds) < abs($1.instant.seconds - after.seconds) }
    guard let found, abs(found.instant.seconds - after.seconds) < 15 * 86_400 else { return nil }
    return new.time(ofSetInstant: found.instant)
  }

  /// Returns the instant that a date had in the old recurrence set.
  func instant(of time: EventTime) throws(ModelError) -> Timestamp {
    try placed { () throws(CivilTimeError) in try old.setInstant(of: time, context: context) }
  }

  /// Returns the old identifier of the instance that a date names.
  func name(of time: EventTime) throws(ModelError) -> RecurrenceID {
    old.recurrenceID(ofSetInstant: try instant(of: time))
  }

  /// Returns the original start of an instance.
  func oldStart(of time: EventTime) throws(ModelError) -> Timestamp {
    try placed { () throws(CivilTimeError) in
      try old.time(ofSetInstant: old.setInstant(of: time, context: context)).instant(in: context)
    }
  }

  /// Returns an override's own start, moved by as many days as its instance.
  ///
  /// - Parameters:
  ///   - id: The RECURRENCE-ID before the move.
  ///   - place: The RECURRENCE-ID after the move.
  func moved(_ own: EventTime, from id: EventTime, to place: EventTime) throws(ModelError)
    -> EventTime
  {
    let (before, after) = try placed { () throws(CivilTimeError) in
      (
        try old.time(ofSetInstant: old.setInstant(of: id, context: context)).reading,
        try new.time(ofSetInstant: new.setInstant(of: place, context: context)).reading
      )
    }
    let days = after.date.days(since: before.date)
    let form = adapted(own)
    if days == 0 { return form }
    return form.withReading(form.reading.adding(seconds: Int64(days) * 86_400) ?? form.reading)
  }

  /// Returns an override's own start in the new form of the series, if it had the old form.
  private func adapted(_ own: EventTime) -> EventTime {
    let start = master.start
    if own.isDate == start.isDate || own.isDate != old.shared.event.start.isDate { return own }
    return start.isDate
      ? .date(own.reading.date)
      : start.withReading(CivilDateTime(own.reading.date, start.reading.time))
  }

  /// Returns a time moved by as much as the series.
  func shifted(_ time: EventTime) -> EventTime {
    let form = adapted(time)
    return form.withReading(form.reading.adding(seconds: shiftSeconds) ?? form.reading)
  }

  // MARK: Parts

  private func hasInstance(
    _ instant: Timestamp, in set: RecurrenceSet, dates: [AddedDate], isNew: Bool = false
  ) -> Bool {
    if set.contains(instant) { return true }
    let placement = isNew ? new : old
    return dates.contains {
      (try? placement.setInstant(of: $0.start, context: context)) == instant
    }
  }

  /// Returns the reading of the rule, which a clock change may have shown later.
  private func reading(at instant: Timestamp) -> CivilDateTime {
    if let found = oldSet.first(atOrAfter: instant), found.instant == instant {
      return found.reading
    }
    return old.reading(ofSetInstant: instant)
  }

  private func follow(_ date: AddedDate) throws(ModelError) -> AddedDate {
    // A date in the series' own zone keeps its reading, even one that a clock change skips.
    let isOwn = date.start.zoneName == old.shared.event.start.zoneName
    let reading =
      isOwn ? date.start.reading : old.reading(ofSetInstant: try instant(of: date.start))
    let start = follow(reading: reading, date.start)
    let end = try placed { () throws(CivilTimeError) in
      date.end == .none ? .none : try date.end.moved(from: date.start, to: start, context: context)
    }
    return AddedDate(start: start, end: end)
  }

  private func follow(reading: CivilDateTime, _ time: EventTime) -> EventTime {
    let (from, to) = (old.shared.event.start, new.shared.event.start)
    if shiftSeconds == 0, from.isDate == to.isDate, from.zoneName == to.zoneName { return time }
    if time.isDate, !from.isDate {
      return .date(reading.date.adding(days: shiftDays) ?? reading.date)
    }
    let moved = reading.adding(seconds: shiftSeconds) ?? reading
    if to.isDate { return .date(moved.date) }
    return to.withReading(from.isDate ? CivilDateTime(moved.date, to.reading.time) : moved)
  }

  private static func until(
    _ until: RecurrenceUntil, shift: Int64, days: Int, old: Placement, new: Placement
  ) -> RecurrenceUntil {
    let (from, to) = (old.shared.event.start, new.shared.event.start)
    if shift == 0, from.isDate == to.isDate, from.zoneName == to.zoneName { return until }
    let reading: CivilDateTime
    switch until {
    case .date(let date):
      let end = date.adding(days: days) ?? date
      // The whole day counts, whatever the start's time is.
      if to.isDate || from.isDate == to.isDate { return .date(end) }
      reading = CivilDateTime(end, to.reading.time)
    case .local(let local): reading = local.adding(seconds: shift) ?? local
    case .instant(let instant):
      let local =
        from.zoneName == nil ? ZoneRules.utc.reading(at: instant) : old.zone.reading(at: instant)
      reading = local.adding(seconds: shift) ?? local
    }
    switch to {
    case .date:
      // Occurrences that begin later than UNTIL on its day are excluded.
      let isBefore = !from.isDate && reading.time < from.reading.time
      return .date(isBefore ? reading.date.adding(days: -1) ?? reading.date : reading.date)
    case .floating: return .local(reading)
    case .zoned, .utc:
      let time = from.isDate ? CivilDateTime(reading.date, to.reading.time) : reading
      return .instant(new.setInstant(ofReading: time))
    }
  }
}

extension Placement {
  /// Returns the instances of the rules, without exclusions and dates.
  fileprivate func instances(
    of pattern: RecurrencePattern, countedEnds: [CivilDateTime?], context: ZoneContext
  ) throws(CivilTimeError) -> RecurrenceSet {
    var event = shared.event
    event.recurrence = RecurrencePattern(rules: pattern.rules)
    return try Placement(event, context: context)
      .recurrenceSet(context: context, countedEnds: countedEnds)
  }
}
