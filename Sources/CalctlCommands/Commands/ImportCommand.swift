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
        "--format", "WORD", of: ["ics", "csv"],
        "ics or csv (what the file's name ends with, else what it looks like)"),
      .flag(
        "--own-calendars",
        "each calendar that a file names (X-WR-CALNAME, as Google's Takeout has it) is one here, too, and is made"
      ),
      .flag("--skip-bad", "leave out files that are no calendars, and import the others"),
      .flag("--dry-run", "say what would happen, and keep nothing"),
      .json,
    ],
    summary: "read files into calendars: iCalendar or CSV",
    details: [
      """
      merge keeps the newer of two versions of an event, by SEQUENCE and LAST-MODIFIED; replace \
      takes what the file has; skip-existing adds only what is new; copy adds all of it under new IDs. \
      One event that cannot be read does not lose the others: each such fault is a line on standard \
      error, with the title and the ID of the event, and "left out" in front where that is lost.
      """,
      """
      Without --calendar, what calctl export has written goes back into the calendars that it is of, and those \
      that there are not are made; a calendar that another program wrote goes into the one of its name, else \
      into the default one, or with --own-calendars into one of its name that is made. There an event that another calendar has already is changed in that one, and told; two \
      calendars that folders or names stand for may each have the event of one ID.
      """,
      """
      Several files come in together or not at all, and are one step to undo; files of another form or of another \
      calendar, and tables with other columns, are a step of their own, and --dry-run says of each step what it would \
      do alone. A file that is no calendar is named with the \
      line, and nothing is imported, unless --skip-bad is given. Where 200 events or more change that are there already, \
      the changes are seen in parts before the end, and are one step to undo all the same; an import that changes more \
      than 256 MiB of what is there cannot be undone. How far a long import is \
      stands on standard error, where that is a terminal.
      """,
      """
      Of a folder the files are read that end with \(ImportForm.endings). Files with another ending, and .csv files \
      that hold something else, are passed by and told; one of the others that cannot be read is no calendar, \
      as above. A folder with a file called displayname (a vdir, as khal and vdirsyncer keep them) is \
      the calendar of that name. Each folder in it with such files is a calendar, too, called by its displayname, \
      else as it is; what lies deeper is passed by and told. Those that there are not are made, in the colour of the \
      file color. With --calendar all goes there.
      """,
      """
      iCalendar is read in UTF-8, and in UTF-16 with or without a byte order mark. A line in neither is read as its CHARSET \
      says (ISO 8859, Windows, KOI8 and those of East Asia), else as Windows-1252 where none of it is UTF-8, and told. \
      UTF-32 is not read.
      """,
      """
      csv has the columns that calctl export writes, in any order, or those of Outlook (in English and German, with \
      its reminders) and Google (in English); summary and start must be there. Between the cells are commas, semicolons or tabs, in UTF-8, UTF-16 or \
      Windows-1252. A day is 2026-11-21 or 21.11.2026, and 11/21/2026 where the other days of the table leave no doubt. An \
      event with a time and no end takes an hour, one without a time a day. An event that is there already gets what the \
      columns say and keeps its reminders and attendees; with --mode replace it has only what the table has.
      """,
      """
      Rows of Outlook's and Google's have no time zone: their times float, and are the same on every clock. A reminder that \
      is off in Outlook is off here, too. A row goes to the calendar that its column calendar names, where that is there.
      """,
      """
      What is older than what is there stays out, and is told. An organizer's update or cancellation comes over a \
      change made here, which does not raise the SEQUENCE of an event that somebody else organizes; of others it \
      does, and --mode replace takes a file that does not know of it. With METHOD:PUBLISH a DTSTAMP says nothing of the age. \
      What was removed within 30 days and comes again is told, also whether the trash has a newer version, and so are \
      removed occurrences that come back, and changed occurrences and reminders to come that go, with a newer version of their \
      series or with replace. Where a file breaks off, or a part of the series cannot be read, changed occurrences stay, \
      and that is told. skip-existing adds a series of which only changed occurrences are there; replace puts what a \
      backup has in another calendar back there.
      """,
      """
      A cancellation (METHOD:CANCEL) marks the event, or one occurrence, in each calendar that has it, and leaves the rest \
      as it is. What is cancelled is kept and exported, and is in no list, search or bar; show has it, by ID or title. \
      A REPLY, COUNTER, DECLINECOUNTER or REFRESH leaves the event as it is, and is left out and told where that is not here; an ADD \
      to what is here changes nothing with merge and replace.
      """,
      """
      What comes without reminders of its own rings by the defaults of its calendar. Reminders that have passed do not ring; \
      of events that are still ahead, and of what repeats of its next occurrence, that is told. Events that could not be read \
      or kept, and files that --skip-bad leaves out, end the import with 5; an older copy of what the files have in a newer version counts for nothing.
      """,
      """
      A file has at most 256 MiB, and more than that is refused. A pipe that is silent, and a file system that does not \
      answer, for ten minutes is given up. So is an import that is interrupted (Ctrl-C), and a file that is cut off: an \
      iCalendar file that ends without END:VCALENDAR. Nothing of these is kept. An event is left out \
      of which a line has more than 1 MiB, which has more than 16 levels \
      of components, 100,000 lines, 8 MiB, 10,000 added and excluded dates or 16 recurrence rules, or a UID of more \
      than 1,024 octets. Of its alarms the first 100 ring, each at most 100 times more, and all are kept. Of one series 10,000 \
      exceptions are read, of the zones that a file brings 5,000, and of a row of a csv 16,384 cells. What is beyond is left out, and told.
      """,
    ],
    examples: [
      "calctl import holidays.ics --dry-run",
      "calctl import ~/.calendars",
      "calctl import --calendar work --mode skip-existing ~/.calendars/work",
      "curl -s https://example.org/team.ics | calctl import -",
    ]
  ) { arguments, context throws(CommandError) in
    if arguments.has("--own-calendars"), arguments.has("--calendar") {
      throw .usage(
        "--own-calendars and --calendar: all goes into the one, or each calendar into its own",
        command: "import", hint: nil)
    }
    let bad = SkippedFiles(areSkipped: arguments.has("--skip-bad"), context)
    let request = ImportCommandRequest(
      paths: arguments.positionals, format: arguments.value("--format") ?? "",
      calendar: try arguments.calendar(context), mode: arguments.value("--mode") ?? "",
      makesOwn: arguments.has("--own-calendars"), bad: bad)
    let isDryRun = arguments.has("--dry-run")
    var sources = try request.sources(context)
    if !isDryRun, sources.count > 1 || bad.areErrors {
      // Where one call cannot do it, all are tried before the first is made.
      sources = try request.outcomes(of: sources, isDryRun: true, context).map(\.source)
      try bad.check()
    }
    let outcomes = try request.outcomes(of: sources, isDryRun: isDryRun, context)
    try bad.check()
    if outcomes.isEmpty { throw .system("there is nothing to import") }
    let calendars = try context.client().calendars()
    // A dry run makes none, and says what they would be called.
    let made = outcomes.flatMap(\.outcome.problems).filter { !$0.text(.calendar).isEmpty }
      .map { ($0.text(.calendar), $0.text(.name)) }
    let names = calendars.map { ($0.text(.id), $0.text(.name)) } + made
    try context.output.imported(
      outcomes, calendarNames: Dictionary(names, uniquingKeysWith: { first, _ in first }),
      skippedFiles: bad.skipped, isDryRun: isDryRun, isJSON: arguments.has(.json))
    let targets = Set(outcomes.flatMap(\.outcome.byCalendar).map(\.id))
    for calendar in calendars where targets.contains(calendar.text(.id)) {
      context.warnIfHidden(calendar)
    }
    try request.checkWhole(outcomes, isDryRun: isDryRun)
  }
}
