import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime

/// Finds what an edit is about, and carries it out in one transaction.
struct EventEditor {
  let context: AgentContext
  let agenda: AgendaSource
  let changes: ChangeRunner

  // MARK: What is meant

  /// Returns the series of an event.
  ///
  /// - Parameters:
  ///   - uid: where no calendar is given, a name as ``EventName`` has them, too; an event that has
  ///     the whole of it for its uid comes first.
  ///   - calendar: its id; "" looks in the default calendar first, and then in the others in
  ///     the order of lists.
  ///   - key: the argument or key that the calendar was given as.
  /// - Throws: ``CallError`` of the kind `notFound`.
  func series(
    _ uid: String, in calendar: String = "", key: String = "calendar"
  ) throws(CallError) -> EventSeries {
    let store = try changes.storage.store()
    let (found, calendars) = try translated { () throws(StoreError) in
      (
        try store.series(EventUID(uid), in: calendar.isEmpty ? nil : CalendarID(calendar)),
        try store.calendars()
      )
    }
    if found == nil, calendar.isEmpty, let name = EventName(uid),
      calendars.contains(where: { $0.id == name.calendar })
    {
      return try series(name.uid, in: name.calendar.text)
    }
    guard calendar.isEmpty || calendars.contains(where: { $0.id.text == calendar }) else {
      throw CallError(.notFound, "\(key): no calendar has the id \"\(calendar)\"")
    }
    guard let found else {
      guard calendar.isEmpty else {
        throw CallError(
          .notFound, "uid: the calendar \(calendar) has no event \"\(uid)\"")
      }
      throw CallError(ModelError.unknownEvent(uid: EventUID(uid), recurrenceID: ""))
    }
    return found
  }

  /// As ``series(_:)``, of a calendar that can be written.
  func writableSeries(_ uid: String) throws(CallError) -> EventSeries {
    let found = try series(uid)
    _ = try agenda.writableCalendar(found.calendar.text)
    return found
  }

  /// Reads a recurrence id; nil for "".
  func recurrenceID(_ text: String) throws(CallError) -> RecurrenceID? {
    if text.isEmpty { return nil }
    do throws(CivilTimeError) {
      return try RecurrenceID(text: text)
    } catch {
      throw CallError(.invalidTime, "recurrence_id: \(error)")
    }
  }

  /// Reads a scope: "" is this one where an occurrence is named, else all.
  func scope(_ word: String, _ id: RecurrenceID?) throws(CallError) -> EditScope {
    guard !word.isEmpty else { return id == nil ? .all : .this }
    guard let scope = EditScope(rawValue: word) else {
      let known = EditScope.allCases.map(\.rawValue).joined(separator: ", ")
      throw CallError(.invalidArguments, "scope: \"\(word)\" is none of \(known)")
    }
    return scope
  }

  /// Returns an occurrence as an event with its own start; without an id the
  /// event as DTSTART has it.
  func event(_ id: RecurrenceID?, of series: EventSeries) throws(CallError) -> Event {
    guard let id else { return series.components[0] }
    let found: Occurrence?
    do throws(CivilTimeError) {
      found = try series.occurrence(id, context: context.zoneContext)
    } catch {
      throw CallError(.invalidTime, "the event \"\(series.uid)\" cannot be placed: \(error)")
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
      // The second of two equal readings has no name but its instant.
      event.start =
        found.zone.instant(of: found.start) == found.span.start
        ? .zoned(found.start, zone: zone) : .utc(found.span.start)
    }
    return event
  }

  // MARK: Edits

  /// Changes an event, or a part of it.
  ///
  /// - Parameters:
  ///   - calendar: where the event is; "" as of ``series(_:in:)``.
  ///   - warns: whether the warnings are wanted.
  func edit(
    _ uid: String, _ occurrence: String, _ scopeWord: String, in calendar: String = "",
    ifRevision: UInt64? = nil, warns: Bool = false,
    _ change: (EventComposer, Event) throws(CallError) -> EventChange
  ) throws(CallError) -> Edited {
    let series = try series(uid, in: calendar, key: "in-calendar")
    let id = try recurrenceID(occurrence)
    let scope = try scope(scopeWord, id)
    _ = try agenda.writableCalendar(series.calendar.text)
    if let ifRevision { try check(ifRevision, series) }
    var composer = EventComposer(zones: context.zoneContext, now: context.clock.now)
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
      let what =
        scope == .thisAndFuture
        ? "from there on would be left; remove those instead" : "would be left; remove it instead"
      throw CallError(.invalidRecurrence, "no occurrence of \"\(uid)\" \(what)")
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
      if let before = pending, let after = self.pending(of: [edit.series, edit.split]) {
        func snoozed(_ reminders: [Reminder]) -> Int { reminders.count { $0.state == .snoozed } }
        change.snoozesEnded = max(0, snoozed(before) - snoozed(after))
        change.hasPendingReminder = after.contains { $0.key.uid == edited.uid }
      }
      result.warnings = warnings(in: edited.calendar)?.ofChanging(edited, change) ?? []
    }
    return result
  }

  /// What is to be said of an event of a calendar; nil where that cannot be read.
  private func warnings(in calendar: CalendarID) -> EventWarnings? {
    guard let info = try? agenda.reader().calendars.first(where: { $0.id == calendar }) else {
      return nil
    }
    return EventWarnings(
      now: context.clock.now, zones: context.zoneContext, defaults: DefaultAlarms(info))
  }

  /// Returns the pending reminders of some series; nil where they cannot be read: an edit is not refused for that.
  private func pending(of some: [EventSeries?]) -> [Reminder]? {
    let all = try? agenda.storage.store().pendingReminders()
    return all?.filter { reminder in
      some.contains { $0?.uid == reminder.key.uid && $0?.calendar == reminder.key.calendar }
    }
  }

  /// What an edit came to.
  struct Edited {
    /// The event that holds the change.
    let uid: EventUID
    let calendar: CalendarID
    /// The one after it.
    let revision: UInt64
    /// As of ``SeriesEdit``.
    let dropped: [RecurrenceID]
    var warnings: [String] = []
  }

  /// Removes an event, or a part of it, and returns the revision after it.
  ///
  /// - Parameter calendar: where the event is; "" as of ``series(_:in:)``.
  func remove(
    _ uid: String, _ occurrence: String, _ scopeWord: String, in calendar: String = ""
  ) throws(CallError) -> UInt64 {
    let series = try series(uid, in: calendar)
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

  /// Writes what has become of a series, the part under its own uid first.
  ///
  /// - Parameter action: what the history calls it; nil lets what was touched decide.
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

  /// The event's own row knows its last change, however long ago the caller looked.
  ///
  /// - Throws: ``CallError`` of the kind `conflict` when the event has changed since
  ///   a revision, or that is of another database.
  private func check(_ seen: UInt64, _ series: EventSeries) throws(CallError) {
    let store = try changes.storage.store()
    let present = store.revision
    guard seen <= present else {
      throw CallError(
        .conflict,
        "if-revision: \(seen) is of another database; the present revision is \(present)")
    }
    let changed = try translated { () throws(StoreError) in
      try store.revision(of: series.uid, in: series.calendar)
    }
    guard let changed, changed > seen else { return }
    throw CallError(
      .conflict,
      "if-revision: the event \"\(series.uid)\" changed in revision \(changed), after "
        + "\(seen); the present revision is \(present)")
  }

  /// An error of the model's, with the argument or the key that it is about.
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
    return CallError(translation.kind, "\(name): \(translation.message)")
  }
}
