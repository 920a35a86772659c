import CalendarBus
import DBus
import Platform
import Widgets

extension CommandSpec {
  static let exportFile = CommandSpec(
    name: "export",
    arguments: [
      ArgumentSpec(
        name: "FILE", isRequired: false,
        help: localized("the file to write; - is standard output (standard output)"))
    ],
    options: [
      .value(
        "--calendar", "CALENDAR", repeats: true,
        localized("only this calendar, its ID or its name (all, even hidden ones)")),
      .value("--from", "WHEN", localized("only events from then on (any)")),
      .value(
        "--to", "WHEN",
        localized("only events before then; with --from also a duration (any)")),
      .value(
        "--id", "ID", repeats: true,
        localized("only this event, or with ID/OCCURRENCE one occurrence; see IDs (all)")),
      .flag("--omit-private", localized("leave out private and confidential events")),
      .choice(
        "--format", "WORD", of: ["ics", "json", "csv"],
        localized(
          "ics, json (an array of what calctl show --json prints) or csv (the extension of FILE)")),
      .value("--output", "FILE", localized("the same as FILE (-o)")),
    ],
    summary: localized("write events to a file: iCalendar, JSON or CSV"),
    details: [
      localized(
        """
        To-dos and journal entries are exported, too. A recurring event is exported whole, \
        whatever the range. One occurrence becomes an override for those who have the event, and a \
        single event for others. FILE is replaced only when all of it is written, and keeps its \
        permissions. A FILE without an extension is iCalendar.
        """),
      localized(
        """
        As a backup an export has events, to-dos, journal entries, and the names and colors of \
        calendars. It does not have other settings of calendars, the history, the trash, or \
        reminders that are waiting. Answers to an event's own reminders are in it (RFC 9074); \
        answers to default reminders are not. calctl backups has everything. CSV has no reminders, \
        no attendees and no properties of other programs; JSON is for scripts and cannot be imported.
        """),
      localized(
        """
        Each calendar is a VCALENDAR of its own, so that calctl import puts events back into their \
        calendars. For programs that read only the first VCALENDAR of a file, use --calendar.
        """),
      localized(
        """
        calctl warns of invalid values that an import stored and that are written as they came, \
        such as "TRIGGER:soon": strict programs may refuse the file. In CSV, events in a zone that \
        came with an imported file are written in UTC; calctl warns of recurring ones, for which \
        that is not possible. See IMPORTS in man datebookd for the few properties that are not \
        exported.
        """),
    ],
    examples: [
      "calctl export calendar.ics",
      "calctl export --calendar work --from 2026-01-01 --to 2027-01-01 --format csv -o 2026.csv",
      "calctl export | ssh other-host calctl import -",
    ]
  ) { arguments, context throws(CommandError) in
    let path = arguments.value("--output") ?? arguments.positional(0) ?? "-"
    if let file = arguments.positional(0), arguments.has("--output") {
      throw .exclusive("\"\(file)\"", "--output", command: "export")
    }
    try context.checkRange(arguments, of: "export")
    var options = Row()
    options.setUnlessEmpty(.from, arguments.value("--from") ?? "")
    options.setUnlessEmpty(.to, arguments.value("--to") ?? "")
    var calendars = try arguments.calendars(context)
    let ids = arguments.all("--id")
    if !ids.isEmpty {
      let events = try named(ids, context)
      options.set(.uids, events.uids)
      if events.occurrences.contains(where: { !$0.isEmpty }) {
        options.set(.recurrenceIDs, events.occurrences)
      }
      if calendars.isEmpty { calendars = events.calendars }
    }
    if arguments.has("--omit-private") { options.set(.omitPrivate, true) }
    var format = arguments.value("--format") ?? ""
    if format.isEmpty { format = try exportFormat(ofFile: path) }
    let client = try context.client()
    func export(
      to descriptor: DBus.FileDescriptor
    ) throws(CommandError) -> CalendarClient<CommandError>.ExportOutcome {
      do throws(CommandError) {
        return try client.export(
          to: descriptor, format: format, calendars: calendars, options: options)
      } catch {
        throw error.asExportError(path)
      }
    }
    func duplicate(_ descriptor: Int32) throws(CommandError) -> DBus.FileDescriptor {
      try asBusError { () throws(DBusError) in
        try DBus.FileDescriptor(duplicating: descriptor)
      }
    }
    let outcome: CalendarClient<CommandError>.ExportOutcome
    if path == "-", context.isTerminal(context.standardOutput.descriptor) {
      let text = try MemoryFile()
      outcome = try export(to: text.duplicate())
      try text.copy(to: context.standardOutput)
    } else if path == "-" {
      outcome = try export(to: duplicate(context.standardOutput.descriptor))
    } else {
      let file = try asFileError(path) { () throws(SystemError) in
        try FileReplacement(of: path)
      }
      outcome = try export(to: duplicate(file.descriptor.number))
      try asFileError(path) { () throws(SystemError) in try file.commit() }
      context.writeError(
        localized(
          "Exported {what} to {path}", ["what": outcome.words, "path": displayLine(path)]) + "\n")
      if let ending = exportFormat(ofEnding: path), ending != format {
        context.output.warning(
          localized(
            """
            {path} has the format {format}, but the extension of another: programs may read it \
            wrongly
            """,
            ["path": path, "format": format]))
      }
      if format == "csv" {
        context.output.warning(
          localized(
            """
            CSV has no reminders, no attendees and no properties of other programs; --format ics \
            has all
            """))
      }
    }
    for problem in outcome.problems { context.output.warning(problem.remark) }
  }
}

extension CalendarClient.ExportOutcome {
  /// "2 events and 1 to-do".
  fileprivate var words: String {
    KindWords.text { count($0) }
  }
}

/// Finds the events, to-dos and journal entries that are named; see ``EventLookup/any(_:takesFirst:insteadOfOccurrence:)``.
///
/// Returns their UIDs, an occurrence for each ("" for all), and the named calendars; no calendars
/// if one ID names none.
private func named(
  _ ids: [String], _ context: CommandContext
) throws(CommandError) -> (uids: [String], occurrences: [String], calendars: [String]) {
  var (uids, occurrences, calendars) = ([String](), [String](), [String]())
  var isAnywhere = false
  for id in ids {
    do throws(CommandError) {
      let found = try EventLookup(context: context).any(EventReference(id), takesFirst: true)
      uids.append(found.uid)
      occurrences.append(found.occurrence)
      calendars.append(found.calendar)
      isAnywhere = isAnywhere || [found.name, id].contains(found.uid)
    } catch .notFound(let message, near: []) {
      let (uid, occurrence) = EventReference(id).readings[0]
      if !occurrence.isEmpty, try isThere(uid, context) { throw .notFound(message, near: []) }
      uids.append(id)
      occurrences.append("")
      isAnywhere = true
    } catch {
      throw error
    }
  }
  return (uids, occurrences, isAnywhere ? [] : calendars)
}

/// Returns whether there is an event with a UID.
private func isThere(_ uid: String, _ context: CommandContext) throws(CommandError) -> Bool {
  do throws(CommandError) {
    _ = try context.client().event(uid, occurrence: "")
    return true
  } catch  where error.isNotFound {
    return false
  } catch {
    throw error
  }
}

/// Returns the format for a file's extension; iCalendar if it has none.
///
/// - Throws: ``CommandError/usage(_:command:hint:)`` for an unknown extension, so that "x.xlsx"
///   does not get iCalendar.
private func exportFormat(ofFile path: String) throws(CommandError) -> String {
  let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
  // A leading dot hides a file.
  guard path != "-", name.dropFirst().contains(".") else { return "ics" }
  if let format = exportFormat(ofEnding: path) { return format }
  throw .usage(
    localized(
      "\"{file}\": the extension must be one of {extensions}; otherwise use --format",
      ["file": name, "extensions": localizedList(exportEndings.map(\.ending))]),
    command: "export", hint: nil)
}

/// The extensions of file names, and their formats.
private let exportEndings: [(ending: String, format: String)] = [
  (".ics", "ics"), (".ical", "ics"), (".ifb", "ics"), (".json", "json"), (".csv", "csv"),
]

/// Returns the format for the extension of a file name; nil if it is unknown.
private func exportFormat(ofEnding path: String) -> String? {
  let name = path.lowercased()
  return exportEndings.first { name.hasSuffix($0.ending) }?.format
}

/// Runs code that writes a file, and converts its errors to those of a command.
private func asFileError<Answer>(
  _ path: String, _ body: () throws(SystemError) -> Answer
) throws(CommandError) -> Answer {
  do throws(SystemError) {
    return try body()
  } catch {
    throw .system(
      localized("cannot write {path}: {error}", ["path": path, "error": error.code.text]))
  }
}

extension CommandError {
  /// Returns an error of Export with the file and the options of the command line.
  fileprivate func asExportError(_ path: String) -> CommandError {
    guard case .refused(let name, let message) = self else { return self }
    if path == "-", message.hasPrefix(Contract.readerHasGone) { return .closedOutput }
    guard !message.hasPrefix("fd: ") else {
      let reason = message.dropFirst(4)
      return .refused(
        name: name,
        message: path == "-"
          ? localized("cannot write to standard output: {error}", ["error": reason])
          : localized("cannot write {path}: {error}", ["path": path, "error": reason]))
    }
    return renamed([
      ("from", "--from"), ("to", "--to"),
      ("calendars", "--calendar"), ("uids", "--id"), ("recurrence-ids", "--id"),
    ])
  }
}
