import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import ICalendar
import Phrases
import Platform

/// Methods of the interface org.datebook.Calendar1.Events that add and change to-dos.
final class ToDoEditsObject {
  private let context: AgentContext
  private unowned let agenda: AgendaSource
  private unowned let changes: ChangeRunner

  init(_ context: AgentContext, agenda: AgendaSource, changes: ChangeRunner) {
    self.context = context
    self.agenda = agenda
    self.changes = changes
  }

  var methods: [MemberName: MethodBody] { ["AddTodo": add, "ChangeTodo": change] }

  /// The keys that both methods take.
  private static let keys: [(key: RowKey, types: [Signature])] = [
    (.summary, ["s"]), (.description, ["s"]), (.priority, ["u"]), (.due, ["s", "x"]),
  ]

  // MARK: Methods

  private func add(_ call: CallArguments) throws(CallError) -> [Value] {
    let row = try call.options(1, "todo", ToDoEditsObject.keys)
    let calendar = try agenda.writableCalendarInfo(call.text(0))
    let composer = EventComposer(zones: context.zoneContext, phrases: context.phrases)
    try composer.checkTitle(row.text(.summary))
    try composer.checkTexts(EventDraft(row))
    var event = Event(
      uid: EventUID(IdentifierSource.uid()), start: Event.noStart, summary: row.text(.summary))
    event.anchor = .none
    if let due = try self.due(row, composer, calendar.timeZone) {
      (event.start, event.anchor) = (due, .due)
    }
    event.description = row.text(.description)
    event.kind = .toDo(ToDo(priority: try priority(row) ?? 0))
    (event.created, event.lastModified) = (context.clock.now, context.clock.now)
    event.component = writeComponent(event, zones: context.zones)
    let series = EventSeries(calendar: calendar.id, master: event)
    let revision = try changes.changeTogether { (change) throws(CallError) in
      try translated { () throws(StoreError) in try change.put(series) }
    }.revision
    return [.string(event.uid.text), .uint64(revision)]
  }

  private func change(_ call: CallArguments) throws(CallError) -> [Value] {
    let row = try call.options(
      2, "changes", ToDoEditsObject.keys + [(.status, ["s"])])
    let editor = EventEditor(context: context, agenda: agenda, changes: changes)
    let edited = try editor.edit(
      call.text(0), call.text(1), ""
    ) { (composer, event) throws(CallError) in
      if row[.summary] != nil { try composer.checkTitle(row.text(.summary)) }
      try composer.checkTexts(EventDraft(row))
      let priority = try priority(row)
      let status: ToDo.Status? = try composer.word(row[.status]?.asString, key: "status")
      guard var toDo = event.toDo else {
        throw CallError(
          .notFound, about: "uid", localized("\"{id}\" is no to-do", ["id": event.uid.text]))
      }
      if let priority { toDo.priority = priority }
      if let status { toDo.set(status, at: context.clock.now) }
      var change = EventChange()
      if row[.due] != nil {
        guard call.text(1).isEmpty, !event.recurrence.isRecurring else {
          throw CallError(
            .invalidArguments, about: "due",
            localized("\"{id}\" is a to-do that repeats", ["id": event.uid.text]))
        }
        change.due = .some(try due(row, composer, zone(of: event, named: call.text(0), editor)))
      }
      change.summary = row[.summary]?.asString
      change.description = row[.description]?.asString
      change.toDo = toDo
      return change
    }
    return [.uint64(edited.revision)]
  }

  // MARK: Parts

  /// Returns the zone of a new due time: that of the old one, else of the calendar. Nobody means UTC.
  private func zone(
    of event: Event, named name: String, _ editor: EventEditor
  ) throws(CallError) -> String? {
    if event.anchor != .none, let zone = event.start.zoneName, zone != "UTC" { return zone }
    return try agenda.writableCalendarInfo(editor.series(name).calendar.text).timeZone
  }

  private func due(
    _ row: Row, _ composer: EventComposer, _ zone: String?
  ) throws(CallError) -> EventTime? {
    var draft = EventDraft()
    draft.timeZone = zone
    switch row[.due] {
    case nil, .string("")?: return nil
    case .int64(let seconds)?:
      return try composer.time(.instant(Timestamp(seconds: seconds)), key: "due", draft)
    default:
      let text = row.text(.due)
      draft.timeZone = composer.phrases.zoneName(in: text) ?? draft.timeZone
      return try composer.time(.text(text), key: "due", draft)
    }
  }

  private func priority(_ row: Row) throws(CallError) -> Int? {
    guard let value = row[.priority]?.asInteger else { return nil }
    guard (0...9).contains(value) else {
      throw CallError(
        .invalidArguments, about: "priority", notWithin(0...9, UInt32(clamping: value)))
    }
    return Int(value)
  }
}
