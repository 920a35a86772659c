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
        help: "the file to write, as of --output; - is standard output (standard output)")
    ],
    options: [
      .value(
        "--calendar", "CALENDAR", repeats: true,
        "only this calendar, its ID or its name (all, the hidden ones too)"),
      .value("--from", "MOMENT", "only events that happen from then on (any)"),
      .value(
        "--to", "MOMENT", "only events that happen before then; after --from also a length (any)"),
      .value(
        "--id", "ID", repeats: true, "only this event, or as ID/OCCURRENCE this one of it (all)"),
      .flag("--omit-private", "leave out what is private or confidential"),
      .choice(
        "--format", "WORD", of: ["ics", "json", "csv"],
        "ics, json (an array of what calctl show --json prints) or csv (what FILE ends with)"),
      .value(
        "--output", "FILE", "the file to write (-o); - is standard output (standard output)"),
    ],
    summary: "write events to a file: iCalendar, JSON or CSV",
    details: [
      """
      To-dos and journal entries are among them, of a range those with a time in it. A repeating event is written \
      whole, whatever the range is; of --id ID/OCCURRENCE that occurrence alone, as people are invited to one: who has the \
      event gets a changed occurrence of it, and others get one event.
      """,
      """
      What calctl import has read comes back with all that it had, but for METHOD, PRODID, CALSCALE, X-WR-TIMEZONE (on whose \
      clock its floating times are then), an X-WR-CALNAME beside NAME, X-CALSTART, X-CALEND, X-CLIPSTART and X-CLIPEND (the \
      days that one file is of), the name and the colour of a calendar whose events went \
      into one that was there, and values that the import mended and told. VTIMEZONEs of zones that are installed are \
      written anew, and all text as UTF-8, without CHARSET. What says by no DTSTAMP, LAST-MODIFIED or CREATED how old it is has \
      the time of its import for a DTSTAMP, with the parameter X-DATEBOOK-IMPORTED, by which that is no age.
      """,
      """
      A backup holds events, to-dos, journal entries, and the names and colours of calendars, which the first one of a new machine \
      takes, too. It has not their settings (default reminders, hidden, time zone, place in the list), the history, \
      the trash, and the reminders that have rung and wait for an answer. Of reminders of an event's own it has what was \
      dismissed (of a series up to the last that rang, and none to come) and put off, as RFC 9074 has it; of those that ring \
      by the defaults of a calendar it has neither. csv is not a backup: it leaves out reminders, attendees, how far to-dos are and what \
      other programs added. Nor is json, which is for scripts: calctl import does not read it.
      """,
      """
      Each calendar is a VCALENDAR of its own, by which calctl import puts the events back where they were. \
      Programs that read but the first one of a file need --calendar.
      """,
      """
      FILE is replaced when all of it is written, and stays as it was where that fails. It keeps its \
      permissions. A name without an ending is iCalendar, one with an ending of something else wants --format.
      """,
      """
      Of a csv the rows of an event whose zone came with a file are in UTC; one that repeats cannot be, and is \
      told.
      """,
    ],
    examples: [
      "calctl export calendar.ics",
      "calctl export --calendar work --from 2026-01-01 --to 2027-01-01 --format csv -o 2026.csv",
      "calctl export | ssh other-host calctl import -",
    ]
  ) { arguments, context throws(CommandError) in
    let path = arguments.value("--output") ?? arguments.positional(0) ?? "-"
    if let file = arguments.positional(0), arguments.has("--output") {
      throw .usage(
        "\"\(file)\" and --output \"\(path)\": there is one file to write", command: "export",
        hint: nil)
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
      context.writeError("Exported \(outcome.words) to \(displayLine(path))\n")
      if let ending = exportFormat(ofEnding: path), ending != format {
        context.output.warning(
          "\(path) is written as --format says, and its ending says another: calctl import and other programs "
            + "may go by that")
      }
      if format == "csv" {
        context.output.warning(
          "a table has no reminders, no attendees and no properties of other programs; "
            + "--format ics has all")
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

/// The events that somebody means by IDs or the beginnings of them, the occurrence of each ("" is all
/// of it), and the calendars that were said; none where one ID has none. What has no occurrences, such as a journal entry,
/// goes by the whole of its ID, also where that ends like an occurrence of an event that there is not.
private func named(
  _ ids: [String], _ context: CommandContext
) throws(CommandError) -> (uids: [String], occurrences: [String], calendars: [String]) {
  var (uids, occurrences, calendars) = ([String](), [String](), [String]())
  var isAnywhere = false
  for id in ids {
    do throws(CommandError) {
      let found = try EventLookup(context: context).event(beginning: EventReference(id))
      uids.append(found.uid)
      occurrences.append(found.occurrence)
      calendars.append(found.calendar)
      isAnywhere = isAnywhere || found.name == found.uid
    } catch .notFound(let message, near: []) {
      if let other = try EventLookup(context: context).other(EventReference(id)) {
        uids.append(other.uid)
        occurrences.append("")
        calendars.append(other.calendar)
        isAnywhere = isAnywhere || other.uid == id
        continue
      }
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

/// Whether there is an event of a uid.
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

/// The format that the name of a file says, which is iCalendar where it has no ending.
///
/// - Throws: ``CommandError/usage(_:command:hint:)`` for an ending of something else: nobody is to
///   find iCalendar in a workbook.
private func exportFormat(ofFile path: String) throws(CommandError) -> String {
  let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
  // A dot in front hides a file.
  guard path != "-", let dot = name.dropFirst().lastIndex(of: ".") else { return "ics" }
  if let format = exportFormat(ofEnding: path) { return format }
  throw .usage(
    "\"\(name)\": no format has the ending \(name[dot...]): it is one of "
      + "\(exportEndings.map(\.ending).joined(separator: ", ")), or --format says which (ics, json, csv)",
    command: "export", hint: nil)
}

/// What the names of files end with, and the format that each says.
private let exportEndings: [(ending: String, format: String)] = [
  (".ics", "ics"), (".ical", "ics"), (".ifb", "ics"), (".json", "json"), (".csv", "csv"),
]

/// The format that the ending of a file says; nil for any other.
private func exportFormat(ofEnding path: String) -> String? {
  let name = path.lowercased()
  return exportEndings.first { name.hasSuffix($0.ending) }?.format
}

/// Runs what writes a file; its errors become those of a command.
private func asFileError<Answer>(
  _ path: String, _ body: () throws(SystemError) -> Answer
) throws(CommandError) -> Answer {
  do throws(SystemError) {
    return try body()
  } catch {
    throw .system("cannot write \(path): \(error.code)")
  }
}

extension CommandError {
  /// What Export said, in the words of the command line.
  fileprivate func asExportError(_ path: String) -> CommandError {
    guard case .refused(let name, let message) = self else { return self }
    if path == "-", message.hasPrefix(Contract.readerHasGone) { return .closedOutput }
    let target = path == "-" ? "standard output" : path
    guard !message.hasPrefix("fd: ") else {
      return .refused(name: name, message: "cannot write \(target): " + message.dropFirst(4))
    }
    return renamed([
      ("from", "--from"), ("to", "--to"),
      ("calendars", "--calendar"), ("uids", "--id"), ("recurrence-ids", "--id"),
    ])
  }
}
