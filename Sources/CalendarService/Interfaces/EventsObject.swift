import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import ICalendar
import Platform

/// Methods of the interface org.datebook.Calendar1.Events that read and create events.
final class EventsObject {
  let context: AgentContext
  unowned let agenda: AgendaSource
  unowned let storage: Storage
  unowned let changes: ChangeRunner
  private let edits: EventEditsObject
  private let toDos: ToDosObject
  private let toDoEdits: ToDoEditsObject
  private var editor: EventEditor {
    EventEditor(context: context, agenda: agenda, changes: changes)
  }

  init(
    _ context: AgentContext, agenda: AgendaSource, storage: Storage, changes: ChangeRunner
  ) {
    self.context = context
    self.agenda = agenda
    self.storage = storage
    self.changes = changes
    edits = EventEditsObject(context, agenda: agenda, changes: changes)
    toDos = ToDosObject(context, agenda: agenda)
    toDoEdits = ToDoEditsObject(context, agenda: agenda, changes: changes)
  }

  var methods: [MemberName: MethodBody] {
    let own: [MemberName: MethodBody] = [
      "Get": get, "List": list, "Add": add, "AddSimple": addSimple, "QuickAdd": quickAdd,
      "QuickParse": quickParse,
    ]
    return own.merging(edits.methods) { own, _ in own }
      .merging(toDos.methods) { own, _ in own }
      .merging(toDoEdits.methods) { own, _ in own }
  }

  // MARK: Reading

  func get(_ call: CallArguments) throws(CallError) -> [Value] {
    let reader = try agenda.reader()
    let series = try editor.series(call.text(0))
    let id = try recurrenceID(call.text(1))
    return [try reader.row(of: series, at: id, now: context.clock.now).value]
  }

  /// The method List: the names of all events, in pages. A cursor is the key of a row.
  private func list(_ call: CallArguments) throws(CallError) -> [Value] {
    let options = try call.options(
      0, "options",
      [(.calendars, ["as"]), (.limit, ["u"]), (.cursor, ["s"]), (.others, ["b"])])
    let limit = try rowLimit(options.number(.limit), or: Contract.maximumRows)
    let (place, calendars) = (try place(options), try calendars(options))
    let store = try storage.store()
    if options.flag(.others) { return try others(store, in: calendars, after: place, limit) }
    let found = try translated { () throws(StoreError) in
      try store.events(in: calendars, after: place, limit: limit + 1)
    }
    let next = found.count > limit ? "\(found[limit - 1].key)" : ""
    let rows = found.prefix(limit).map { event in
      var row = Row()
      row.set(.uid, event.uid.text)
      row.set(.calendar, event.calendar.text)
      row.set(.revision, .uint64(event.revision))
      return row
    }
    return [Row.array(rows), .string(next)]
  }

  /// The components that are neither events nor to-dos, in pages.
  private func others(
    _ store: EventStore, in calendars: Set<CalendarID>?, after place: Int64, _ limit: Int
  ) throws(CallError) -> [Value] {
    let zones = context.zoneContext
    let found = try translated { () throws(StoreError) in
      try store.kept(in: calendars, after: place, limit: limit + 1)
    }
    let next = found.count > limit ? "\(found[limit - 1].key)" : ""
    let rows = found.prefix(limit).map { Row(kept: $0.series, zones: zones) }
    return [Row.array(rows), .string(next)]
  }

  /// Returns the key of the row after which a page begins.
  private func place(_ options: Row) throws(CallError) -> Int64 {
    let cursor = options.text(.cursor)
    guard let place = cursor.isEmpty ? 0 : Int64(cursor) else {
      throw CallError.invalidCursor(cursor)
    }
    return place
  }

  /// Returns the calendars in the options; nil means all.
  private func calendars(_ options: Row) throws(CallError) -> Set<CalendarID>? {
    guard let names = options[.calendars]?.asStrings else { return nil }
    return try agenda.reader().calendars(named: names)
  }

  // MARK: Adding

  private func addSimple(_ call: CallArguments) throws(CallError) -> [Value] {
    var draft = EventDraft()
    draft.summary = call.text(1)
    draft.start = .text(call.text(2))
    draft.end = .text(call.text(3))
    draft.location = call.text(4)
    let (series, _) = try series(draft, calendar: call.text(0))
    return [.string(series.uid.text), .uint64(try add(series, isNamed: false))]
  }

  private func add(_ call: CallArguments) throws(CallError) -> [Value] {
    let row = try call.options(
      1, "event", [(.uid, ["s"]), (.calendar, ["s"])] + EventDraft.keys)
    let (given, own) = (call.text(0), row.text(.calendar))
    guard given.isEmpty || own.isEmpty || given == own else {
      throw CallError(
        .invalidArguments, about: "calendar",
        localized(
          "the call says \"{given}\", but the event says \"{calendar}\"",
          ["given": given, "calendar": own]))
    }
    let draft = EventDraft(row)
    let (series, warnings) = try series(draft, calendar: given.isEmpty ? own : given)
    let revision = try add(series, isNamed: draft.uid != nil)
    var details = Row()
    details.setWarnings(warnings.ofAdding(series))
    return [.string(series.uid.text), .uint64(revision), details.value]
  }

  /// Returns the event that a draft describes, and the source of its warnings.
  ///
  /// - Parameter calendar: nil if it is not known.
  func compose(
    _ draft: EventDraft, in calendar: CalendarInfo?
  ) throws(CallError) -> (Event, EventWarnings) {
    let uid = EventUID(draft.uid ?? IdentifierSource.uid())
    try check(uid)
    var composer = EventComposer(zones: context.zoneContext, phrases: context.phrases)
    if let calendar { composer.allDayTime = calendar.allDayTime }
    var event = try composer.event(draft, uid: uid)
    var warnings = EventWarnings(
      now: context.clock.now, zones: context.zoneContext,
      defaults: calendar.map(DefaultAlarms.init) ?? .none)
    warnings.others = { [unowned agenda] span in agenda.overlapping(span) }
    warnings.ringAtStart(&event, in: calendar?.id ?? CalendarID(""))
    return (event, warnings)
  }

  /// Adds an event, and returns it as the answer.
  ///
  /// The answer is made first, so that no call fails after the event was added.
  ///
  /// - Parameter remarks: the warnings about the text.
  func addAndShow(
    _ draft: EventDraft, calendar name: String, _ remarks: [String]
  ) throws(CallError) -> [Value] {
    let (series, warnings) = try series(draft, calendar: name)
    var row = try agenda.reader().row(of: series, at: nil, now: context.clock.now)
    let revision = Value.uint64(try add(series, isNamed: draft.uid != nil))
    row.set(.revision, revision)
    row.setWarnings(remarks + warnings.ofAdding(series))
    return [.string(series.uid.text), row.value, revision]
  }

  /// Returns the series that a draft describes in a calendar, and the source of its warnings.
  func series(
    _ draft: EventDraft, calendar name: String
  ) throws(CallError) -> (EventSeries, EventWarnings) {
    let calendar = try agenda.writableCalendarInfo(name)
    var draft = draft
    draft.timeZone = draft.timeZone ?? calendar.timeZone
    var (event, warnings) = try compose(draft, in: calendar)
    event.component = writeComponent(event, zones: context.zones)
    return (EventSeries(calendar: calendar.id, master: event), warnings)
  }

  /// Adds a series to the store.
  ///
  /// - Parameter isNamed: whether the caller gave the uid, which may exist already.
  /// - Returns: the new revision.
  private func add(_ series: EventSeries, isNamed: Bool) throws(CallError) -> UInt64 {
    let (uid, calendar) = (series.uid, series.calendar)
    return try changes.changeTogether { (change) throws(CallError) in
      if isNamed,
        try translated({ () throws(StoreError) in try change.series(uid, in: calendar) }) != nil
      {
        throw CallError(
          .conflict, about: "uid",
          localized(
            "the calendar {calendar} already has an event \"{id}\"",
            ["calendar": calendar.text, "id": uid.text]))
      }
      try translated { () throws(StoreError) in try change.put(series) }
    }.revision
  }

  private func check(_ uid: EventUID) throws(CallError) {
    let bytes = uid.text.utf8
    try checkLimit("uid", bytes.count, .bytes, most: Limit.uid)
    guard !bytes.isEmpty else {
      throw CallError(
        .invalidArguments, about: "uid",
        localized("must not be empty; leave it out to get a new one"))
    }
    guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      throw CallError(
        .invalidArguments, about: "uid",
        localized("must not have spaces or control characters"))
    }
  }
}
