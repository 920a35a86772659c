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
        help: "a file, or a folder of calendar files; - is standard input", repeats: true)
    ],
    options: [
      .calendar,
      .choice(
        "--mode", "WORD", of: ["merge", "replace", "skip-existing", "copy"],
        "what to do with an event that is there already: merge, replace, skip-existing or copy "
          + "(merge)"),
      .choice(
        "--format", "WORD", of: ["ics", "jcal", "json", "csv"],
        "ics, jcal (iCalendar as JSON; json is the same) or csv (what the file's name ends with, else what "
          + "it looks like)"),
      .flag("--skip-bad", "leave out files that are no calendars, and import the others"),
      .flag("--dry-run", "say what would happen, and keep nothing"),
      .json,
    ],
    summary: "read files into calendars: iCalendar, jCal or CSV",
    details: [
      """
      merge keeps the newer of two versions of an event, by SEQUENCE and LAST-MODIFIED; replace \
      takes what the file has; skip-existing adds only what is new; copy adds all of it under new IDs. \
      One event that cannot be read does not lose the others: each such fault is a line on standard \
      error.
      """,
      """
      Without --calendar, what calctl export has written goes back into the calendars that it is of, and those \
      that there are not are made; a calendar that another program wrote goes into the one of its name, else \
      into the default one. An event that is in another calendar already is changed there, and told.
      """,
      """
      Several files, and the files of a folder (a vdir collection; those that end with .ics, .csv, .json or .jcal), \
      come in together or not at all, and are one step to undo; files of another form, and tables with \
      other columns, are a step of their own. A file that is no calendar is named with the line, and nothing \
      is imported, unless --skip-bad is given.
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
    let request = ImportCommandRequest(
      paths: arguments.positionals, format: arguments.value("--format") ?? "",
      calendar: try arguments.calendar(context), mode: arguments.value("--mode") ?? "",
      skipsBad: arguments.has("--skip-bad"))
    let isDryRun = arguments.has("--dry-run")
    var sources = try request.sources(context)
    // Where one call cannot do it, all are tried before the first is made.
    if sources.count > 1, !isDryRun {
      sources = try request.outcomes(of: sources, isDryRun: true, context).map(\.source)
    }
    let outcomes = try request.outcomes(of: sources, isDryRun: isDryRun, context)
    if outcomes.isEmpty { throw .system("there is nothing to import") }
    try context.output.imported(outcomes, isDryRun: isDryRun, isJSON: arguments.has(.json))
  }
}
