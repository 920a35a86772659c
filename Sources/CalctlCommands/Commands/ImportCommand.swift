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
        help: localized("a file, or a folder of calendar files; - is standard input"),
        repeats: true)
    ],
    options: [
      .calendar,
      .choice(
        "--mode", "WORD", of: ["merge", "replace", "skip-existing", "copy"],
        localized(
          "for events that exist already: merge, replace, skip-existing or copy (merge)")),
      .choice(
        "--format", "WORD", of: ["ics", "csv"],
        localized("ics or csv (the extension, else the content)")),
      .flag(
        "--own-calendars",
        localized("create the calendars that files name (X-WR-CALNAME, as in Google Takeout)")),
      .flag("--skip-bad", localized("skip files that are not calendars")),
      .flag("--dry-run", localized("print what would be imported, and change nothing")),
      .flag("--preview", localized("print what would be imported, then ask; for file managers")),
      .flag("--verbose", localized("list every note, and not only an example of each kind")),
      .json,
    ],
    summary: localized("import files into calendars: iCalendar or CSV"),
    details: [
      localized(
        """
        merge keeps the newer version of an event (SEQUENCE, then LAST-MODIFIED); replace takes \
        the version of the file; skip-existing adds only new events; copy adds all events under \
        new IDs. An event that cannot be read is named on standard error and left out; the others \
        are imported, and the exit code is 5.
        """),
      localized(
        """
        Without --calendar, what calctl exported goes back into its calendars; missing ones are \
        created. A calendar of another program goes into the one of its name, or else into the \
        default one, or with --own-calendars into a new one. An event that another calendar has is \
        updated there, unless a folder, a table or --calendar says where it belongs.
        """),
      localized(
        """
        Several files are imported together or not at all, as one step to undo. Files of another \
        format or for another calendar, and tables with other columns, are steps of their own; \
        --dry-run shows each step by itself. If a file is not a calendar, nothing is imported, \
        unless --skip-bad is given; then the exit code is 5. Changes of more than 256 MiB of \
        stored events cannot be undone.
        """),
      localized(
        """
        From a folder, files with these extensions are imported: {extensions}. Other files, and \
        .csv files with other content, are skipped with a warning. A folder with a file \
        displayname (a vdir, as of khal and vdirsyncer) is the calendar of that name. Each folder \
        in it with such files is a calendar, too, named by its displayname or like the folder. \
        Missing calendars are created, in the color of the file color. Deeper folders are skipped \
        with a warning.
        """,
        ["extensions": ImportForm.endings]),
      localized(
        """
        csv needs the columns summary and start; it may have the columns that calctl exports, in \
        any order, or those of Outlook (English, German) or Google (English). Cells are separated \
        by commas, semicolons or tabs. Days are 2026-11-21 or 21.11.2026, or 11/21/2026 if the \
        table leaves no doubt. The end of an all-day event is the day after its last one, as calctl \
        exports it; in the tables of Outlook and Google it is its last day, or with the end time \
        midnight the day after it. With merge, an existing event keeps what the table has no \
        columns for.
        """),
      localized(
        """
        calctl names removed events and occurrences that an import brings back, and overrides and \
        future reminders that it removes. Cancelled events (METHOD:CANCEL) are stored, but only \
        calctl show prints them. Events without reminders have the default reminders of their \
        calendar; reminders in the past are not shown.
        """),
      localized(
        """
        A file may have 256 MiB. A truncated file (without END:VCALENDAR) is refused, \
        and an import that is interrupted (Ctrl-C) changes nothing. The section IMPORTS in man datebookd \
        has the details: versions, invitations, text encodings, tables and limits.
        """),
    ],
    examples: [
      "calctl import holidays.ics --dry-run",
      "calctl import ~/.calendars",
      "calctl import --calendar work --mode skip-existing ~/.calendars/work",
      "curl -s https://example.org/team.ics | calctl import -",
    ]
  ) { arguments, context throws(CommandError) in
    if arguments.has("--own-calendars"), arguments.has("--calendar") {
      throw .exclusive("--own-calendars", "--calendar", command: "import")
    }
    guard arguments.has("--preview") else {
      return try context.importFiles(arguments, isDryRun: arguments.has("--dry-run"))
    }
    for other in ["--dry-run", "--json"] where arguments.has(other) {
      throw .exclusive("--preview", other, command: "import")
    }
    // It is read twice, and the answer comes from there.
    if arguments.positionals.contains("-") {
      throw .exclusive("--preview", "-", command: "import")
    }
    try context.importAfterPreview(arguments)
  }
}

extension CommandContext {
  /// Imports the files of a command line, or prints what that would do.
  ///
  /// - Throws: As `calctl import` does.
  fileprivate func importFiles(
    _ arguments: ParsedArguments, isDryRun: Bool
  ) throws(CommandError) {
    let bad = SkippedFiles(areSkipped: arguments.has("--skip-bad"), self)
    let request = ImportCommandRequest(
      paths: arguments.positionals, format: arguments.value("--format") ?? "",
      calendar: try arguments.calendar(self), mode: arguments.value("--mode") ?? "",
      makesOwn: arguments.has("--own-calendars"), bad: bad)
    var sources = try request.sources(self)
    if !isDryRun, sources.count > 1 || bad.areErrors {
      // If there are several calls, all are tried before the first one changes anything.
      sources = try request.outcomes(of: sources, isDryRun: true, self).map(\.source)
      try bad.check()
    }
    let outcomes = try request.outcomes(of: sources, isDryRun: isDryRun, self)
    try bad.check()
    if outcomes.isEmpty { throw .system(localized("nothing to import")) }
    let calendars = try client().calendars()
    // A dry run creates no calendars, but reports their names.
    let made = outcomes.flatMap(\.outcome.problems).filter { !$0.text(.calendar).isEmpty }
      .map { ($0.text(.calendar), $0.text(.name)) }
    let names = calendars.map { ($0.text(.id), $0.text(.name)) } + made
    try output.imported(
      outcomes, calendarNames: Dictionary(names, uniquingKeysWith: { first, _ in first }),
      skippedFiles: bad.skipped, isDryRun: isDryRun, isVerbose: arguments.has("--verbose"),
      isJSON: arguments.has(.json))
    let targets = Set(outcomes.flatMap(\.outcome.byCalendar).map(\.id))
    for calendar in calendars where targets.contains(calendar.text(.id)) {
      warnIfHidden(calendar)
    }
    try request.checkWhole(outcomes, isDryRun: isDryRun)
  }

  /// Prints what an import would do, and imports after a yes.
  ///
  /// The terminal that a file manager opens for it closes when it ends, so it waits for Enter.
  ///
  /// - Throws: As `calctl import` does.
  fileprivate func importAfterPreview(_ arguments: ParsedArguments) throws(CommandError) {
    do throws(CommandError) {
      do throws(CommandError) {
        try importFiles(arguments, isDryRun: true)
      } catch .partial {
        // What is left out has been named.
      }
      writeError(localized("Import this? [y/N] "))
      guard try isYes() else { return try output.line(localized("Nothing was imported.")) }
      try importFiles(arguments, isDryRun: false)
      try awaitEnter()
    } catch {
      writeError(error.message)
      try awaitEnter()
      throw error == .partial ? .partial : .unwell
    }
  }

  private func awaitEnter() throws(CommandError) {
    writeError(localized("Press Enter to close."))
    _ = try line()
  }
}
