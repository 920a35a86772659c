import CalendarBus
import DBus
import Platform

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
      .value("--id", "ID", repeats: true, "only this event (all)"),
      .flag("--omit-private", "leave out what is private or confidential"),
      .choice(
        "--format", "WORD", of: ["ics", "jcal", "json", "csv"],
        "ics, jcal (iCalendar as JSON; json is the same) or csv (what FILE ends with, else ics)"),
      .value(
        "--output", "FILE", "the file to write (-o); - is standard output (standard output)"),
    ],
    summary: "write events to a file: iCalendar, jCal or CSV",
    details: [
      """
      To-dos and journal entries are among them. A repeating event is written whole, whatever the \
      range is. What calctl import has read comes back with all that it had; csv has the main fields only.
      """,
      """
      Each calendar is a VCALENDAR of its own, by which calctl import puts the events back where they were. \
      Programs that read but the first one of a file need --calendar.
      """,
      """
      FILE is replaced when all of it is written, and stays as it was where that fails. It keeps its \
      permissions.
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
    var options = Row()
    options.setUnlessEmpty(.from, arguments.value("--from") ?? "")
    options.setUnlessEmpty(.to, arguments.value("--to") ?? "")
    var calendars = try arguments.calendars(context)
    let ids = arguments.all("--id")
    if !ids.isEmpty {
      let events = try named(ids, context)
      options.set(.uids, events.uids)
      if calendars.isEmpty { calendars = events.calendars }
    }
    if arguments.has("--omit-private") { options.set(.omitPrivate, true) }
    let format = arguments.value("--format") ?? exportFormat(ofFile: path)
    let client = try context.client()
    func export(to descriptor: Int32) throws(CommandError) -> Int64 {
      do throws(CommandError) {
        return try client.export(
          to: asBusError { () throws(DBusError) in
            try DBus.FileDescriptor(duplicating: descriptor)
          }, format: format, calendars: calendars, options: options)
      } catch {
        throw error.asExportError(path)
      }
    }
    if path == "-" {
      _ = try export(to: context.standardOutput.descriptor)
    } else {
      let file = try asFileError(path) { () throws(SystemError) in
        try FileReplacement(of: path)
      }
      let count = try export(to: file.descriptor.number)
      try asFileError(path) { () throws(SystemError) in try file.commit() }
      context.writeError("Exported \(count) event\(count == 1 ? "" : "s") to \(path)\n")
      if format == "csv" {
        context.output.warning(
          "a table has no reminders, no attendees and no properties of other programs; "
            + "--format ics has all")
      }
    }
  }
}

/// The events that somebody means by IDs or the beginnings of them, and the calendars that
/// were said; none where one ID has none. What has no occurrences, such as a journal entry,
/// goes by the whole of its ID.
private func named(
  _ ids: [String], _ context: CommandContext
) throws(CommandError) -> (uids: [String], calendars: [String]) {
  var (uids, calendars) = ([String](), [String]())
  var isAnywhere = false
  for id in ids {
    do throws(CommandError) {
      let found = try EventLookup(context: context).event(beginning: EventReference(id))
      uids.append(found.uid)
      calendars.append(found.calendar)
      isAnywhere = isAnywhere || found.name == found.uid
    } catch .notFound(_, near: []) {
      uids.append(id)
      isAnywhere = true
    } catch {
      throw error
    }
  }
  return (uids, isAnywhere ? [] : calendars)
}

/// The format that the name of a file says; "ics" for any other.
private func exportFormat(ofFile path: String) -> String {
  let name = path.lowercased()
  if name.hasSuffix(".csv") { return "csv" }
  return name.hasSuffix(".json") || name.hasSuffix(".jcal") ? "jcal" : "ics"
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
      ("calendars", "--calendar"), ("uids", "--id"),
    ])
  }
}
