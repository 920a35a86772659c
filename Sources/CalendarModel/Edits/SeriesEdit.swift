package import CivilTime

/// The result of an edit of a series.
package struct SeriesEdit: Sendable {
  /// What stays under the uid; nil if nothing does.
  package let series: EventSeries?
  /// The part under a uid of its own, where the series was split.
  package let split: EventSeries?
  /// The occurrences that were changed by themselves and are no more, as they were called
  /// before the edit: their rule or date has gone.
  package let dropped: [RecurrenceID]

  init(series: EventSeries?, split: EventSeries?, dropped: [RecurrenceID] = []) {
    self.series = series
    self.split = split
    self.dropped = dropped
  }

  /// The event that holds the change; nil where the change would leave nothing of what it is
  /// about.
  package var edited: EventSeries? { split ?? series }
}

/// When an edit is made, and where.
package struct EditContext {
  package let zones: ZoneContext
  /// Becomes LAST-MODIFIED of what is changed.
  package let now: Timestamp
  /// The uid for the right half of a series that is split.
  package let newUID: EventUID
  /// As for ``Event/isOrganizedByAnother(than:)``.
  package let ownAddresses: [String]

  package init(
    zones: ZoneContext, now: Timestamp, newUID: EventUID, ownAddresses: [String] = []
  ) {
    self.zones = zones
    self.now = now
    self.newUID = newUID
    self.ownAddresses = ownAddresses
  }
}

extension EventSeries {
  /// Returns the series with a change to one occurrence, to it and those after it,
  /// or to all.
  ///
  /// The scope does not matter for an event that does not recur. Otherwise
  ///
  /// * ``EditScope/this`` makes an override, or changes the one there is. An
  ///   override that says nothing else than the series goes.
  /// * ``EditScope/thisAndFuture`` ends the series before the occurrence and goes on
  ///   with another one under ``EditContext/newUID``, which has the rules, dates,
  ///   exceptions and overrides from there on, and the change. COUNT is what is left
  ///   of it. From the first occurrence on it is the same as `all`.
  /// * ``EditScope/all`` changes the master. An override takes each new value
  ///   where it had the old one, and keeps what is its own; the occurrence that is
  ///   edited takes all of it. See ``SeriesMove`` for what happens when the start
  ///   moves or a rule changes.
  ///
  /// LAST-MODIFIED of each component that changes becomes now, and its SEQUENCE
  /// grows if the time, the recurrence or the status does and nobody else is the
  /// organizer. A new uid begins at SEQUENCE 0. ``Event/component`` is left as it
  /// was: it still has the properties that the model does not know, and is to be
  /// written again.
  ///
  /// - Parameter id: The occurrence; nil for an event that does not recur, or for
  ///   the first one with the scope `all`.
  /// - Throws: ``ModelError``: `unknownEvent` for a to-do or the like, and if there is
  ///   no such occurrence,
  ///   `occurrenceNeeded`, `recurrenceOfOne` for a rule with the scope `this`, `seriesNeeded`
  ///   for a rule where only overrides are known, `oneOfSeveralNeeded` for their start,
  ///   `ruleCannotFollow`, `cannotSplit`, `endBeforeStart`, `mixedDateAndTime`, and
  ///   `time` for a zone that is not installed.
  ///
  /// Source: RFC 5545 section 3.8.7.4, RFC 5546 section 2.1.4.
  package func editing(
    _ change: EventChange, at id: RecurrenceID?, scope: EditScope, context: EditContext
  ) throws(ModelError) -> SeriesEdit {
    // A to-do has no occurrences: taken for an event it would be one of which
    // nothing is left.
    guard kind == .event else { throw .unknownEvent(uid: uid, recurrenceID: id?.text ?? "") }
    if !isRecurring && overrides.isEmpty {
      if let id { throw .unknownEvent(uid: uid, recurrenceID: id.text) }
      return try editingAll(change, at: nil, context: context)
    }
    switch (scope, id) {
    case (.all, _):
      return try editingAll(change, at: id, context: context)
    case (_, nil): throw .occurrenceNeeded(scope)
    case (.this, .some(let id)):
      return SeriesEdit(series: try editingOne(change, at: id, context: context), split: nil)
    case (.thisAndFuture, .some(let id)):
      guard let left = try ending(before: id, context: context.zones),
        let right = try beginning(at: id, context: context)
      else {
        return try editingAll(change, at: id, context: context)
      }
      let edited = try right.editingAll(change, at: id, context: context)
      guard edited.series != nil else { return SeriesEdit(series: nil, split: nil) }
      let cut = try SeriesCut(self, at: id, context: context.zones)
      return SeriesEdit(
        series: left.withoutAlarms(from: cut.instant).stamped(
          over: self, now: context.now, ownAddresses: context.ownAddresses),
        split: edited.series, dropped: edited.dropped)
    }
  }

  /// Returns the series without one occurrence, or without it and those after it;
  /// nil when nothing is left. LAST-MODIFIED grows, and SEQUENCE as with an edit.
  ///
  /// - Parameter ownAddresses: as for ``Event/isOrganizedByAnother(than:)``.
  /// - Throws: As ``editing(_:at:scope:context:)``.
  package func removing(
    _ id: RecurrenceID?, scope: EditScope, context: ZoneContext, now: Timestamp,
    ownAddresses: [String] = []
  ) throws(ModelError) -> EventSeries? {
    if scope == .all || (id == nil && !isRecurring && overrides.isEmpty) { return nil }
    guard let id else { throw .occurrenceNeeded(scope) }
    let left =
      scope == .this
      ? try excluding(id, context: context) : try ending(before: id, context: context)
    return left?.stamped(over: self, now: now, ownAddresses: ownAddresses)
  }

  /// The series without the alarms at a fixed moment that go with its right half.
  private func withoutAlarms(from instant: Timestamp) -> EventSeries {
    guard var master else { return self }
    master.alarms.removeAll {
      if case .absolute(let moment) = $0.trigger { moment >= instant } else { false }
    }
    return EventSeries(
      calendar: calendar, master: master, overrides: overrides, countedEnds: countedEnds)
  }

  /// The series with its master marked as changed, if it is another than before.
  private func stamped(
    over old: EventSeries, now: Timestamp, ownAddresses: [String]
  ) -> EventSeries {
    guard var master, let before = old.master else { return self }
    master.stamp(over: before, now: now, ownAddresses: ownAddresses)
    return EventSeries(
      calendar: calendar, master: master, overrides: overrides, countedEnds: countedEnds
    ).knownAsCancelled(as: old)
  }
}

extension Event {
  /// Marks the event as changed, if it is another than before: LAST-MODIFIED is now, and SEQUENCE
  /// grows with what people who are invited would have to hear of.
  ///
  /// A version that came from a clock that is ahead of ours is older all the same, and must not win
  /// when its file is imported again.
  ///
  /// The SEQUENCE of an event that somebody else organizes is theirs to count: raised here, it would be ahead of
  /// their next update or cancellation, and that would be refused as older.
  ///
  /// - Parameter ownAddresses: as for ``isOrganizedByAnother(than:)``.
  ///
  /// Source: RFC 5545 sections 3.8.7.3 and 3.8.7.4; RFC 5546 section 2.1.4.
  mutating func stamp(over old: Event, now: Timestamp, ownAddresses: [String]) {
    guard self != old else { return }
    lastModified = now
    if let before = old.lastChange, before > now {
      lastModified = min(before.adding(seconds: 1), .latest)
    }
    if old.isOrganizedByAnother(than: ownAddresses) { return }
    if start != old.start || end != old.end || recurrence != old.recurrence
      || status != old.status || recurrenceID != old.recurrenceID
    {
      sequence = max(sequence, old.sequence) + 1
    }
  }

  /// The alarms that go with each occurrence. One at a fixed moment rings once, for
  /// the series.
  var relativeAlarms: [Alarm] {
    alarms.filter { if case .absolute = $0.trigger { false } else { true } }
  }
}
