package import CalendarModel
package import CivilTime
import DBus
import Recurrence

/// The rows of the contract, made from the model.
extension Row {
  /// The answer of Events.Get: a row of GetOccurrences with details.
  ///
  /// - Parameter exceptions: The coming occurrences of a series that differ from the others.
  package init(
    _ occurrence: Occurrence, details event: Event, exceptions: [Occurrence] = [],
    colors: [CalendarID: EventColor], ownAddresses: [String]
  ) {
    self.init(occurrence, colors: colors, ownAddresses: ownAddresses)
    let pattern = event.recurrence
    set(.recurring, pattern.isRecurring || occurrence.recurrenceID != nil)
    setUnlessEmpty(.description, event.description)
    set(rulesOf: pattern)
    if !pattern.excluded.isEmpty { set(.exdate, pattern.excluded.map(\.text)) }
    if !exceptions.isEmpty {
      let rows = exceptions.prefix(Row.mostExceptions).map { one in
        var row = Row(one, colors: colors, ownAddresses: ownAddresses).only(Row.keysOfException)
        row.set(rangeOf: one)
        return row
      }
      set(.exceptions, Row.array(rows))
      set(.exceptionCount, .uint32(UInt32(clamping: exceptions.count)))
    }
    set(rangeOf: occurrence)
    set(remindersOf: event)
    if !event.attendees.isEmpty {
      set(.attendees, Row.array(event.attendees.map(Row.init(attendee:))))
    }
    if let organizer = event.organizer { set(.organizer, Row(attendee: organizer).value) }
    if let created = event.created { set(.created, .int64(created.seconds)) }
    if let modified = event.lastModified { set(.modified, .int64(modified.seconds)) }
    set(.sequence, .uint32(UInt32(clamping: event.sequence)))
    set(.classification, event.classification.rawValue)
  }

  /// The most exceptions of one series in an answer.
  private static let mostExceptions = 100
  private static let keysOfException: Set<RowKey> = [
    .recurrenceID, .summary, .location, .start, .end, .startText, .endText, .allDay, .status,
  ]

  /// Sets the key of an override that also applies to the following occurrences.
  private mutating func set(rangeOf occurrence: Occurrence) {
    if occurrence.event.appliesToFuture { set(.appliesToFuture, true) }
  }

  private mutating func set(rulesOf pattern: RecurrencePattern) {
    setUnlessEmpty(.rrule, pattern.rules.map(\.text).joined(separator: "\n"))
    setUnlessEmpty(.exrule, pattern.exclusionRules.map(\.text).joined(separator: "\n"))
    if !pattern.added.isEmpty { set(.rdate, pattern.added.map(\.start.text)) }
  }

  private mutating func set(remindersOf event: Event) {
    if !event.alarms.isEmpty { set(.reminders, event.alarms.map(\.text)) }
    if event.alarms.contains(where: { $0.repeatCount > 0 }) {
      set(.reminderRepeats, event.alarms.map(\.repeats))
    }
  }

  /// A row of Events.Todos.
  ///
  /// - Parameter parent: The UID of the to-do that it is part of; "" for none.
  package init(_ item: ToDoItem, parent: String = "") {
    self.init()
    let event = item.event
    set(.uid, event.uid.text)
    if let id = item.occurrence?.recurrenceID { set(.recurrenceID, id.text) }
    set(.calendar, item.calendar.text)
    setUnlessEmpty(.summary, event.summary)
    setUnlessEmpty(.location, event.location)
    if let occurrence = item.occurrence {
      let (start, end) = (occurrence.span.start, occurrence.span.end)
      if item.hasDue {
        set(.due, .int64(end.seconds))
        set(
          .dueText,
          occurrence.isAllDay ? occurrence.end.date.description : occurrence.zone.text(of: end))
      }
      if item.hasStart {
        set(.start, .int64(start.seconds))
        set(
          .startText,
          occurrence.isAllDay ? occurrence.start.date.description : occurrence.zone.text(of: start))
      }
      set(.allDay, occurrence.isAllDay)
      if let name = event.start.zoneName { set(.timeZone, name) }
    }
    set(.status, item.toDo.isClosed ? item.toDo.closedStatus : item.toDo.status.rawValue)
    set(.priority, .uint32(UInt32(clamping: item.toDo.priority)))
    set(.percent, .uint32(UInt32(clamping: item.toDo.percentComplete)))
    if let completed = item.toDo.completed { set(.completed, .int64(completed.seconds)) }
    // Without its zone's data, a to-do has no occurrence here.
    set(.recurring, item.pattern.isRecurring || item.occurrence?.recurrenceID != nil)
    set(rulesOf: item.pattern)
    setUnlessEmpty(.url, event.url)
    if !event.categories.isEmpty { set(.categories, event.categories) }
    set(remindersOf: event)
    setUnlessEmpty(.parent, parent)
  }

  /// A row of Events.List with others; without a time if its zone is not installed.
  package init(kept series: EventSeries, zones: ZoneContext) {
    self.init()
    let event = series.components[0]
    set(.uid, event.uid.text)
    set(.calendar, series.calendar.text)
    set(.kind, event.kind.word)
    setUnlessEmpty(.summary, event.summary)
    setUnlessEmpty(.location, event.location)
    setUnlessEmpty(.description, event.description)
    if event.anchor != .none, let zone = try? event.start.zoneRules(in: zones),
      let start = try? event.start.instant(in: zones)
    {
      set(.start, .int64(start.seconds))
      let isAllDay = event.start.isDate
      set(.startText, isAllDay ? event.start.reading.date.description : zone.text(of: start))
      set(.allDay, isAllDay)
      if let name = event.start.zoneName { set(.timeZone, name) }
    }
    setUnlessEmpty(.url, event.url)
    if !event.categories.isEmpty { set(.categories, event.categories) }
  }

  package init(attendee: Attendee) {
    self.init()
    set(.address, attendee.address)
    setUnlessEmpty(.name, attendee.name)
    setUnlessEmpty(.participation, attendee.participation)
  }

  /// A row of Calendars.List.
  ///
  /// - Parameter others: The number of its items of each kind other than events, by the kind's
  ///   word.
  package init(_ calendar: CalendarInfo, events: Int, others: [String: Int]) {
    self.init()
    set(.id, calendar.id.text)
    set(.name, calendar.name)
    set(.color, calendar.color.text)
    set(.visible, calendar.isVisible)
    set(.readOnly, calendar.isReadOnly)
    set(.isDefault, calendar.isDefault)
    set(.source, calendar.source)
    set(.events, .uint32(UInt32(clamping: events)))
    let kinds: [(RowKey, Event.Kind)] = [
      (.toDos, .toDo(ToDo())), (.journals, .journal), (.freeBusy, .freeBusy), (.others, .other),
    ]
    for (key, kind) in kinds {
      if let count = others[kind.word] { set(key, .uint32(UInt32(clamping: count))) }
    }
    if let zone = calendar.timeZone { set(.timeZone, zone) }
    set(.order, .int32(Int32(clamping: calendar.order)))
    if !calendar.timedReminders.isEmpty {
      set(.reminders, calendar.timedReminders.map(\.description))
    }
    if !calendar.allDayReminders.isEmpty {
      set(.allDayReminders, calendar.allDayReminders.map(\.description))
    }
    switch calendar.missedReminderPolicy {
    case .usual: break
    case .within(let length): set(.tellLate, length.description)
    case .always: set(.tellLate, "always")
    }
  }

  /// A row of Reminders.Pending.
  ///
  /// - Parameter isHeldBack: Whether its notification waits for the end of quiet time.
  package init(_ reminder: Reminder, isHeldBack: Bool = false) {
    self.init()
    set(.id, reminder.id)
    set(.uid, reminder.key.uid.text)
    setUnlessEmpty(.recurrenceID, reminder.key.recurrenceID)
    set(.calendar, reminder.key.calendar.text)
    setUnlessEmpty(.summary, reminder.summary)
    setUnlessEmpty(.location, reminder.location)
    setUnlessEmpty(.joinURL, reminder.joinURL)
    set(.start, .int64(reminder.span.start.seconds))
    set(.end, .int64(reminder.span.end.seconds))
    set(.allDay, reminder.isAllDay)
    set(.due, .int64(reminder.due.seconds))
    set(.state, reminder.state == .snoozed ? "snoozed" : "due")
    set(.snoozes, .uint32(UInt32(clamping: reminder.snoozes)))
    set(.missed, reminder.isMissed)
    if isHeldBack { set(.quiet, true) }
  }

  /// A row of Reminders.Upcoming and Reminders.Simulate.
  ///
  /// - Parameters:
  ///   - reminder: A planned or snoozed reminder.
  ///   - quiet: Whether it will be quiet time then.
  package init(upcoming reminder: Reminder, quiet: Bool) {
    self.init(reminder)
    if reminder.state != .snoozed { set(.state, "planned") }
    set(.quiet, quiet)
  }

  /// A row of Reminders.Why about a reminder in any state.
  ///
  /// - Parameters:
  ///   - due: The time of the alarm, or when a snooze ends.
  ///   - reason: "" for none.
  package init(
    why reminder: Reminder, state: String, due: Timestamp, at: Timestamp?, reason: String
  ) {
    self.init()
    set(.state, state)
    set(.due, .int64(due.seconds))
    if let at { set(.at, .int64(at.seconds)) }
    setUnlessEmpty(.reason, reason)
    set(.id, reminder.id)
    set(.uid, reminder.key.uid.text)
    setUnlessEmpty(.recurrenceID, reminder.key.recurrenceID)
    set(.calendar, reminder.key.calendar.text)
    setUnlessEmpty(.summary, reminder.summary)
    set(.start, .int64(reminder.span.start.seconds))
    set(.end, .int64(reminder.span.end.seconds))
    set(.allDay, reminder.isAllDay)
    set(.missed, reminder.isMissed)
  }

  /// The details of ReminderDue.
  ///
  /// - Parameters:
  ///   - late: Seconds since it was due.
  ///   - quiet: Whether it is quiet time.
  ///   - notified: Whether the agent itself shows a notification.
  package init(detailsOf reminder: Reminder, late: Int64, quiet: Bool, notified: Bool) {
    self.init()
    setUnlessEmpty(.recurrenceID, reminder.key.recurrenceID)
    set(.calendar, reminder.key.calendar.text)
    if !reminder.isPrivate {
      setUnlessEmpty(.location, reminder.location)
      setUnlessEmpty(.joinURL, reminder.joinURL)
    }
    set(.end, .int64(reminder.span.end.seconds))
    set(.allDay, reminder.isAllDay)
    set(.late, .uint32(UInt32(clamping: late)))
    set(.missed, reminder.isMissed)
    set(.snoozes, .uint32(UInt32(clamping: reminder.snoozes)))
    set(.quiet, quiet)
    set(.notified, notified)
  }

  /// The details of ReminderReturned.
  ///
  /// - Parameters:
  ///   - former: Its previous ID; nil if that is the same.
  ///   - late, quiet, notified: See ReminderDue.
  package init(
    detailsOfReturned reminder: Reminder, former: String?, late: Int64, quiet: Bool, notified: Bool
  ) {
    self.init(detailsOf: reminder, late: late, quiet: quiet, notified: notified)
    set(.state, reminder.state == .snoozed ? "snoozed" : "due")
    if let former { set(.formerID, former) }
  }
}

extension ToDo {
  /// The status of a closed to-do: completed, also if only COMPLETED or its percentage says so.
  fileprivate var closedStatus: String {
    (status == .cancelled ? status : .completed).rawValue
  }
}

extension ZoneRules {
  /// RFC 3339 text with this zone's offset.
  fileprivate func text(of instant: Timestamp) -> String {
    instant.rfc3339(offset: offset(at: instant))
  }
}

extension EventTime {
  /// "2026-11-21", "2026-11-21T09:00:00", or an instant with its Z.
  fileprivate var text: String {
    switch self {
    case .date(let date): date.description
    case .floating(let reading), .zoned(let reading, _): reading.description
    case .utc(let instant): instant.description
    }
  }
}

extension Alarm {
  /// The text of Events.Add; "none" for a disabled alarm.
  fileprivate var text: String { action == .none ? "none" : trigger.text }

  /// The count and interval of repetitions, "2 PT5M"; "" without repetition.
  fileprivate var repeats: String {
    repeatCount > 0 && action != .none ? "\(repeatCount) \(repeatInterval)" : ""
  }
}

extension Alarm.Trigger {
  /// The text of Events.Add; durations before the start have no sign.
  fileprivate var text: String {
    switch self {
    case .fromStart(let duration): duration.negated.description
    case .fromEnd(let duration): "end:" + duration.negated.description
    case .absolute(let instant): instant.description
    }
  }
}
