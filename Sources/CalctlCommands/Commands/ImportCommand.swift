import CalendarBus
import JSON
import Platform
import Widgets

extension CommandSpec {
  static let importFile = CommandSpec(
    name: "import",
    arguments: [
      ArgumentSpec(
        name: "FILE", isRequired: true,
        help: "a file, or a folder of iCalendar files; - is standard input", repeats: true)
    ],
    options: [
      .calendar,
      .choice(
        "--mode", "WORD", of: ["merge", "replace", "skip-existing", "copy"],
        "what to do with an event that is there already: merge, replace, skip-existing or copy "
          + "(merge)"),
      .choice(
        "--format", "WORD", of: ["ics", "jcal", "json", "csv"],
        "ics, jcal (iCalendar as JSON; json is the same) or csv (what the file looks like)"),
      .flag("--dry-run", "say what would happen, and keep nothing"),
      .json,
    ],
    summary: "read files into a calendar: iCalendar, jCal or CSV",
    details: [
      """
      merge keeps the newer of two versions of an event, by SEQUENCE and LAST-MODIFIED; replace \
      takes what the file has; skip-existing adds only what is new; copy adds all of it under new IDs. \
      One event that cannot be read does not lose the others: each such fault is a line on standard \
      error.
      """,
      """
      Several files, and the files of a folder (a vdir collection), come in together and are one step \
      to undo; they have to be iCalendar.
      """,
      """
      csv has the columns that calctl export writes, in any order; summary and start must be there. An \
      event that is there already gets what the columns say and keeps its reminders and attendees.
      """,
    ],
    examples: [
      "calctl import holidays.ics --dry-run",
      "calctl import --calendar work --mode skip-existing ~/.calendars/work",
      "curl -s https://example.org/team.ics | calctl import -",
    ]
  ) { arguments, context throws(CommandError) in
    let paths = arguments.positionals
    let format = arguments.value("--format") ?? ""
    let file = try ImportSource(paths, context)
    let source = file.name
    let client = try context.client()
    let outcome: CalendarClient<CommandError>.ImportOutcome
    let isLong = context.showsProgress && file.octets >= Progress.longOctets
    if isLong {
      context.writeError("\rImporting \(displayLine(source)) (\(file.octets >> 20) MiB) ...")
    }
    defer { if isLong { context.writeError(Progress.clear) } }
    do throws(CommandError) {
      outcome = try client.importFile(
        file.descriptor, format: format, calendar: arguments.value(OptionSpec.calendar.name) ?? "",
        mode: arguments.value("--mode") ?? "", isDryRun: arguments.has("--dry-run"))
    } catch .refused(let name, let message) where name.hasSuffix(".ParseFailed") {
      throw .refused(name: name, message: "\(source) is no calendar: \(message)")
    } catch .refused(let name, let message) where message.hasPrefix("fd") {
      // The descriptor is nobody's business: what is wrong is wrong with what was named.
      throw .refused(name: name, message: source + message.dropFirst(2))
    } catch {
      throw error.renamed([("mode", "--mode"), ("format", "--format")])
    }
    let output = context.output
    let isText =
      ![".csv", ".json", ".jcal"].contains(where: source.lowercased().hasSuffix)
      && (format.isEmpty || format == "ics")
    if arguments.has(.json) {
      return try output.json([
        "counts": outcome.counts.json, "problems": .array(outcome.problems.map(\.value.json)),
      ])
    }
    var parts: [String] = []
    for (key, words) in [
      (RowKey.added, "added"), (.updated, "updated"), (.skipped, "unchanged"),
      (.failed, "could not be read"),
    ] where outcome.count(key) > 0 {
      parts.append("\(outcome.count(key)) \(words)")
    }
    let verb = arguments.has("--dry-run") ? "Would import" : "Imported"
    let what = parts.isEmpty ? "no events" : parts.joined(separator: ", ")
    try output.line("\(verb) \(source): \(what)")
    for problem in outcome.problems {
      // Of a table and of JSON, a line is long and the column says more.
      let column = problem.number(.column)
      let place = file.place(ofLine: problem.number(.line))
      output.warning(
        place + (isText || column < 1 ? "" : ":\(column)") + ": " + problem.text(.problemText))
    }
    // A script must notice that nothing came in.
    let kept = [RowKey.added, .updated, .skipped].contains { outcome.count($0) > 0 }
    if !kept, outcome.count(.failed) > 0 {
      throw .system("nothing of \(source) could be read")
    }
  }
}
