import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import Platform

/// Edits events: finds the event and its occurrences, and changes them in one transaction.
struct EventEditor {
  let context: AgentContext
  let agenda: AgendaSource
  let changes: ChangeRunner

  // MARK: Lookup

  /// Returns the series of an event.
  ///
  /// - Parameter name: an ``EventName`` of a calendar that exists; any other text is a uid, which
  ///   is searched in the default calendar first, and then in the others in display order.
  /// - Throws: ``CallError`` of the kind `notFound`.
  func series(_ name: String) throws(CallError) -> EventSeries {
    let store = try changes.storage.store()
    var (uid, calendar): (String, CalendarID?) = (name, nil)
    let found = try translated { () throws(StoreError) in
      if let parts = EventName(name),
        try store.calendars().contains(where: { $0.id == parts.calendar })
      {
        (uid, calendar) = (parts.uid, parts.calendar)
      }
      return try store.series(EventUID(uid), in: calendar)
    }
    if let found { return found }
    guard let calendar else {
      throw CallError(ModelError.unknownEvent(uid: EventUID(uid), recurrenceID: ""))
    }
    throw CallError(
      .notFound, about: "uid",
      localized(
        "the calendar {calendar} has no event \"{id}\"", ["calendar": calendar.text, "id": uid]))
  }

  /// Like ``series(_:)``, for an event in a writable calendar.
  func writableSeries(_ uid: String) throws(CallError) -> EventSeries {
    let found = try series(uid)
    _ = try agenda.writableCalendar(found.calendar.text)
    return found
  }

  /// Reads a scope: "" means this occurrence where one is named, else all.
  func scope(_ word: String, _ id: RecurrenceID?) throws(CallError) -> EditScope {
    guard !word.isEmpty else { return id == nil ? .all : .this }
    guard let scope = EditScope(rawValue: word) else {
      throw CallError(
        .invalidArguments, about: "scope", notOneOf(EditScope.allCases.map(\.rawValue), word))
    }
    return scope
  }

  /// Returns an occurrence as an event with its own start; without an id the first component.
  func event(_ id: RecurrenceID?, of series: EventSeries) throws(CallError) -> Event {
    guard let id else { return series.components[0] }
    let found: Occurrence?
    do throws(CivilTimeError) {
      found = try series.occurrenceOfAnyKind(id, context: context.zoneContext)
    } catch {
      throw CallError(
        .invalidTime,
        localized(
          "the event \"{id}\" has no valid time: {reason}",
          ["id": series.uid.text, "reason": error.text]))
    }
    guard let found else {
      throw CallError(ModelError.unknownEvent(uid: series.uid, recurrenceID: id.text))
    }
    var event = found.event
    switch event.start {
    case .date: event.start = .date(found.start.date)
    case .floating: event.start = .floating(found.start)
    case .utc: event.start = .utc(found.span.start)
    case .zoned(_, let zone):
      // The second of two equal local times can be written only in UTC.
      event.start =
        found.zone.instant(of: found.start) == found.span.start
        ? .zoned(found.start, zone: zone) : .utc(found.span.start)
    }
    return event
  }

  // MARK: Edits

  /// Changes an event, or some of its occurrences.
  ///
  /// - Parameter warns: whether the caller wants warnings.
  func edit(
    _ uid: String, _ occurrence: String, _ scopeWord: String, ifRevision: UInt64? = nil,
    warns: Bool = false,
    _ change: (EventComposer, Event) throws(CallError) -> EventChange
  ) throws(CallError) -> Edited {
    let series = try series(uid)
    let id = try recurrenceID(occurrence)
    let scope = try scope(scopeWord, id)
    let info = try agenda.writableCalendarInfo(series.calendar.text)
    if let ifRevision { try check(ifRevision, series) }
    var composer = EventComposer(zones: context.zoneContext, phrases: context.phrases)
    composer.allDayTime = info.allDayTime
    composer.changesSeries = scope != .this && series.isRecurring
    var event = try event(id, of: series)
    if scope != .this, let master = series.master {
      event = try composer.asOccurrence(event, of: master)
    }
    let wanted = try change(composer, event)
    let context = EditContext(
      zones: context.zoneContext, now: context.clock.now,
      newUID: EventUID(IdentifierSource.uid()), ownAddresses: context.configuration.addresses)
    let edit: SeriesEdit
    do throws(ModelError) {
      edit = try series.editing(wanted, at: id, scope: scope, context: context)
    } catch {
      throw named(error, wanted)
    }
    guard let edited = edit.edited else {
      throw CallError(
        .invalidRecurrence,
        scope == .thisAndFuture
          ? localized(
            "no following occurrence of \"{id}\" would be left; remove them instead", ["id": uid])
          : localized(
            "no occurrence of \"{id}\" would be left; remove the event instead", ["id": uid]))
    }
    if let master = edited.master {
      if wanted.rules != nil || wanted.alarms != nil { try composer.checkDensity(master) }
      if wanted.rules != nil || wanted.excluded?.isEmpty == false {
        try composer.checkOccurrences(master)
      }
    }
    let pending = warns ? pending(of: [series]) : nil
    let revision = try put([edit.series, edit.split], over: series)
    var result = Edited(
      uid: edited.uid, calendar: edited.calendar, revision: revision, dropped: edit.dropped)
    if warns {
      var change = EventWarnings.Change(wanted: wanted, dropped: edit.dropped)
      if scope == .this, series.isRecurring { change.occurrence = id }
      if scope != .this, series.isRecurring, edit.split == nil { change.former = series }
      if let before = pending, let after = self.pending(of: [edit.series, edit.split]) {
        func snoozed(_ reminders: [Reminder]) -> Int { reminders.count { $0.state == .snoozed } }
        change.snoozesEnded = max(0, snoozed(before) - snoozed(after))
        change.hasPendingReminder = after.contains { $0.key.uid == edited.uid }
      }
      result.warnings = warnings(in: edited.calendar)?.ofChanging(edited, change) ?? []
    }
    return result
  }

  /// Returns the source of warnings for a calendar's events; nil if the store cannot be read.
  private func warnings(in calendar: CalendarID) -> EventWarnings? {
    guard let info = try? agenda.reader().calendars.first(where: { $0.id == calendar }) else {
      return nil
    }
    var warnings = EventWarnings(
      now: context.clock.now, zones: context.zoneContext, defaults: DefaultAlarms(info))
    warnings.others = { [unowned agenda] span in agenda.overlapping(span) }
    return warnings
  }

  /// Returns the pending reminders of some series; nil if they cannot be read.
  private func pending(of some: [EventSeries?]) -> [Reminder]? {
    let all = try? agenda.storage.store().pendingReminders()
    return all?.filter { reminder in
      some.contains { $0?.uid == reminder.key.uid && $0?.calendar == reminder.key.calendar }
    }
  }

  /// The result of an edit.
  struct Edited {
    /// The event that holds the change.
    let uid: EventUID
    let calendar: CalendarID
    /// The revision after the edit.
    let revision: UInt64
    /// The overrides that the edit removed; see ``SeriesEdit``.
    let dropped: [RecurrenceID]
    var warnings: [String] = []
  }

  /// Removes an event, or some of its occurrences, and returns the new revision.
  func remove(
    _ uid: String, _ occurrence: String, _ scopeWord: String
  ) throws(CallError) -> UInt64 {
    let series = try series(uid)
    let id = try recurrenceID(occurrence)
    let scope = try scope(scopeWord, id)
    _ = try agenda.writableCalendar(series.calendar.text)
    let rest: EventSeries?
    do throws(ModelError) {
      rest = try series.removing(
        id, scope: scope, context: context.zoneContext, now: context.clock.now,
        ownAddresses: context.configuration.addresses)
    } catch {
      throw named(error)
    }
    return try put([rest], over: series, action: .remove)
  }

  // MARK: Parts

  /// Writes the series after an edit, the one with the old uid first.
  ///
  /// - Parameter action: its action in the history; nil derives it from the change.
  private func put(
    _ parts: [EventSeries?], over old: EventSeries, action: UndoAction? = nil
  ) throws(CallError) -> UInt64 {
    let parts = parts.compactMap(\.self).map { $0.written(over: old, zones: context.zones) }
    return try changes.changeTogether { (change) throws(CallError) in
      change.action = action
      try translated { () throws(StoreError) in
        if !parts.contains(where: { $0.uid == old.uid }) {
          _ = try change.remove(old.uid, from: old.calendar)
        }
        for part in parts { try change.put(part, partOf: old.uid) }
      }
    }.revision
  }

  /// Checks that the event has not changed since the revision that the caller has seen.
  ///
  /// - Throws: ``CallError`` of the kind `conflict` when the event has changed since that revision,
  ///   or the revision belongs to another database.
  private func check(_ seen: UInt64, _ series: EventSeries) throws(CallError) {
    let store = try changes.storage.store()
    let present = store.revision
    guard seen <= present else {
      throw CallError(
        .conflict, about: "if-revision",
        localized(
          "{revision} belongs to another database; the current revision is {current}",
          ["revision": String(seen), "current": String(present)]))
    }
    let changed = try translated { () throws(StoreError) in
      try store.revision(of: series.uid, in: series.calendar)
    }
    guard let changed, changed > seen else { return }
    throw CallError(
      .conflict, about: "if-revision",
      localized(
        """
        the event "{id}" changed in revision {changed}, after {revision}; the current revision \
        is {current}
        """,
        [
          "id": series.uid.text, "changed": String(changed), "revision": String(seen),
          "current": String(present),
        ]))
  }

  /// Converts an error of the model, and names the argument or key that it is about.
  private func named(_ error: ModelError, _ change: EventChange = EventChange()) -> CallError {
    let translation = CallError(error)
    let name: String
    switch error {
    case .occurrenceNeeded, .oneOfSeveralNeeded: name = "recurrence_id"
    case .ruleCannotFollow: name = RowKey.rrule.rawValue
    case .recurrenceOfOne, .seriesNeeded:
      let key: RowKey = change.rules != nil ? .rrule : change.added != nil ? .rdate : .exdate
      name = key.rawValue
    default: return translation
    }
    return CallError(translation.kind, about: name, translation.message)
  }
}

/// Reads a recurrence id; nil for "".
func recurrenceID(_ text: String) throws(CallError) -> RecurrenceID? {
  if text.isEmpty { return nil }
  do throws(CivilTimeError) {
    return try RecurrenceID(text: text)
  } catch {
    throw CallError(.invalidTime, about: "recurrence_id", localized(error.text))
  }
}
