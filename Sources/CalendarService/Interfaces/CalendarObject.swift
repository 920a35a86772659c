import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Phrases
import Platform

/// Methods of the interface org.datebook.Calendar1 that read occurrences.
final class CalendarObject {
  private let context: AgentContext
  private unowned let agenda: AgendaSource
  private unowned let storage: Storage
  private unowned let changes: ChangeRunner
  private unowned let snapshot: SnapshotUpdater
  private unowned let memory: MemoryReclaimer

  init(
    _ context: AgentContext, agenda: AgendaSource, storage: Storage, changes: ChangeRunner,
    snapshot: SnapshotUpdater, memory: MemoryReclaimer
  ) {
    self.context = context
    self.agenda = agenda
    self.storage = storage
    self.changes = changes
    self.snapshot = snapshot
    self.memory = memory
  }

  /// The methods, by the names of the contract.
  var methods: [MemberName: MethodBody] {
    ["ChangesSince": changesSince, "Snapshot": snapshot, "SnapshotOf": snapshotOf]
  }

  /// The methods that answer with rows of occurrences.
  var rowMethods: [MemberName: RowsBody] {
    ["GetOccurrences": getOccurrences, "Agenda": agenda, "Today": today, "Next": next]
  }

  // MARK: Methods

  private func today(_ call: CallArguments) throws(CallError) -> RowsAnswer {
    let date = context.localZone.reading(at: context.clock.now).date
    return try rows(days: 1, from: date)
  }

  private func agenda(_ call: CallArguments) throws(CallError) -> RowsAnswer {
    let days = try call.number(1, "days", in: 1...366)
    let from = try context.moment(call.text(0).isEmpty ? "today" : call.text(0), "from")
    return try rows(days: Int(days), from: from.day(in: context.localZone))
  }

  private func next(_ call: CallArguments) throws(CallError) -> RowsAnswer {
    let count = try call.number(0, "count", in: 1...100)
    let reader = try agenda.reader()
    let found = try reader.next(Int(count), now: context.clock.now)
    return RowsAnswer(rows: try OccurrenceRows.of(found, from: reader))
  }

  private func changesSince(_ call: CallArguments) throws(CallError) -> [Value] {
    guard case .uint64(let seen) = call.values[0] else {
      throw CallError(.invalidArguments, about: "since", localized("not a revision number"))
    }
    let store = try storage.store()
    let found = try translated { () throws(StoreError) in
      try store.changes(since: seen, limit: Contract.maximumRows)
    }
    let rows = (found ?? []).map { change in
      var row = Row()
      row.set(.uid, change.uid.text)
      row.set(.calendar, change.calendar.text)
      row.set(.change, change.change.rawValue)
      row.set(.revision, .uint64(change.revision))
      return row
    }
    return [.uint64(agenda.revision), .boolean(found != nil), Row.array(rows)]
  }

  private func snapshot(_ call: CallArguments) throws(CallError) -> [Value] {
    try changes.settle()
    return [.string(try snapshot.text())]
  }

  private func snapshotOf(_ call: CallArguments) throws(CallError) -> [Value] {
    let options = try call.options(0, "options", SnapshotRequest.keys + [(.next, ["u"])])
    let question = try agenda.question(options, try agenda.reader())
    try changes.settle()
    return [.string(try snapshot.text(of: question))]
  }

  private func getOccurrences(_ call: CallArguments) throws(CallError) -> RowsAnswer {
    let span = try context.span(from: call.text(0), to: call.text(1))
    let options = try call.options(
      2, "options",
      AgendaSource.filterOptions + [
        (.limit, ["u"]), (.cursor, ["s"]), (.fields, ["as"]), (.timeZone, ["s"]),
      ])
    let limit = try rowLimit(options.number(.limit), or: Contract.defaultRows)
    let reader = try agenda.reader()
    let filter = try agenda.filter(options, reader)
    let fields = try fields(options.texts(.fields))
    let textZone = try context.zone(options.text(.timeZone))
    let cursorText = options.text(.cursor)
    let found = try reader.rows(
      in: span, filter: filter, limit: limit + 1,
      after: cursorText.isEmpty ? nil : try PageCursor(text: cursorText))
    let page = found.prefix(limit)
    let next = found.count > limit ? page.last.map { PageCursor($0).text } ?? "" : ""
    let rows = try OccurrenceRows.of(page, from: reader, textZone: textZone, fields: fields)
    releaseMemory(after: found)
    return RowsAnswer(rows: rows, rest: [.string(next)])
  }

  // MARK: Parts

  private func rows(days: Int, from date: CivilDate) throws(CallError) -> RowsAnswer {
    guard date.adding(days: days - 1) != nil else {
      throw CallError(
        .invalidTime, about: "from",
        localized(
          days, one: "{count} day from {date} on goes past the year 9999",
          other: "{count} days from {date} on go past the year 9999",
          ["date": date.description]))
    }
    let zone = context.localZone
    let start = zone.startOfDay(date)
    // There is no day after 9999-12-31.
    let end = date.adding(days: days).map(zone.startOfDay) ?? max(TimeSpan.always.end, start)
    let span = TimeSpan(start: start, end: end)
    let reader = try agenda.reader()
    let found = try reader.rows(in: span, limit: Contract.maximumRows + 1)
    guard found.count <= Contract.maximumRows else { throw CallError(tooManyAmong: found) }
    releaseMemory(after: found)
    return RowsAnswer(rows: try OccurrenceRows.of(found, from: reader))
  }

  /// Releases memory after a long answer, which takes megabytes.
  private func releaseMemory(after found: [Occurrence]) {
    if found.count >= CalendarObject.long { memory.releaseSoon() }
  }

  private static let long = 2000
}

/// A cursor: the position after a row in the order of all rows.
///
/// It stays valid when other rows are added or removed.
struct PageCursor: Equatable {
  private let start: Int64
  private let end: Int64
  private let uid: String
  private let calendar: String
  /// "" for an event that does not recur.
  private let recurrence: String

  init(_ occurrence: Occurrence) {
    start = occurrence.span.start.seconds
    end = occurrence.span.end.seconds
    uid = occurrence.uid.text
    calendar = occurrence.calendar.text
    recurrence = occurrence.recurrenceText
  }

  /// "START END RECURRENCE-ID CALENDAR UID"; only the uid may have spaces.
  ///
  /// The third field is a hyphen for an event that does not recur.
  var text: String {
    "\(start) \(end) \(recurrence.isEmpty ? PageCursor.none : recurrence) \(calendar) \(uid)"
  }

  private static let none = "-"

  /// - Throws: ``CallError`` of the kind `invalidArguments` for text that is not a cursor of this
  ///   method, or is from an older agent, without the recurrence ID.
  init(text: String) throws(CallError) {
    let fields = text.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
    guard fields.count == 5, let start = Int64(fields[0]), let end = Int64(fields[1]),
      fields[2] == PageCursor.none || (try? RecurrenceID(text: fields[2])) != nil
    else {
      throw CallError.invalidCursor(text)
    }
    self.start = start
    self.end = end
    recurrence = fields[2] == PageCursor.none ? "" : String(fields[2])
    calendar = String(fields[3])
    uid = String(fields[4])
  }

  /// The earliest start of an occurrence after the position.
  var earliest: Timestamp { Timestamp(seconds: start) }

  /// Whether an occurrence comes after the position.
  func precedes(_ occurrence: Occurrence) -> Bool {
    let span = occurrence.span
    if span.start.seconds != start { return span.start.seconds > start }
    if span.end.seconds != end { return span.end.seconds > end }
    if occurrence.uid.text != uid { return occurrence.uid.text > uid }
    if occurrence.calendar.text != calendar { return occurrence.calendar.text > calendar }
    return occurrence.recurrenceText > recurrence
  }
}
