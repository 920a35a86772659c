import CalendarBus
import CalendarModel
import CivilTime
import DBus
import ICalendar

/// Methods of the interface org.datebook.Calendar1.Events that list to-dos.
final class ToDosObject {
  private let context: AgentContext
  private unowned let agenda: AgendaSource

  init(_ context: AgentContext, agenda: AgendaSource) {
    self.context = context
    self.agenda = agenda
  }

  var methods: [MemberName: MethodBody] { ["Todos": toDos] }

  private static let options: [(key: RowKey, types: [Signature])] = [
    (.calendars, ["as"]), (.completed, ["b"]), (.limit, ["u"]), (.cursor, ["s"]),
  ]

  private func toDos(_ call: CallArguments) throws(CallError) -> [Value] {
    let options = try call.options(0, "options", ToDosObject.options)
    let limit = try rowLimit(options.number(.limit), or: Contract.defaultRows)
    let cursor = options.text(.cursor)
    let place = cursor.isEmpty ? nil : try ToDoPlace(cursor: cursor)
    let items = try list(options)
    // The items are sorted.
    let rest = items.drop { item in place.map { item.place <= $0 } ?? false }
    let page = rest.prefix(limit)
    let next = rest.count > limit ? page.last?.place.cursor ?? "" : ""
    return [Row.array(page.map(row)), .string(next)]
  }

  private func row(_ item: ToDoItem) -> Row {
    Row(item, parent: parentUID(inComponent: item.event.component))
  }

  private func list(_ options: Row) throws(CallError) -> [ToDoItem] {
    let reader = try agenda.reader()
    let calendars: Set<CalendarID>? =
      if let names = options[.calendars]?.asStrings {
        try reader.calendars(named: names)
      } else { nil }
    return try reader.toDos(
      in: calendars, includesClosed: options.flag(.completed), now: context.clock.now)
  }
}

extension ToDoPlace {
  /// "CLOSED DUE RANK CALENDAR LENGTH UID SUMMARY", where LENGTH is that of UID in bytes.
  ///
  /// CLOSED is 0 or 1, DUE is in seconds. The uid and the summary may have spaces.
  fileprivate var cursor: String {
    "\(isClosed ? 1 : 0) \(due.seconds) \(rank) \(calendar) \(uid.utf8.count) \(uid) \(summary)"
  }

  /// - Throws: ``CallError`` for text that is not a cursor of this method.
  fileprivate init(cursor: String) throws(CallError) {
    let fields = cursor.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
    guard fields.count == 6, let closed = Int(fields[0]), (0...1).contains(closed),
      let due = Int64(fields[1]), let rank = Int(fields[2]), let length = Int(fields[4]),
      length >= 0,
      case let rest = Array(fields[5].utf8), length < rest.count, rest[length] == UInt8(ascii: " ")
    else {
      throw CallError.invalidCursor(cursor)
    }
    self.init(
      isClosed: closed == 1, due: Timestamp(seconds: due), rank: rank,
      summary: String(decoding: rest[(length + 1)...], as: UTF8.self),
      uid: String(decoding: rest[..<length], as: UTF8.self), calendar: String(fields[3]))
  }
}
