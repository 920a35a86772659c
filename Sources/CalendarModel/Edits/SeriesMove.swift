import CivilTime
import Recurrence

/// How the instances of a series find their place again when its start moves or
/// its rules change.
///
/// * EXDATE, RDATE, RECURRENCE-ID and UNTIL move by as much as the clock of the
///   start does, onto the clock of the new start. Where a rule by months or years
///   moves its instances by different lengths, the nearest instance is meant.
/// * An override at the time of its instance moves with it. One with a start
///   of its own stays as many days from its instance, and keeps its time of the day:
///   somebody put it there. It turns into a day, or gets the new time of the day, only
///   where the series does; a day in a timed series, or a time among days, stays what it
///   is. Overrides for all that follow (RANGE=THISANDFUTURE) move along with what they
///   hold for.
/// * An EXDATE or an override goes when the instance that it named is no longer
///   there. One that never named any stays.
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
  ///   - before: The master as it was.
  ///   - start: The new DTSTART, with `end`.
  ///   - change: Its rules and dates, where it has any, are taken instead of moved
  ///     ones.
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

  /// Where a date of the series is now; nil if its instance is gone.
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

  /// The instant that a date had in the recurrence set.
  func instant(of time: EventTime) throws(ModelError) -> Timestamp {
    try placed { () throws(CivilTimeError) in try old.setInstant(of: time, context: context) }
  }

  /// What the instance that a date names was called by before.
  func name(of time: EventTime) throws(ModelError) -> RecurrenceID {
    old.recurrenceID(ofSetInstant: try instant(of: time))
  }

  /// The start that an instance had at first.
  func oldStart(of time: EventTime) throws(ModelError) -> Timestamp {
    try placed { () throws(CivilTimeError) in
      try old.time(ofSetInstant: old.setInstant(of: time, context: context)).instant(in: context)
    }
  }

  /// A start of an override's own, moved by as many days as its instance.
  ///
  /// - Parameters:
  ///   - id: The RECURRENCE-ID that it had.
  ///   - place: The one that it has.
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

  /// A start of an override's own, in the form that the series has now, where it had that of
  /// the series before.
  private func adapted(_ own: EventTime) -> EventTime {
    let start = master.start
    if own.isDate == start.isDate || own.isDate != old.shared.event.start.isDate { return own }
    return start.isDate
      ? .date(own.reading.date)
      : start.withReading(CivilDateTime(own.reading.date, start.reading.time))
  }

  /// As much later as the series is.
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

  /// What the rule says; a gap may have shown it later.
  private func reading(at instant: Timestamp) -> CivilDateTime {
    if let found = oldSet.first(atOrAfter: instant), found.instant == instant {
      return found.reading
    }
    return old.reading(ofSetInstant: instant)
  }

  private func follow(_ date: AddedDate) throws(ModelError) -> AddedDate {
    // A date in the series' own zone keeps its reading, be it one in a gap.
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
      // The whole of the day counts, whatever the time of the start.
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
      // On its last day what begins later than that is no more.
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
  /// The instances of rules alone, none excluded.
  fileprivate func instances(
    of pattern: RecurrencePattern, countedEnds: [CivilDateTime?], context: ZoneContext
  ) throws(CivilTimeError) -> RecurrenceSet {
    var event = shared.event
    event.recurrence = RecurrencePattern(rules: pattern.rules)
    return try Placement(event, context: context)
      .recurrenceSet(context: context, countedEnds: countedEnds)
  }
}
