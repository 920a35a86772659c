import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform
import Reminders

/// The method Why of the interface org.datebook.Calendar1.Reminders.
///
/// It explains why an event did, will or will not remind.
final class WhyObject {
  private let context: AgentContext
  private unowned let agenda: AgendaSource
  private unowned let storage: Storage
  private unowned let reminders: ReminderService
  private unowned let quiet: QuietKeeper

  init(
    _ context: AgentContext, agenda: AgendaSource, storage: Storage, reminders: ReminderService,
    quiet: QuietKeeper
  ) {
    self.context = context
    self.agenda = agenda
    self.storage = storage
    self.reminders = reminders
    self.quiet = quiet
  }

  var methods: [MemberName: MethodBody] { ["Why": why] }

  private static let maximumEntries = 200
  private static let maximumPlanned = 10
  /// The most reminders that are listed for a prefix of an ID.
  private static let maximumNamesakes = 20

  private func why(_ call: CallArguments) throws(CallError) -> [Value] {
    let uid = EventUID(call.text(0))
    let id = try recurrenceID(call.text(1))
    let store = try storage.store()
    let (known, holders, removed) = try translated { () throws(StoreError) in
      (
        try store.ledgerCalendars(of: uid),
        try self.holders(of: uid, in: store),
        try store.removedEvent(uid)
      )
    }
    let trashed = removed.flatMap { holders.contains($0.calendar) ? nil : $0 }
    guard !known.isEmpty || !holders.isEmpty || trashed != nil else {
      if let rows = try ofReminder(call.text(0), id) { return [Row.array(try explained(rows))] }
      throw CallError(ModelError.unknownEvent(uid: uid, recurrenceID: ""))
    }
    // Former calendars come before present ones.
    var rows: [Row] = []
    var missing: CallError?
    var places = known.filter { !holders.contains($0) }
    if let trashed, !places.contains(trashed.calendar) { places.append(trashed.calendar) }
    for calendar in places + holders {
      do throws(CallError) {
        var found = try self.rows(uid, in: calendar, id)
        if let place = try place(of: uid, gone: calendar, holders, in: store) {
          found = WhyObject.moved(found, to: place)
        }
        rows += found
        if !holders.contains(calendar), holders.isEmpty || trashed?.calendar == calendar {
          let summary = rows.last.flatMap { $0.text(.calendar) == calendar.text ? $0 : nil }
          rows.append(gone(uid, from: calendar, summary?.text(.summary) ?? "", trashed))
        }
      } catch {
        // One of several calendars may have no such occurrence.
        guard error.kind == .notFound else { throw error }
        missing = error
      }
    }
    if rows.isEmpty, let missing { throw missing }
    return [Row.array(try explained(rows))]
  }

  /// Returns the rows of the reminders with an ID or prefix; nil if the ledger has none.
  ///
  /// - Parameter id: the occurrence; nil means any.
  private func ofReminder(_ text: String, _ id: RecurrenceID?) throws(CallError) -> [Row]? {
    let store = try storage.store()
    let entries = try translated { () throws(StoreError) -> [LedgerEntry] in
      var reminders = try store.reminder(id: text).map { [$0] } ?? []
      if reminders.isEmpty, WhyObject.isBeginning(text) {
        reminders = try store.reminders(beginning: text, limit: WhyObject.maximumNamesakes)
      }
      var entries: [LedgerEntry] = []
      for reminder in reminders {
        let key = reminder.key
        if let id, id.text != key.recurrenceID { continue }
        entries += try store.ledgerEntries(
          of: key.uid, in: key.calendar, recurrenceID: key.recurrenceID,
          limit: WhyObject.maximumEntries
        ).filter { $0.reminder.id == reminder.id }
      }
      return entries
    }
    if entries.isEmpty { return nil }
    var rows: [Row] = []
    for entry in entries {
      let key = entry.reminder.key
      let holders = try translated { () throws(StoreError) in
        try self.holders(of: key.uid, in: store)
      }
      let found = self.rows([entry])
      let place = try place(of: key.uid, gone: key.calendar, holders, in: store)
      rows += place.map { WhyObject.moved(found, to: $0) } ?? found
    }
    return rows
  }

  /// Returns the calendar that an event was moved to; nil if it was not moved.
  private func place(
    of uid: EventUID, gone calendar: CalendarID, _ holders: [CalendarID], in store: EventStore
  ) throws(CallError) -> CalendarID? {
    if holders.isEmpty || holders.contains(calendar) { return nil }
    let next = try translated { () throws(StoreError) in
      try store.destination(of: uid, from: calendar)
    }
    // It may have been moved again from there.
    return next.map { holders.contains($0) ? $0 : holders[0] }
  }

  /// Adds the new calendar to the rows of reminders that were closed because their event moved.
  private static func moved(_ rows: [Row], to calendar: CalendarID) -> [Row] {
    rows.map { row in
      guard row.text(.reason) == Reminder.CloseReason.eventRemoved.rawValue else { return row }
      var row = row
      row.set(.inCalendar, calendar.text)
      return row
    }
  }

  /// Whether a text is a prefix of a reminder's ID, of four digits or more.
  private static func isBeginning(_ text: String) -> Bool {
    (4..<16).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Returns the calendars that have an event with this uid, the default one first.
  private func holders(
    of uid: EventUID, in store: EventStore
  ) throws(StoreError) -> [CalendarID] {
    var holders: [CalendarID] = []
    let calendars = try store.calendars()
    for calendar in calendars.filter(\.isDefault) + calendars.filter({ !$0.isDefault }) {
      if try store.eventKey(uid, in: calendar.id) != nil { holders.append(calendar.id) }
    }
    return holders
  }

  /// Returns the rows of an event in one calendar.
  private func rows(
    _ uid: EventUID, in calendar: CalendarID, _ id: RecurrenceID?
  ) throws(CallError) -> [Row] {
    let store = try storage.store()
    let (entries, series) = try translated { () throws(StoreError) in
      (
        try store.ledgerEntries(
          of: uid, in: calendar, recurrenceID: id?.text, limit: WhyObject.maximumEntries),
        try store.series(uid, in: calendar)
      )
    }
    let rows = self.rows(entries)
    guard let series else { return rows }
    return try rows + ahead(series, id, isInLedger: !entries.isEmpty)
  }

  /// Returns the row of an event that was removed, with whether it can be restored.
  private func gone(
    _ uid: EventUID, from calendar: CalendarID, _ summary: String, _ trashed: RemovedEvent?
  ) -> Row {
    var row = Row()
    row.set(.state, "gone")
    row.set(.uid, uid.text)
    row.set(.calendar, calendar.text)
    if let trashed, trashed.calendar == calendar {
      row.set(.at, .int64(trashed.removed.seconds))
      row.set(.reason, "in-trash")
      row.setUnlessEmpty(.summary, trashed.summary)
    } else {
      row.setUnlessEmpty(.summary, summary)
    }
    return row
  }

  /// Returns whether an occurrence was removed from its series with an EXDATE.
  private func isTakenOut(_ id: RecurrenceID, of series: EventSeries) -> Bool {
    do throws(CivilTimeError) {
      return try series.isTakenOut(id, context: context.zoneContext)
    } catch {
      // An event with invalid times gets another row.
      return false
    }
  }

  private func excluded(_ id: RecurrenceID, of series: EventSeries) -> Row {
    var row = gone(series.uid, from: series.calendar, series.master?.summary ?? "", nil)
    row.set(.recurrenceID, id.text)
    row.set(.reason, "excluded")
    return row
  }

  /// Returns the rows of reminders; the last one of each marks a wait for the end of quiet time.
  private func rows(_ entries: [LedgerEntry]) -> [Row] {
    let heldBack = reminders.scheduler?.heldBack ?? []
    return entries.flatMap { entry in
      var rows = WhyObject.rows(entry).map { reminders.row($0, of: entry.reminder) }
      if !rows.isEmpty, heldBack.contains(entry.reminder.id) {
        rows[rows.count - 1].set(.quiet, true)
      }
      return rows
    }
  }

  /// Returns one row for each step of a reminder.
  private static func rows(_ entry: LedgerEntry) -> [Row] {
    let reminder = entry.reminder
    var rows = entry.steps.map { step in
      Row(
        why: reminder, state: step.state, due: step.due ?? reminder.key.trigger, at: step.at,
        reason: step.reason)
    }
    if entry.isMoved, !rows.isEmpty { rows[0].set(.moved, true) }
    // A change of the time zone closed it, not a change of the event.
    if entry.isCarried, !rows.isEmpty { rows[0].set(.reason, "zone-changed") }
    return rows
  }

  private func explained(_ rows: [Row]) throws(CallError) -> [Row] {
    let addresses = try storage.store().ownAddresses
    return try rows.map { row throws(CallError) in
      try withSince(row).withRefusal(isOwnersKnown: !addresses.isEmpty)
    }
  }

  /// Adds since when the calendar is hidden, if that is still the reason.
  private func withSince(_ row: Row) throws(CallError) -> Row {
    guard row.text(.reason) == Reminder.CloseReason.calendarHidden.rawValue else { return row }
    let store = try storage.store()
    let since = try translated { () throws(StoreError) in
      try store.hiddenSince(CalendarID(row.text(.calendar)))
    }
    var row = row
    if let since, row[.at].flatMap(\.asInteger).map({ since.seconds <= $0 }) ?? true {
      row.set(.since, .int64(since.seconds))
    }
    return row
  }

  // MARK: Future reminders

  private func ahead(
    _ series: EventSeries, _ id: RecurrenceID?, isInLedger: Bool
  ) throws(CallError) -> [Row] {
    let store = try storage.store()
    let planned = try translated { () throws(StoreError) in
      try store.plannedAlarms(
        of: series.uid, in: series.calendar, recurrenceID: id?.text,
        limit: WhyObject.maximumPlanned)
    }
    let cancelled = id == nil ? cancelledAhead(of: series) : []
    if !planned.isEmpty {
      return withQuiet(
        WhyObject.rows(
          planned.map { one in
            let reminder = Reminder(one.alarm)
            return reminders.row(
              Row(
                why: reminder, state: one.silence == nil ? "planned" : "silent",
                due: one.alarm.instant, at: nil, reason: one.silence?.rawValue ?? ""),
              of: reminder)
          }, with: cancelled))
    }
    if let id, isTakenOut(id, of: series) { return [excluded(id, of: series)] }
    let events = try components(of: series, id, isInLedger: isInLedger)
    var silence = Silence(
      of: series, events, calendar: try calendar(series.calendar), context: context.zoneContext)
    let isOver = silence == .past
    if isOver, (try? series.isAcknowledged(id, context: context.zoneContext)) ?? false {
      silence = events.contains(where: \.isPutOff) ? .snoozePast : .acknowledged
    }
    // All is in the past except cancelled occurrences.
    if isOver, !cancelled.isEmpty { return WhyObject.soonest(cancelled) }
    // The rows of the ledger already show that it is over.
    if isInLedger, isOver { return [] }
    var row = Row()
    row.set(.state, "silent")
    row.set(.reason, silence.rawValue)
    row.set(.uid, series.uid.text)
    if let id { row.set(.recurrenceID, id.text) }
    row.set(.calendar, series.calendar.text)
    row.setUnlessEmpty(.summary, events.first?.summary ?? "")
    return [row]
  }

  /// Returns the rows of future occurrences that are cancelled, the soonest first.
  private func cancelledAhead(of series: EventSeries) -> [Row] {
    // A series that is wholly cancelled gets one row.
    guard series.status != .cancelled,
      let changed = try? series.changedOccurrences(
        after: context.clock.now, context: context.zoneContext)
    else { return [] }
    return changed.filter { $0.event.status == .cancelled }.map { occurrence in
      var row = Row()
      row.set(.state, "silent")
      row.set(.reason, Silence.cancelled.rawValue)
      row.set(.uid, series.uid.text)
      row.setUnlessEmpty(.recurrenceID, occurrence.recurrenceText)
      row.set(.calendar, series.calendar.text)
      row.setUnlessEmpty(.summary, occurrence.event.summary)
      row.set(.start, .int64(occurrence.span.start.seconds))
      row.set(.end, .int64(occurrence.span.end.seconds))
      row.set(.allDay, occurrence.event.start.isDate)
      return row
    }
  }

  /// Merges the cancelled occurrences into the planned rows, by time, up to the last planned row.
  private static func rows(_ planned: [Row], with cancelled: [Row]) -> [Row] {
    guard let last = planned.last else { return [] }
    var rows: [Row] = []
    var rest = soonest(Array(cancelled.prefix { $0.number(.start) < last.number(.start) }))[...]
    for row in planned {
      let sooner = rest.prefix { $0.number(.start) < row.number(.start) }
      rows += sooner + [row]
      rest = rest.dropFirst(sooner.count)
    }
    return rows
  }

  /// Returns the first cancelled occurrences; the last row has the number of the others.
  private static func soonest(_ cancelled: [Row]) -> [Row] {
    var rows = Array(cancelled.prefix(maximumPlanned))
    if cancelled.count > rows.count {
      rows[rows.count - 1].set(.more, .uint32(UInt32(clamping: cancelled.count - rows.count)))
    }
    return rows
  }

  /// Marks the planned reminders that are due in quiet time.
  private func withQuiet(_ rows: [Row]) -> [Row] {
    rows.map { row in
      guard row.text(.state) == "planned", let due = row[.due]?.asInteger,
        quiet.time.end(at: Timestamp(seconds: due), zone: context.localZone) != nil
      else { return row }
      var row = row
      row.set(.quiet, true)
      return row
    }
  }

  /// Returns the requested components: all, or that of one occurrence.
  private func components(
    of series: EventSeries, _ id: RecurrenceID?, isInLedger: Bool
  ) throws(CallError) -> [Event] {
    guard let id, series.kind == .event else { return Array(series.components) }
    let occurrence: Occurrence?
    do throws(CivilTimeError) {
      occurrence = try series.occurrence(id, context: context.zoneContext)
    } catch {
      return Array(series.components)
    }
    if let occurrence { return [occurrence.event] }
    if isInLedger { return Array(series.components) }
    throw CallError(ModelError.unknownEvent(uid: series.uid, recurrenceID: id.text))
  }

  private func calendar(_ id: CalendarID) throws(CallError) -> CalendarInfo? {
    try agenda.reader().calendars.first { $0.id == id }
  }
}

extension Row {
  /// Marks a declined event as declined by all guests, if the owner's address is not known.
  fileprivate func withRefusal(isOwnersKnown: Bool) -> Row {
    if isOwnersKnown || text(.reason) != Reminder.CloseReason.declined.rawValue { return self }
    var row = self
    row.set(.byAllGuests, true)
    return row
  }
}

/// Why an event has no future alarm; the raw value is the word on the bus.
enum Silence: String {
  case cancelled, completed, past, acknowledged
  case snoozePast = "snooze-past"
  case tooDense = "too-dense"
  case noAlarm = "no-alarm"
  case noDate = "no-date"
  case noOccurrence = "no-occurrence"
  case unknownZone = "unknown-zone"

  /// - Parameters:
  ///   - events: the requested components, at least one.
  ///   - calendar: the calendar of the series; nil means no default reminders.
  init(
    of series: EventSeries, _ events: [Event], calendar: CalendarInfo?, context: ZoneContext
  ) {
    if events.allSatisfy({ $0.status == .cancelled }) {
      self = .cancelled
    } else if events.allSatisfy({ $0.toDo?.isClosed ?? false }) {
      self = .completed
    } else if series.master?.recurrence.isTooDenseToRing ?? false {
      self = .tooDense
    } else if !events.contains(where: { Silence.hasAlarm($0, calendar) }) {
      self = .noAlarm
    } else if events.allSatisfy(Silence.countsFromNothing) {
      self = .noDate
    } else if (try? series.extent(zones: context.zones)) == nil {
      self = .unknownZone
    } else {
      let happens = (try? series.happens(in: .always, context: context)) ?? true
      self = series.kind == .event && !happens ? .noOccurrence : .past
    }
  }

  /// Whether a to-do has no date, but all its alarms are relative to one.
  private static func countsFromNothing(_ event: Event) -> Bool {
    event.anchor == .none
      && event.alarms.allSatisfy {
        if case .absolute = $0.trigger { return $0.action == .none }
        return true
      }
  }

  private static func hasAlarm(_ event: Event, _ calendar: CalendarInfo?) -> Bool {
    guard event.alarms.isEmpty else { return event.alarms.contains { $0.action != .none } }
    guard event.kind == .event, let calendar else { return false }
    return event.start.isDate
      ? !calendar.allDayReminders.isEmpty : !calendar.timedReminders.isEmpty
  }
}
