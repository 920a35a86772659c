package import CivilTime

/// The result of an edit of a series.
package struct SeriesEdit: Sendable {
  /// The series that keeps the UID; nil if nothing is left of it.
  package let series: EventSeries?
  /// The second half with a new UID, if the series was split.
  package let split: EventSeries?
  /// Occurrences with overrides that are gone with their rule or date, by their old names.
  package let dropped: [RecurrenceID]

  init(series: EventSeries?, split: EventSeries?, dropped: [RecurrenceID] = []) {
    self.series = series
    self.split = split
    self.dropped = dropped
  }

  /// The series that has the change; nil if the change leaves no occurrence of it.
  package var edited: EventSeries? { split ?? series }
}

/// The time, the zones and the names for an edit.
package struct EditContext {
  package let zones: ZoneContext
  /// Becomes LAST-MODIFIED of what is changed.
  package let now: Timestamp
  /// The UID for the second half of a split series.
  package let newUID: EventUID
  /// See ``Event/isOrganizedByAnother(than:)``.
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
  /// Returns the series with a change to one occurrence, to it and all later ones, or to all.
  ///
  /// For an event that does not recur the scope does not matter. Otherwise:
  ///
  /// * ``EditScope/this`` adds or changes an override. An override that no longer differs from the
  ///   series is removed.
  /// * ``EditScope/thisAndFuture`` ends the series before the occurrence and continues it with
  ///   ``EditContext/newUID``: with the rules, dates and overrides from there on, the rest of
  ///   COUNT, and the change. From the first occurrence on it does the same as `all`.
  /// * ``EditScope/all`` changes the master. An override takes each new value if it had the old
  ///   one; the override of the named occurrence takes all of them. See ``SeriesMove`` for a moved
  ///   start or a changed rule.
  ///
  /// Each changed component gets LAST-MODIFIED now. Its SEQUENCE grows if the time, the recurrence
  /// or the status changes and nobody else is the organizer; a new UID begins at SEQUENCE 0.
  /// ``Event/component`` is not changed, so that unknown properties are preserved, and must be
  /// written again.
  ///
  /// - Parameter id: The occurrence; nil for an event that does not recur, or with the scope `all`
  ///   for the first occurrence.
  /// - Throws: ``ModelError``: `unknownEvent` for a component that is no event or an unknown
  ///   occurrence, `occurrenceNeeded`, `recurrenceOfOne` for a rule with the scope `this`,
  ///   `seriesNeeded` for a rule if only overrides are stored, `oneOfSeveralNeeded` for their
  ///   start, `ruleCannotFollow`, `cannotSplit`, `endBeforeStart`, `mixedDateAndTime`, and `time`
  ///   for a zone that is not installed.
  ///
  /// Source: RFC 5545 section 3.8.7.4, RFC 5546 section 2.1.4.
  package func editing(
    _ change: EventChange, at id: RecurrenceID?, scope: EditScope, context: EditContext
  ) throws(ModelError) -> SeriesEdit {
    guard kind == .event || change.toDo != nil else {
      throw .unknownEvent(uid: uid, recurrenceID: id?.text ?? "")
    }
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

  /// Returns the series without one occurrence, or without it and all later ones.
  ///
  /// LAST-MODIFIED is set, and SEQUENCE grows as with an edit.
  ///
  /// - Parameter ownAddresses: See ``Event/isOrganizedByAnother(than:)``.
  /// - Returns: nil if nothing is left.
  /// - Throws: The same as ``editing(_:at:scope:context:)``.
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

  /// Returns the series without the absolute alarms that belong to its second half.
  private func withoutAlarms(from instant: Timestamp) -> EventSeries {
    guard var master else { return self }
    master.alarms.removeAll {
      if case .absolute(let moment) = $0.trigger { moment >= instant } else { false }
    }
    return EventSeries(
      calendar: calendar, master: master, overrides: overrides, countedEnds: countedEnds)
  }

  /// Returns the series with a new version if its master has changed.
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
  /// Gives a changed event a new version: LAST-MODIFIED now, and a higher SEQUENCE.
  ///
  /// If the old version came from a clock ahead of ours, LAST-MODIFIED is one second after it.
  /// Otherwise the old version would win when its file is imported again.
  ///
  /// SEQUENCE grows only for changes that guests must hear of. It stays if somebody else is the
  /// organizer: it counts their versions, and their next update or cancellation would look older
  /// than ours.
  ///
  /// - Parameter ownAddresses: See ``isOrganizedByAnother(than:)``.
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
}
