package import CivilTime
package import DBus

/// Typed calls to the agent, for programs that wait for the answer.
///
/// - Parameter Failure: what the caller makes of an error on the bus, so that it
///   is translated in one place.
package final class CalendarClient<Failure: Error> {
  package let connection: Connection
  private let failure: (DBusError) -> Failure
  /// Where calls wait between whose answer there is something to hear.
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

  /// One page of the occurrences of a range; `next` is the cursor of the page
  /// after it, "" at the end.
  ///
  /// - Parameter options: as GetOccurrences has them.
  package func occurrences(
    from: String, to: String, options: Row
  ) throws(Failure) -> (rows: [Row], next: String) {
    let answer = try call(
      Contract.calendar, "GetOccurrences", [.string(from), .string(to), options.value])
    return ((answer.first?.asArray ?? []).map(Row.init), answer.last?.asString ?? "")
  }

  /// The first events that a query finds, one row each, and the cursor of
  /// the page after it, "" at the end.
  ///
  /// - Parameter options: as Search has them.
  package func search(
    _ query: String, options: Row
  ) throws(Failure) -> (rows: [Row], next: String) {
    let answer = try call(Contract.calendar, "Search", [.string(query), options.value])
    return ((answer.first?.asArray ?? []).map(Row.init), answer.last?.asString ?? "")
  }

  /// The grid of the page that a day is on, one line of JSON.
  package func month(day: String, mode: String) throws(Failure) -> String {
    try call(Contract.calendar, "Month", [.string(day), .string(mode)]).first?.asString ?? ""
  }

  /// The same of some of the events.
  ///
  /// - Parameter options: as SnapshotOf has them.
  package func month(day: String, mode: String, options: Row) throws(Failure) -> String {
    try call(
      Contract.calendar, "MonthOf", [.string(day), .string(mode), options.value]
    ).first?.asString ?? ""
  }

  /// The snapshot, one line of JSON.
  package func snapshot() throws(Failure) -> String {
    try call(Contract.calendar, "Snapshot").first?.asString ?? ""
  }

  /// The snapshot of some of the calendar, one line of JSON.
  ///
  /// - Parameter options: as SnapshotOf has them.
  package func snapshot(options: Row) throws(Failure) -> String {
    try call(Contract.calendar, "SnapshotOf", [options.value]).first?.asString ?? ""
  }

  /// Every property of the main interface, a dictionary by their names.
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

  /// The warnings of an answer that ends with details.
  private static func warnings(_ answer: [Value]) -> [String] {
    answer.last.map { Row($0).texts(.warnings) } ?? []
  }

  /// Adds what a line of text describes.
  ///
  /// - Returns: the event as it was added, with the keys of Get and "warnings".
  package func quickAdd(
    _ text: String, calendar: String
  ) throws(Failure) -> (event: Row, revision: Int64) {
    let answer = try call(Contract.events, "QuickAdd", [.string(text), .string(calendar)])
    return (Row(answer.count > 1 ? answer[1] : .row([])), answer.last?.asInteger ?? 0)
  }

  /// What a line of text was understood as.
  package struct QuickParsing {
    /// With the keys of Add.
    package var event: Row
    /// 0 to 100.
    package let confidence: Int64
    /// "when 16 22": what the bytes from 16 up to 22 were read as.
    package let spans: [String]
    package let warnings: [String]
  }

  package func quickParse(_ text: String) throws(Failure) -> QuickParsing {
    let answer = try call(Contract.events, "QuickParse", [.string(text)])
    return QuickParsing(
      event: Row(answer.first ?? .row([])),
      confidence: answer.count > 1 ? answer[1].asInteger ?? 0 : 0,
      spans: answer.count > 2 ? answer[2].asStrings ?? [] : [],
      warnings: CalendarClient.warnings(answer))
  }

  /// - Returns: the event that holds the change, another one after this-and-future.
  package func update(
    _ uid: String, occurrence: String, scope: String, changes: Row
  ) throws(Failure) -> (uid: String, revision: Int64, warnings: [String]) {
    let answer = try call(
      Contract.events, "Change",
      [.string(uid), .string(occurrence), .string(scope), changes.value])
    let row = Row(answer.first ?? .row([]))
    return (row.text(.uid), row.number(.revision), row.texts(.warnings))
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

  /// What was taken back or done again.
  package struct UndoAnswer {
    /// A word of the contract: add, update, remove, import and so on.
    package let action: String
    package let uids: [String]
    package let revision: Int64
    /// How many events it touched, also where that is more than are named.
    package let events: Int64
    /// What people know it by; "" where that is not known.
    package let label: String
    /// What it changed in a calendar: keys of Calendars.Update.
    package let changed: [String]
  }

  package func undo() throws(Failure) -> UndoAnswer { try turn("Undo") }

  package func redo() throws(Failure) -> UndoAnswer { try turn("Redo") }

  private func turn(_ member: MemberName) throws(Failure) -> UndoAnswer {
    // A change of many events takes its time, as an import does.
    let answer = try call(Contract.events, member, timeoutMilliseconds: Connection.noTimeout)
    let uids = answer.count > 1 ? answer[1].asStrings ?? [] : []
    let revision = answer.last?.asInteger ?? 0
    // The step is done, even if its label cannot be read.
    let rows: [Row]
    do throws(Failure) { rows = try history(limit: 200) } catch { rows = [] }
    let row = rows.first { $0.number(.revision) == revision }
    return UndoAnswer(
      action: answer.first?.asString ?? "", uids: uids, revision: revision,
      events: row?.number(.events) ?? Int64(uids.count), label: row?.text(.label) ?? "",
      changed: row?.texts(.changed) ?? [])
  }

  /// The latest changes that can be taken back or done again, the newest first.
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

  /// The zone that a calendar gives its new events; "" for the agent's.
  ///
  /// - Parameter id: "" for the one that new events go into.
  package func zone(ofCalendar id: String) throws(Failure) -> String {
    try calendars().first { id.isEmpty ? $0.flag(.isDefault) : $0.text(.id) == id }?
      .text(.timeZone) ?? ""
  }

  /// - Returns: the id of the new calendar.
  package func createCalendar(_ name: String, color: String) throws(Failure) -> String {
    let answer = try call(
      Contract.calendars, "Create", [.string(name), .string(color), .string("")])
    return answer.first?.asString ?? ""
  }

  /// - Parameter changes: as Update has them.
  package func updateCalendar(_ id: String, _ changes: Row) throws(Failure) {
    _ = try call(Contract.calendars, "Update", [.string(id), changes.value])
  }

  package func removeCalendar(_ id: String, withEvents: Bool) throws(Failure) {
    _ = try call(
      Contract.calendars, "Remove",
      [.string(id), .string(withEvents ? "with-events" : "refuse-if-used")])
  }

  // MARK: Reminders

  /// Returns the last 100 missed reminders, the last one first.
  package func missedReminders() throws(Failure) -> [Row] {
    try rows(Contract.reminders, "Missed", [.uint32(0)])
  }

  /// - Parameter hours: 0 is a day.
  package func upcomingReminders(hours: UInt32) throws(Failure) -> [Row] {
    try rows(Contract.reminders, "Upcoming", [.uint32(hours)])
  }

  package func why(_ uid: String, occurrence: String) throws(Failure) -> [Row] {
    try rows(Contract.reminders, "Why", [.string(uid), .string(occurrence)])
  }

  /// - Returns: the id of the reminder that was raised.
  package func testReminder() throws(Failure) -> String {
    try call(Contract.reminders, "Test").first?.asString ?? ""
  }

  /// - Returns: until when it is quiet; 0: it is not, the greatest integer: without end.
  package func setQuiet(until: String) throws(Failure) -> Int64 {
    try call(Contract.calendar, "SetQuiet", [.string(until)]).first?.asInteger ?? 0
  }

  /// - Returns: as ``setQuiet(until:)``.
  package func quietUntil() throws(Failure) -> Int64 {
    let answer = try call(
      "org.freedesktop.DBus.Properties", "Get",
      [.string(Contract.calendar.text), .string("QuietUntil")])
    return answer.first?.unwrapped.asInteger ?? 0
  }

  /// - Returns: when it comes back.
  package func snooze(_ id: String, until: String) throws(Failure) -> Timestamp {
    let answer = try call { () throws(DBusError) in try .snooze(id, until: until) }
    return Timestamp(seconds: answer.first?.asInteger ?? 0)
  }

  /// - Returns: how many were snoozed.
  package func snoozeAll(until: String) throws(Failure) -> Int64 {
    try call(Contract.reminders, "SnoozeAll", [.string(until)]).first?.asInteger ?? 0
  }

  package func dismiss(_ id: String) throws(Failure) {
    _ = try call(Contract.reminders, "Dismiss", [.string(id)])
  }

  /// - Returns: how many were dismissed.
  package func dismissAll() throws(Failure) -> Int64 {
    try call(Contract.reminders, "DismissAll").first?.asInteger ?? 0
  }

  // MARK: Transfer

  /// What came of an import.
  package struct ImportOutcome: CountedOutcome {
    /// By the keys of the contract: added, updated, skipped, failed.
    package let counts: Value
    package let problems: [Row]

    /// How many are in each calendar by its id.
    package var byCalendar: [(id: String, count: Int64)] {
      (counts.asRow ?? []).compactMap { key, value in
        guard key.hasPrefix(Contract.calendarCountPrefix) else { return nil }
        return (String(key.dropFirst(Contract.calendarCountPrefix.count)), value.asInteger ?? 0)
      }
    }
  }

  /// - Parameters:
  ///   - folder: the name of the folder that the text comes from, and its color as #rrggbb or "";
  ///     nil where it comes from no folder that is a calendar.
  ///   - onProgress: receives the progress, in percent, and the number of events; nil for none.
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
    // A pipe may take its time: as long as the user waits, so do we.
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

  /// What came of an export.
  package struct ExportOutcome: CountedOutcome {
    /// By the keys of the contract: events, to-dos, journals, free-busy, others.
    package let counts: Value
    /// What the format could not hold.
    package let problems: [Row]
  }

  /// Writes events to a descriptor, which the agent closes.
  ///
  /// - Parameter options: as ExportDetailed has them.
  package func export(
    to descriptor: FileDescriptor, format: String, calendars: [String], options: Row
  ) throws(Failure) -> ExportOutcome {
    let answer = try call(
      Contract.transfer, "ExportDetailed",
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

  /// Calls a method that takes some time, and passes the signals that come meanwhile to `body`.
  private func call(
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

  private func call(
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

extension Message {
  /// The call that ``CalendarClient/snooze(_:until:)`` makes, for who does not wait for its answer.
  package static func snooze(_ id: String, until: String) throws(DBusError) -> Message {
    try .call(
      Contract.busName, Contract.path, Contract.reminders, "Snooze",
      [.string(id), .string(until)])
  }
}

/// What came of an import or an export.
package protocol CountedOutcome {
  /// How many there were of each kind, by the keys of the contract.
  var counts: Value { get }
}

extension CountedOutcome {
  package func count(_ key: RowKey) -> Int64 { counts[key.rawValue]?.asInteger ?? 0 }
}
