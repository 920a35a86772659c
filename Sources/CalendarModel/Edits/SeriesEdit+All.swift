import CivilTime
import Recurrence

extension EventSeries {
  /// Edits all occurrences; the result has no series if none is left.
  ///
  /// Start and end of the change are those of the named occurrence. The series moves by the same
  /// amount.
  ///
  /// - Throws: ``ModelError``; see ``editing(_:at:scope:context:)``.
  func editingAll(
    _ change: EventChange, at id: RecurrenceID?, context: EditContext
  ) throws(ModelError) -> SeriesEdit {
    let zones = context.zones
    guard let master else {
      return SeriesEdit(
        series: try editingOverrides(change, at: id, context: context), split: nil)
    }
    var target: Event = master
    var edited: Timestamp?
    // The override or THISANDFUTURE range that the occurrence takes its values from.
    var source: Event?
    if let id {
      let cut = try SeriesCut(self, at: id, context: zones)
      edited = cut.instant
      source = try placed { () throws(CivilTimeError) in
        try occurrenceOfAnyKind(id, context: zones)?.event
      }
      target = try plainOverride(at: id, named: cut.time, context: zones) ?? master
    }
    var new = master
    change.applyTexts(to: &new)
    if change.due != nil { try new.checkOrder(zones) }
    var moved = target
    try change.applyTimes(to: &moved, context: zones)
    let isPlaced =
      moved.start != target.start || moved.end != target.end || change.changes(master.recurrence)
    guard isPlaced else {
      var pairs: [Pair] = []
      for override in overrides {
        var pair = Pair(old: override, new: override)
        pair.new.inherit(from: master, to: new)
        if override == source { change.applyTexts(to: &pair.new) }
        pairs.append(pair)
      }
      return SeriesEdit(
        series: try withMaster(new, pairs, context: context, countedEnds: countedEnds), split: nil)
    }
    let start = try masterStart(moving: target, to: moved.start, zones)
    let end = try placed { () throws(CivilTimeError) in
      change.end == nil
        ? try master.end.moved(from: master.start, to: start, context: zones)
        : try moved.end.moved(from: moved.start, to: start, context: zones)
    }
    let move = try SeriesMove(
      from: master, countedEnds: countedEnds, to: start, end: end, change: change, context: zones)
    (new.start, new.end, new.recurrence) = (start, end, move.master.recurrence)
    try new.checkOrder(zones)
    var pairs: [Pair] = []
    var dropped: [RecurrenceID] = []
    for override in overrides {
      guard let recurrenceID = override.recurrenceID else { continue }
      guard new.recurrence.isRecurring, let place = try move.place(of: recurrenceID) else {
        dropped.append(try move.name(of: recurrenceID))
        continue
      }
      var next = override
      next.recurrenceID = place
      next.inherit(from: master, to: new)
      if override == source { change.applyTexts(to: &next) }
      if try move.instant(of: recurrenceID) == edited {
        (next.start, next.end) = (moved.start, moved.end)
      } else {
        try next.follow(move, named: recurrenceID, from: master, to: new, zones)
      }
      pairs.append(Pair(old: override, new: next))
    }
    if !new.recurrence.isRecurring { new.recurrence.excluded = [] }
    return SeriesEdit(
      series: try withMaster(new, pairs, context: context, countedEnds: []), split: nil,
      dropped: dropped)
  }

  /// Returns DTSTART after one occurrence moves to `start`: both move by the same amount.
  private func masterStart(
    moving target: Event, to start: EventTime, _ zones: ZoneContext
  ) throws(ModelError) -> EventTime {
    guard let master else { return start }
    if target.start == start { return master.start }
    var shown = target.start.reading
    if target.start.isDate, !master.start.isDate {
      // An all-day override of a timed series has no time to move from.
      shown = CivilDateTime(shown.date, master.start.reading.time)
    } else if target.start.zoneName != master.start.zoneName, !target.start.isDate,
      !master.start.isDate
    {
      shown = try placed { () throws(CivilTimeError) in
        try master.start.zoneRules(in: zones).reading(at: target.start.instant(in: zones))
      }
    }
    let (old, new) = (master.start.reading, start.reading)
    let days = new.date.days(since: shown.date)
    if start.isDate || master.start.isDate {
      return start.withReading(
        CivilDateTime(old.date.adding(days: days) ?? old.date, new.time))
    }
    return start.withReading(
      old.adding(seconds: new.linearSeconds - shown.linearSeconds) ?? old)
  }

  /// An override before and after the edit.
  private struct Pair {
    let old: Event
    var new: Event
  }

  /// Returns the series with a new master and overrides; changed ones get a new version.
  ///
  /// Changed overrides that no longer differ from the series are removed.
  private func withMaster(
    _ new: Event, _ pairs: [Pair], context: EditContext, countedEnds: [CivilDateTime?]
  ) throws(ModelError) -> EventSeries? {
    var master = new
    if let old = self.master {
      master.stamp(over: old, now: context.now, ownAddresses: context.ownAddresses)
    }
    let bare = EventSeries(calendar: calendar, master: master, countedEnds: countedEnds)
    // With a THISANDFUTURE override, later overrides differ from the master; all are kept.
    let hasRange = pairs.contains(where: \.new.appliesToFuture)
    var kept: [Event] = []
    for pair in pairs {
      var override = pair.new
      override.stamp(over: pair.old, now: context.now, ownAddresses: context.ownAddresses)
      // An override in a zone that is not installed is kept.
      if !hasRange, override != pair.old, !isCancelledByItself(pair.old),
        let time = override.recurrenceID,
        let plain = try? bare.plainOverride(of: time, context: context.zones),
        (try? override.saysNoMore(than: plain, context: context.zones)) == true
      {
        continue
      }
      kept.append(override)
    }
    let series = EventSeries(
      calendar: calendar, master: master, overrides: kept, countedEnds: countedEnds
    ).knownAsCancelled(as: self, pairs.map { ($0.new.recurrenceID, $0.old) })
    // Only events are counted by their occurrences.
    if self.kind != .event { return series }
    let isEmpty = try placed { () throws(CivilTimeError) in
      let placeable = series.placeable(context.zones)
      guard placeable.overrides.count == kept.count else { return false }
      return try placeable.occurrences(in: .always, context: context.zones, limit: 1).isEmpty
    }
    return isEmpty ? nil : series
  }

  /// Does the same as ``plainOverride(at:named:context:)``, by RECURRENCE-ID.
  private func plainOverride(
    of time: EventTime, context: ZoneContext
  ) throws(ModelError) -> Event? {
    guard let master else { return nil }
    let id = try placed { () throws(CivilTimeError) in
      let placement = try Placement(master, context: context)
      return placement.recurrenceID(
        ofSetInstant: try placement.setInstant(of: time, context: context))
    }
    return try plainOverride(at: id, named: time, context: context)
  }

  /// Edits all occurrences of a series of which only overrides are stored.
  ///
  /// All overrides get the texts. The named one gets the times; if none is named, all get a new
  /// clock or duration.
  ///
  /// - Throws: ``ModelError/oneOfSeveralNeeded(uid:count:recurrenceID:)`` for a start or an end if
  ///   there are several and none is named.
  private func editingOverrides(
    _ change: EventChange, at id: RecurrenceID?, context: EditContext
  ) throws(ModelError) -> EventSeries {
    if change.changes(RecurrencePattern()) { throw .seriesNeeded(uid: uid) }
    if id == nil, overrides.count > 1, change.placesOne {
      throw .oneOfSeveralNeeded(
        uid: uid, count: overrides.count, recurrenceID: try firstOverrideName(context.zones))
    }
    let cut: SeriesCut? =
      if let id { try SeriesCut(self, at: id, context: context.zones) } else { nil }
    var changed: [Event] = []
    for old in overrides {
      var override = old
      change.applyTexts(to: &override)
      if cut.map({ $0.instant(of: old) == $0.instant }) ?? true {
        try change.applyTimes(to: &override, context: context.zones)
      }
      override.stamp(over: old, now: context.now, ownAddresses: context.ownAddresses)
      changed.append(override)
    }
    return EventSeries(calendar: calendar, master: nil, overrides: changed)
  }

  /// Returns the RECURRENCE-ID of the first override.
  private func firstOverrideName(_ context: ZoneContext) throws(ModelError) -> String {
    try placed { () throws(CivilTimeError) in
      try SeriesExpansion(self, context: context).overrides.first?.id.text ?? ""
    }
  }
}
