import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import ICalendar

/// The interface org.datebook.Calendar1.Events: creating, reading, removing.
final class EventsObject {
  private unowned let agent: CalendarAgent

  init(agent: CalendarAgent) {
    self.agent = agent
  }

  var methods: [MemberName: MethodBody] {
    ["Get": get, "Add": add, "AddSimple": addSimple, "Remove": remove, "Todos": toDos]
  }

  // MARK: Reading

  private func get(_ call: CallArguments) throws(CallError) -> [Value] {
    let reader = try agent.reader()
    let series = try series(call.text(0), reader.store)
    let id = try recurrenceID(call.text(1))
    let found: (Occurrence, Event)?
    do throws(CivilTimeError) {
      if let id {
        found = try series.occurrence(id, context: reader.zones).map { ($0, $0.event) }
      } else {
        found = try firstOccurrence(of: series, reader.zones)
      }
    } catch {
      throw CallError(.invalidTime, "the event \"\(call.text(0))\" cannot be placed: \(error)")
    }
    guard let (occurrence, event) = found else {
      throw CallError(
        ModelError.unknownEvent(uid: series.uid, recurrenceID: call.text(1)))
    }
    return [Row(occurrence, details: event, colors: reader.colors).value]
  }

  /// The occurrence that DTSTART has, with the master's own fields; of a series
  /// without a master the first override.
  private func firstOccurrence(
    of series: EventSeries, _ zones: ZoneContext
  ) throws(CivilTimeError) -> (Occurrence, Event)? {
    guard var event = series.master else {
      return try series.occurrences(in: .always, context: zones, limit: 1).first
        .map { ($0, $0.event) }
    }
    let master = event
    event.recurrence = RecurrencePattern()
    let alone = EventSeries(calendar: series.calendar, master: event)
    return try alone.occurrence(nil, context: zones).map { ($0, master) }
  }

  private func toDos(_ call: CallArguments) throws(CallError) -> [Value] {
    let options = try call.options(
      0, "options", [(.calendars, ["as"]), (.completed, ["b"]), (.limit, ["u"])])
    let limit = options[.limit]?.asInteger ?? Int64(Contract.maximumRows)
    guard 1...Int64(Contract.maximumRows) ~= limit else {
      throw CallError(
        .limitsExceeded, "limit: \(limit) is not from 1 to \(Contract.maximumRows)")
    }
    let reader = try agent.reader()
    let calendars: Set<CalendarID>? =
      if let names = options[.calendars]?.asStrings {
        try reader.calendars(named: names)
      } else { nil }
    let items = try reader.toDos(
      in: calendars, includesClosed: options.flag(.completed), now: agent.clock.now)
    return [Row.array(items.prefix(Int(limit)).map { Row($0) })]
  }

  // MARK: Adding

  private func addSimple(_ call: CallArguments) throws(CallError) -> [Value] {
    var draft = EventDraft()
    draft.summary = call.text(1)
    draft.start = .text(call.text(2))
    draft.end = .text(call.text(3))
    draft.location = call.text(4)
    return try add(draft, calendar: call.text(0))
  }

  private func add(_ call: CallArguments) throws(CallError) -> [Value] {
    let row = try call.options(
      1, "event",
      [
        (.uid, ["s"]), (.summary, ["s"]), (.start, ["s", "x"]), (.end, ["s", "x"]),
        (.allDay, ["b"]), (.timeZone, ["s"]), (.location, ["s"]), (.description, ["s"]),
        (.url, ["s"]), (.rrule, ["s"]), (.rdate, ["as"]), (.exdate, ["as"]),
        (.reminders, ["as"]), (.categories, ["as"]), (.status, ["s"]), (.busy, ["b"]),
        (.classification, ["s"]), (.color, ["s"]),
      ])
    return try add(EventDraft(row), calendar: call.text(0))
  }

  private func add(_ draft: EventDraft, calendar name: String) throws(CallError) -> [Value] {
    let calendar = try agent.writableCalendar(name)
    let uid = EventUID(draft.uid ?? IdentifierSource.uid())
    try check(uid)
    var event = try EventComposer(zones: agent.zoneContext, now: agent.clock.now)
      .event(draft, uid: uid)
    event.component = writeComponent(event, zones: agent.zones)
    let series = EventSeries(calendar: calendar, master: event)
    let change = try agent.change(origin: .local) { (change) throws(CallError) in
      if draft.uid != nil,
        try translated({ () throws(StoreError) in try change.series(uid, in: calendar) }) != nil
      {
        throw CallError(
          .conflict, "uid: an event \"\(uid)\" is in the calendar \(calendar) already")
      }
      try translated { () throws(StoreError) in try change.put(series) }
    }
    return [.string(uid.text), .uint64(change.revision)]
  }

  private func check(_ uid: EventUID) throws(CallError) {
    let bytes = uid.text.utf8
    guard bytes.count <= 255 else {
      throw CallError(.limitsExceeded, "uid: \(bytes.count) bytes, where 255 are allowed")
    }
    guard !bytes.isEmpty else {
      throw CallError(.invalidArguments, "uid: it must not be empty; leave it out to get a new one")
    }
    guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      throw CallError(.invalidArguments, "uid: it must not have spaces or control characters")
    }
  }

  // MARK: Removing

  private func remove(_ call: CallArguments) throws(CallError) -> [Value] {
    let store = try agent.store()
    let series = try series(call.text(0), store)
    let id = try recurrenceID(call.text(1))
    let scope = try scope(call.text(2), id)
    _ = try agent.writableCalendar(series.calendar.text)
    let rest = try remainder(of: series, id, scope)
    let change = try agent.change(origin: .local) { (change) throws(CallError) in
      try translated { () throws(StoreError) in
        if let rest {
          try change.put(rest)
        } else {
          _ = try change.remove(series.uid, from: series.calendar)
        }
      }
    }
    return [.uint64(change.revision)]
  }

  private func scope(_ word: String, _ id: RecurrenceID?) throws(CallError) -> EditScope {
    guard !word.isEmpty else { return id == nil ? .all : .this }
    guard let scope = EditScope(rawValue: word) else {
      let known = EditScope.allCases.map(\.rawValue).joined(separator: ", ")
      throw CallError(.invalidArguments, "scope: \"\(word)\" is none of \(known)")
    }
    return scope
  }

  /// What is left of a series; nil when it goes as a whole.
  private func remainder(
    of series: EventSeries, _ id: RecurrenceID?, _ scope: EditScope
  ) throws(CallError) -> EventSeries? {
    guard series.isRecurring || id != nil, scope != .all else { return nil }
    guard let id else {
      throw CallError(
        .invalidArguments, "recurrence_id: the scope \(scope.rawValue) needs an occurrence")
    }
    var rest: EventSeries?
    do throws(ModelError) {
      switch scope {
      case .this: rest = try series.excluding(id, context: agent.zoneContext)
      case .thisAndFuture: rest = try series.ending(before: id, context: agent.zoneContext)
      case .all: rest = nil
      }
    } catch {
      throw CallError(error)
    }
    guard let rest, var master = rest.master else { return rest }
    master.sequence += 1
    master.lastModified = agent.clock.now
    master.component = writeComponent(master, zones: agent.zones)
    return EventSeries(calendar: rest.calendar, master: master, overrides: rest.overrides)
  }

  // MARK: Parts

  private func series(_ uid: String, _ store: EventStore) throws(CallError) -> EventSeries {
    let found = try translated { () throws(StoreError) in
      try store.series(EventUID(uid), in: nil)
    }
    guard let found else {
      throw CallError(ModelError.unknownEvent(uid: EventUID(uid), recurrenceID: ""))
    }
    return found
  }

  private func recurrenceID(_ text: String) throws(CallError) -> RecurrenceID? {
    if text.isEmpty { return nil }
    do throws(CivilTimeError) {
      return try RecurrenceID(text: text)
    } catch {
      throw CallError(.invalidTime, "recurrence_id: \(error)")
    }
  }
}

extension EventDraft {
  /// The keys of Events.Add, whose types have been checked.
  fileprivate init(_ row: Row) {
    func moment(_ key: RowKey) -> Moment? {
      if let text = row[key]?.asString { return .text(text) }
      return row[key]?.asInteger.map { .instant(Timestamp(seconds: $0)) }
    }
    uid = row[.uid]?.asString
    summary = row.text(.summary)
    start = moment(.start)
    end = moment(.end)
    isAllDay = row[.allDay]?.asBoolean
    timeZone = row[.timeZone]?.asString
    location = row.text(.location)
    description = row.text(.description)
    url = row.text(.url)
    rules = row.text(.rrule)
    added = row.texts(.rdate)
    excluded = row.texts(.exdate)
    reminders = row.texts(.reminders)
    categories = row.texts(.categories)
    status = row[.status]?.asString
    isBusy = row[.busy]?.asBoolean
    classification = row[.classification]?.asString
    color = row[.color]?.asString
  }
}
