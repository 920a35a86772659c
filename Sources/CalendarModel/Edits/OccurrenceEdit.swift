import CivilTime
import Recurrence

extension EventSeries {
  /// Edits one occurrence by adding or changing its override.
  ///
  /// An override that no longer differs from the series is removed.
  ///
  /// - Throws: ``ModelError``; see ``editing(_:at:scope:context:)``.
  func editingOne(
    _ change: EventChange, at id: RecurrenceID, context: EditContext
  ) throws(ModelError) -> EventSeries {
    if change.changes(master?.recurrence ?? RecurrencePattern()) {
      throw master == nil
        ? .seriesNeeded(uid: uid) : .recurrenceOfOne(uid: uid, recurrenceID: id.text)
    }
    let cut = try SeriesCut(self, at: id, context: context.zones)
    let index = overrides.lastIndex { cut.instant(of: $0) == cut.instant }
    var others = overrides
    if let index { others.remove(at: index) }
    let bare: EventSeries? =
      master == nil && others.isEmpty
      ? nil
      : EventSeries(
        calendar: calendar, master: master, overrides: others, countedEnds: countedEnds)
    let plain = try bare?.plainOverride(at: id, named: cut.time, context: context.zones)
    guard let old = index.map({ overrides[$0] }) ?? plain else {
      throw .unknownEvent(uid: uid, recurrenceID: id.text)
    }
    var event = old
    event.appliesToFuture = false
    change.applyTexts(to: &event)
    try change.applyTimes(to: &event, context: context.zones)
    event.stamp(over: old, now: context.now, ownAddresses: context.ownAddresses)
    // An override that was cancelled alone stays, also if the whole series is cancelled.
    let isAlone = index != nil && isCancelledByItself(old)
    let saysNoMore = try plain.map { (plain) throws(ModelError) in
      try event.saysNoMore(than: plain, context: context.zones)
    }
    if isAlone || saysNoMore != true { others.insert(event, at: index ?? others.count) }
    if old.appliesToFuture,
      let next = try rangeGoingOn(old, from: cut.instant.adding(seconds: 1), context.zones)
    {
      others.append(next)
    }
    return EventSeries(
      calendar: calendar, master: master, overrides: others, countedEnds: countedEnds
    ).knownAsCancelled(as: self)
  }

  /// Returns an override of an occurrence that changes nothing; nil if there is no such occurrence.
  func plainOverride(
    at id: RecurrenceID, named time: EventTime, context: ZoneContext
  ) throws(ModelError) -> Event? {
    try placed { () throws(CivilTimeError) in
      guard let occurrence = try occurrenceOfAnyKind(id, context: context) else { return nil }
      return try occurrence.asOverride(named: time, context: context)
    }
  }

  /// Returns one occurrence alone, with its RECURRENCE-ID and without the rule.
  ///
  /// An invitation to one meeting of a series has this form.
  ///
  /// - Throws: ``ModelError/unknownEvent(uid:recurrenceID:)`` if there is no such occurrence,
  ///   ``ModelError/time(_:)`` for a zone that is not installed.
  ///
  /// Source: RFC 5546 section 3.2.2.
  package func alone(
    at id: RecurrenceID, context: ZoneContext
  ) throws(ModelError) -> EventSeries {
    let cut = try SeriesCut(self, at: id, context: context)
    let own = overrides.last { !$0.appliesToFuture && cut.instant(of: $0) == cut.instant }
    let plain = try plainOverride(at: id, named: cut.time, context: context)
    guard let event = own ?? plain else {
      throw .unknownEvent(uid: uid, recurrenceID: id.text)
    }
    return EventSeries(calendar: calendar, master: nil, overrides: [event])
  }

  /// Returns the THISANDFUTURE override that continues an earlier one from an instant on.
  ///
  /// It names the first occurrence without an override, since overrides of one occurrence take
  /// precedence. nil if the earlier one applies to nothing more.
  func rangeGoingOn(
    _ range: Event, from instant: Timestamp, _ context: ZoneContext
  ) throws(ModelError) -> Event? {
    try placed { () throws(CivilTimeError) in
      guard let master else { return nil }
      let placement = try Placement(master, context: context)
      var found: (instant: Timestamp, occurrence: Occurrence)?
      try SeriesExpansion(self, context: context).forEachInstance(from: instant) { at, occurrence in
        found = (at, occurrence())
        return false
      }
      guard let found, found.occurrence.event == range else { return nil }
      var next = try found.occurrence.asOverride(
        named: placement.time(ofSetInstant: found.instant), context: context)
      next.appliesToFuture = true
      return next
    }
  }
}

extension Occurrence {
  /// Returns the occurrence as an override that changes nothing.
  func asOverride(
    named time: EventTime, context: ZoneContext
  ) throws(CivilTimeError) -> Event {
    var override = event
    if override.recurrenceID == nil { override.alarms.removeAll { !$0.isRelative } }
    override.recurrenceID = time
    override.appliesToFuture = false
    override.recurrence = RecurrencePattern()
    if isAllDay {
      override.start = .date(start.date)
      if case .time = event.end { override.end = .time(.date(end.date)) }
      return override
    }
    override.start = try event.start.withInstant(span.start, context: context)
    if case .time(let old) = event.end {
      override.end = .time(try old.withInstant(span.end, context: context))
    } else {
      // An RDATE can have its own duration.
      let placement = try Placement(override, context: context)
      let same = placement.occurrence(of: nil, at: override.start.reading, calendar: calendar)
      if same.span.seconds != span.seconds {
        override.end = .duration(CalendarDuration(seconds: span.seconds))
      }
    }
    return override
  }
}

extension Event {
  /// Whether an override equals one that changes nothing.
  func saysNoMore(than plain: Event, context: ZoneContext) throws(ModelError) -> Bool {
    let (mine, others) = try placed { () throws(CivilTimeError) in
      (
        try Placement(self, context: context).only(of: self),
        try Placement(plain, context: context).only(of: plain)
      )
    }
    var copy = self
    if start.isDate == plain.start.isDate, start.zoneName == plain.start.zoneName, mine == others {
      (copy.start, copy.end) = (plain.start, plain.end)
    }
    (copy.recurrenceID, copy.component) = (plain.recurrenceID, plain.component)
    (copy.sequence, copy.created, copy.lastModified) =
      (plain.sequence, plain.created, plain.lastModified)
    return copy == plain && textAddsNothing(to: plain)
  }
}

extension Placement {
  /// Returns the span of an event that does not recur.
  func only(of event: Event) -> TimeSpan {
    occurrence(of: nil, at: event.start.reading, calendar: CalendarID("")).span
  }
}
