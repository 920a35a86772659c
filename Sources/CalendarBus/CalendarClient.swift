package import DBus

/// Typed calls to the agent, for programs that wait for the answer.
///
/// Every call throws `Failure`, the caller's error type: errors of the agent and of the bus are
/// converted to it in one place.
package final class CalendarClient<Failure: Error> {
  package let connection: Connection
  private let failure: (DBusError) -> Failure
  /// The loop for calls that also receive signals; made at the first one.
  private var loop: BlockingLoop?

  package init(connection: Connection, failure: @escaping (DBusError) -> Failure) {
    self.connection = connection
    self.failure = failure
  }

  // MARK: Reading

  package func today() throws(Failure) -> [Row] {
    try rows(Contract.calendar, "Today")
  }

  package func agenda(from: String, days: UInt32) throws(Failure) -> [Row] {
    try rows(Contract.calendar, "Agenda", [.string(from), .uint32(days)])
  }

  package func next(_ count: UInt32) throws(Failure) -> [Row] {
    try rows(Contract.calendar, "Next", [.uint32(count)])
  }

  /// Returns one page of the occurrences of a range; `next` is the next cursor, "" at the end.
  ///
  /// - Parameter options: The options of GetOccurrences.
  package func occurrences(
    from: String, to: String, options: Row
  ) throws(Failure) -> (rows: [Row], next: String) {
    let answer = try call(
      Contract.calendar, "GetOccurrences", [.string(from), .string(to), options.value])
    return ((answer.first?.asArray ?? []).map(Row.init), answer.last?.asString ?? "")
  }

  /// Returns one page of the events that match a query; `next` is the next cursor, "" at the end.
  ///
  /// - Parameter options: The options of Search.
  package func search(
    _ query: String, options: Row
  ) throws(Failure) -> (rows: [Row], next: String) {
    let answer = try call(Contract.calendar, "Search", [.string(query), options.value])
    return ((answer.first?.asArray ?? []).map(Row.init), answer.last?.asString ?? "")
  }

  /// The grid of the page that contains a day, one line of JSON.
  package func month(day: String, mode: String) throws(Failure) -> String {
    try call(Contract.calendar, "Month", [.string(day), .string(mode)]).first?.asString ?? ""
  }

  /// The same grid for some of the events.
  ///
  /// - Parameter options: The options of SnapshotOf.
  package func month(day: String, mode: String, options: Row) throws(Failure) -> String {
    try call(
      Contract.calendar, "MonthOf", [.string(day), .string(mode), options.value]
    ).first?.asString ?? ""
  }

  /// The snapshot, one line of JSON.
  package func snapshot() throws(Failure) -> String {
    try call(Contract.calendar, "Snapshot").first?.asString ?? ""
  }

  /// The snapshot of some of the events, one line of JSON.
  ///
  /// - Parameter options: The options of SnapshotOf.
  package func snapshot(options: Row) throws(Failure) -> String {
    try call(Contract.calendar, "SnapshotOf", [options.value]).first?.asString ?? ""
  }

  /// All properties of the main interface, by name.
  package func properties() throws(Failure) -> Value {
    try call(
      "org.freedesktop.DBus.Properties", "GetAll", [.string(Contract.calendar.text)]
    ).first ?? .row([])
  }

  /// The IANA name of the agent's zone.
  package func timeZone() throws(Failure) -> String {
    let answer = try call(
      "org.freedesktop.DBus.Properties", "Get",
      [.string(Contract.calendar.text), .string("TimeZone")])
    return answer.first?.unwrapped.asString ?? ""
  }

  // MARK: Events

  /// - Parameter uid: Also "CALENDAR/UID".
  package func event(_ uid: String, occurrence: String) throws(Failure) -> Row {
    Row(try call(Contract.events, "Get", [.string(uid), .string(occurrence)]).first ?? .row([]))
  }

  package func add(
    _ event: Row, calendar: String
  ) throws(Failure) -> (uid: String, revision: Int64, warnings: [String]) {
    let answer = try call(Contract.events, "Add", [.string(calendar), event.value])
    return (
      answer.first?.asString ?? "", answer.count > 1 ? answer[1].asInteger ?? 0 : 0,
      CalendarClient.warnings(answer)
    )
  }

  /// Returns the warnings in the details that end an answer.
  private static func warnings(_ answer: [Value]) -> [String] {
    answer.last.map { Row($0).texts(.warnings) } ?? []
  }

  /// Adds the event that a line of text describes.
  ///
  /// - Returns: The event as it was added, with the keys of Get and "warnings".
  package func quickAdd(
    _ text: String, calendar: String
  ) throws(Failure) -> (event: Row, revision: Int64) {
    let answer = try call(Contract.events, "QuickAdd", [.string(text), .string(calendar)])
    return (Row(answer.count > 1 ? answer[1] : .row([])), answer.last?.asInteger ?? 0)
  }

  /// How a line of text was understood.
  package struct QuickParsing {
    /// The event, with the keys of Add.
    package var event: Row
    /// What was read from which bytes: "when 16 22" for the bytes from 16 up to 22.
    package let spans: [String]
    package let warnings: [String]
  }

  package func quickParse(_ text: String) throws(Failure) -> QuickParsing {
    let answer = try call(Contract.events, "QuickParse", [.string(text)])
    return QuickParsing(
      event: Row(answer.first ?? .row([])),
      spans: answer.count > 1 ? answer[1].asStrings ?? [] : [],
      warnings: CalendarClient.warnings(answer))
  }

  /// - Returns: The UID of the changed event: a new one if `scope` is this-and-future.
  package func update(
    _ uid: String, occurrence: String, scope: String, changes: Row
  ) throws(Failure) -> (uid: String, revision: Int64, warnings: [String]) {
    let answer = try call(
      Contract.events, "Update",
      [.string(uid), .string(occurrence), .string(scope), changes.value])
    let row = Row(answer.first ?? .row([]))
    return (row.text(.uid), row.number(.revision), row.texts(.warnings))
  }

  package func addToDo(_ toDo: Row, calendar: String) throws(Failure) -> String {
    try call(Contract.events, "AddTodo", [.string(calendar), toDo.value]).first?.asString ?? ""
  }

  /// Changes a to-do, or one occurrence of it.
  package func changeToDo(
    _ uid: String, occurrence: String, changes: Row
  ) throws(Failure) -> Int64 {
    let answer = try call(
      Contract.events, "ChangeTodo", [.string(uid), .string(occurrence), changes.value])
    return answer.first?.asInteger ?? 0
  }

  /// Moves events to another calendar.
  package func move(_ uids: [String], to calendar: String) throws(Failure) -> Int64 {
    try call(Contract.events, "Move", [.strings(uids), .string(calendar)])
      .first?.asInteger ?? 0
  }

  package func remove(
    _ uid: String, occurrence: String, scope: String
  ) throws(Failure) -> Int64 {
    try call(
      Contract.events, "Remove", [.string(uid), .string(occurrence), .string(scope)]
    ).first?.asInteger ?? 0
  }

  // MARK: Undo and the trash

  /// What was undone or redone.
  package struct UndoAnswer {
    /// The kind of change, a word of the contract: add, update, remove, import and so on.
    package let action: String
    package let uids: [String]
    package let revision: Int64
    /// How many events it changed, also if `uids` does not name all of them.
    package let events: Int64
    /// The title of what it changed; "" if unknown.
    package let label: String
    /// The changed properties of a calendar: keys of Calendars.Update.
    package let changed: [String]
  }

  package func undo() throws(Failure) -> UndoAnswer { try turn("Undo") }

  package func redo() throws(Failure) -> UndoAnswer { try turn("Redo") }

  private func turn(_ member: MemberName) throws(Failure) -> UndoAnswer {
    // Undoing a change of many events, such as an import, takes long.
    let answer = try call(Contract.events, member, timeoutMilliseconds: Connection.noTimeout)
    let uids = answer.count > 1 ? answer[1].asStrings ?? [] : []
    let revision = answer.last?.asInteger ?? 0
    // The undo has succeeded, even if its label cannot be read.
    let rows: [Row]
    do throws(Failure) { rows = try history(limit: 200) } catch { rows = [] }
    let row = rows.first { $0.number(.revision) == revision }
    return UndoAnswer(
      action: answer.first?.asString ?? "", uids: uids, revision: revision,
      events: row?.number(.events) ?? Int64(uids.count), label: row?.text(.label) ?? "",
      changed: row?.texts(.changed) ?? [])
  }

  /// The latest changes that can be undone or redone, the newest first.
  package func history(limit: UInt32) throws(Failure) -> [Row] {
    try rows(Contract.events, "History", [.uint32(limit)])
  }

  package func restore(_ uid: String) throws(Failure) -> Int64 {
    try call(Contract.events, "Restore", [.string(uid)]).first?.asInteger ?? 0
  }

  // MARK: Calendars

  package func calendars() throws(Failure) -> [Row] {
    try rows(Contract.calendars, "List")
  }

  /// Returns the default zone of a calendar's new events; "" for the agent's zone.
  ///
  /// - Parameter id: The calendar's ID; "" for the default calendar.
  package func zone(ofCalendar id: String) throws(Failure) -> String {
    try calendars().first { id.isEmpty ? $0.flag(.isDefault) : $0.text(.id) == id }?
      .text(.timeZone) ?? ""
  }

  /// - Returns: The ID of the new calendar.
  package func createCalendar(_ name: String, color: String) throws(Failure) -> String {
    let answer = try call(
      Contract.calendars, "Create", [.string(name), .string(color), .string("")])
    return answer.first?.asString ?? ""
  }

  /// - Parameter changes: The changes of Update.
  package func updateCalendar(_ id: String, _ changes: Row) throws(Failure) {
    _ = try call(Contract.calendars, "Update", [.string(id), changes.value])
  }

  package func removeCalendar(_ id: String, withEvents: Bool) throws(Failure) {
    _ = try call(
      Contract.calendars, "Remove",
      [.string(id), .string(withEvents ? "with-events" : "refuse-if-used")])
  }

  // MARK: Transfer

  /// The result of an import.
  package struct ImportOutcome: CountedOutcome {
    /// The counts by the keys of the contract: added, updated, skipped, failed.
    package let counts: Value
    package let problems: [Row]

    /// The count for each calendar, by its ID.
    package var byCalendar: [(id: String, count: Int64)] {
      (counts.asRow ?? []).compactMap { key, value in
        guard key.hasPrefix(Contract.calendarCountPrefix) else { return nil }
        return (String(key.dropFirst(Contract.calendarCountPrefix.count)), value.asInteger ?? 0)
      }
    }
  }

  /// - Parameters:
  ///   - folder: The name and color (#rrggbb or "") of the folder that is imported as a calendar;
  ///     nil for a single file.
  ///   - onProgress: Gets the progress, in percent, and the number of events; nil for none.
  package func importFile(
    _ descriptor: FileDescriptor, format: String, calendar: String, mode: String, isDryRun: Bool,
    folder: (name: String, color: String)? = nil, makesOwnCalendars: Bool = false,
    onProgress: ((_ percent: Int64, _ events: Int64) -> Void)? = nil
  ) throws(Failure) -> ImportOutcome {
    var options = Row()
    options.set(.byCalendar, true)
    if isDryRun { options.set(.dryRun, true) }
    if makesOwnCalendars { options.set(.ownCalendars, true) }
    options.setUnlessEmpty(.name, folder?.name ?? "")
    options.setUnlessEmpty(.color, folder?.color ?? "")
    if onProgress != nil { options.set(.progress, true) }
    let arguments: [Value] = [
      .fileDescriptor(descriptor), .string(format), .string(calendar), .string(mode),
      options.value,
    ]
    // A pipe may be slow: wait as long as the user does.
    let answer: [Value]
    if let onProgress {
      answer = try call(Contract.transfer, "Import", arguments, hearing: "ImportProgress") {
        onProgress($0.first?.asInteger ?? 0, $0.last?.asInteger ?? 0)
      }
    } else {
      answer = try call(
        Contract.transfer, "Import", arguments, timeoutMilliseconds: Connection.noTimeout)
    }
    return ImportOutcome(
      counts: answer.first ?? .row([]), problems: (answer.last?.asArray ?? []).map(Row.init))
  }

  /// The result of an export.
  package struct ExportOutcome: CountedOutcome {
    /// The counts by the keys of the contract: events, to-dos, journals, free-busy, others.
    package let counts: Value
    /// What the format cannot hold.
    package let problems: [Row]
  }

  /// Writes events to a descriptor, which the agent closes.
  ///
  /// - Parameter options: The options of Export.
  package func export(
    to descriptor: FileDescriptor, format: String, calendars: [String], options: Row
  ) throws(Failure) -> ExportOutcome {
    let answer = try call(
      Contract.transfer, "Export",
      [.fileDescriptor(descriptor), .string(format), .strings(calendars), options.value],
      timeoutMilliseconds: Connection.noTimeout)
    return ExportOutcome(
      counts: answer.first ?? .row([]), problems: (answer.last?.asArray ?? []).map(Row.init))
  }

  // MARK: Calling

  func rows(
    _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = []
  ) throws(Failure) -> [Row] {
    (try call(interface, member, arguments).first?.asArray ?? []).map(Row.init)
  }

  func call(
    _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [],
    timeoutMilliseconds: Int = Connection.defaultTimeoutMilliseconds
  ) throws(Failure) -> [Value] {
    try call(timeoutMilliseconds: timeoutMilliseconds) { () throws(DBusError) in
      try .call(Contract.busName, Contract.path, interface, member, arguments)
    }
  }

  /// Calls a method that takes long, and passes signals that arrive meanwhile to `body`.
  func call(
    _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value],
    hearing signal: MemberName, _ body: @escaping ([Value]) -> Void
  ) throws(Failure) -> [Value] {
    let loop = loop ?? BlockingLoop()
    if self.loop == nil { loop.add(connection) }
    self.loop = loop
    do throws(DBusError) {
      let subscription = try connection.subscribe(
        MatchRule(
          sender: Contract.busName, path: Contract.path, interface: interface, member: signal)
      ) { message in
        if let values = try? message.arguments(limits: .request) { body(values) }
      }
      defer { subscription.cancel() }
      var reply: Result<Message, DBusError>?
      try connection.call(
        .call(Contract.busName, Contract.path, interface, member, arguments),
        timeoutMilliseconds: Connection.noTimeout
      ) { reply = $0 }
      loop.run { reply != nil }
      return try reply?.get().arguments() ?? []
    } catch {
      throw failure(error)
    }
  }

  func call(
    timeoutMilliseconds: Int = Connection.defaultTimeoutMilliseconds,
    _ message: () throws(DBusError) -> Message
  ) throws(Failure) -> [Value] {
    do throws(DBusError) {
      let reply = try connection.callAndWait(message(), timeoutMilliseconds: timeoutMilliseconds)
      return try reply.arguments()
    } catch {
      throw failure(error)
    }
  }
}

/// The result of an import or an export.
package protocol CountedOutcome {
  /// The counts of each kind, by the keys of the contract.
  var counts: Value { get }
}

extension CountedOutcome {
  package func count(_ key: RowKey) -> Int64 { counts[key.rawValue]?.asInteger ?? 0 }
}
