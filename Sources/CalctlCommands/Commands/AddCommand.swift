import CalendarBus
import CalendarModel
import CivilTime
import Phrases
import Platform
import Widgets

extension CommandSpec {
  static let add = CommandSpec(
    name: "add",
    arguments: [ArgumentSpec(name: "TITLE", isRequired: true, help: localized("the title"))],
    options: [
      .value(
        "--start", "WHEN",
        localized("when it begins; a date alone makes an all-day event (read from TITLE)")),
      .value(
        "--end", "WHEN",
        localized(
          """
          when it ends, or how long it lasts: 45m; of an all-day event its last day (one hour, or \
          one day)
          """)),
      .flag("--all-day", localized("an all-day event; --end is its last day")),
      .value(
        "--repeat", "RULE", repeats: true, words: RepeatWord.allCases.map(\.rawValue),
        localized("how often: weekly; mon,wed; \"every 2 weeks\"; or a rule; see Repeating")),
      .value(
        "--reminder", "BEFORE", repeats: true, words: ["none"],
        localized(
          """
          how long before the start, 15m or 1d; or when, 9:00 on the day or "1d 18:00" on the day \
          before; none for no reminder; see Reminders (as the calendar says)
          """)),
      .value("--location", "TEXT", localized("where it is")),
      .value("--description", "TEXT", localized("a longer text")),
      .value("--url", "URL", localized("a web address")),
      .value(
        "--time-zone", "ZONE",
        localized("an IANA zone, or floating (the calendar's zone, or else the agent's)")),
      .busy, .free, .color, .calendar, .json,
    ],
    summary: localized("add an event and print its ID"),
    details: [
      localized(
        "With no options but --calendar and --json, TITLE is read as the TEXT of calctl quick."),
      localized(
        """
        With --start, a time alone means the next one, today or tomorrow; with --repeat too, that \
        time on the first day of the rule. With --end, it means the first one after the start. On a \
        terminal calctl asks about an end before the start, and about a time alone that makes the \
        event longer than 16 hours.
        """),
      localized(
        """
        It warns of events at the same time, and of reminders that have passed. A single event \
        that is too soon for all reminders of its calendar rings at its start.
        """),
    ],
    examples: [
      "calctl add \"Lunch with Ana\" --start \"tomorrow 12:30\" --end 45m --reminder 15m",
      "calctl add \"Lunch with Ana tomorrow 12:30\"",
      "calctl add Standup --start \"mon 9:30\" --end 15m --repeat weekdays",
      "calctl add \"Team day\" --start 2026-12-01",
      "calctl add \"Summer holiday\" --start 2027-07-19 --end 2027-08-01",
    ]
  ) { arguments, context throws(CommandError) in
    if AddedEvent.isQuick(arguments) {
      return try QuickAdding.add(
        arguments.positionals[0], calendar: arguments.calendar(context),
        isJSON: arguments.has(.json), context)
    }
    var event = try AddedEvent.row(arguments, context.localPhrases)
    let client = try context.client()
    let calendar = try arguments.calendar(context)
    if arguments.value("--time-zone") == nil {
      event.setUnlessEmpty(.timeZone, try client.zone(ofCalendar: calendar))
    }
    let written = event.text(.start)
    let phrases = context.phrases(in: try context.zone(reading: event.text(.timeZone)))
    if phrases.isTimeAlone(written) {
      event.set(.start, RepeatStart.start(written, rules: event.text(.rrule), phrases))
    }
    let start = try? phrases.start(event.text(.start))
    guard
      try context.settleEnd(&event, start: start, asks: context.canAsk(arguments), phrases)
    else { return try context.output.line(localized("Nothing was added.")) }
    let (uid, warnings): (String, [String])
    do throws(CommandError) {
      (uid, _, warnings) = try client.add(event, calendar: calendar)
    } catch {
      throw error.renamed(AddedEvent.keys.map { ($0.key.rawValue, $0.name) })
    }
    var stored =
      calendar.isEmpty
      ? try client.event(uid, occurrence: "")
      : try client.event(uid, occurrence: "", in: calendar)
    stored.setWarnings(warnings)
    try AddedEvent.print(
      stored, reminders: arguments.all("--reminder"), isJSON: arguments.has(.json), context)
  }
}

/// The options of `calctl add` as keys of the bus.
enum AddedEvent {
  /// The key of Events.Add for each argument or option.
  static let keys: [(name: String, key: RowKey)] = [
    ("TITLE", .summary), ("--start", .start), ("--end", .end), ("--all-day", .allDay),
    ("--repeat", .rrule), ("--reminder", .reminders), ("--location", .location),
    ("--description", .description), ("--url", .url), ("--time-zone", .timeZone),
    ("--color", .color), ("--busy", .busy), ("--free", .busy),
  ]

  /// Returns whether the title alone describes when the event is.
  static func isQuick(_ arguments: ParsedArguments) -> Bool {
    !keys.contains { arguments.has($0.name) }
  }

  /// Prints an event that was added, and its warnings.
  ///
  /// - Parameter reminders: The reminders as they were written.
  static func print(
    _ stored: Row, reminders: [String], isJSON: Bool, _ context: CommandContext
  ) throws(CommandError) {
    let output = context.output
    if isJSON { return try output.json(stored) }
    let calendar = context.calendar(stored.text(.calendar))
    calendar.map(context.warnIfHidden)
    let (title, when) = (try context.titleAndRepeats(stored), try output.when(stored))
    let added =
      if let calendar, !calendar.flag(.isDefault) {
        localized(
          "Added {title} to {calendar}: {when}",
          ["title": title, "calendar": displayLine(calendar.text(.name)), "when": when])
      } else {
        localized("Added {title}: {when}", ["title": title, "when": when])
      }
    try output.lines([added, "id \(EventReference(stored).text)"])
    try printNotes(stored, reminders, context)
  }

  /// Prints the warnings of an event, and the times of some reminders that are still to come.
  ///
  /// Those are reminders given as a time of day, and those of an all-day event, since few people
  /// expect that such an event begins at midnight: "Reminder: Mon 23 Nov 2026, 09:30".
  ///
  /// - Parameter given: The reminders as they were written.
  static func printNotes(
    _ event: Row, _ given: [String], _ context: CommandContext
  ) throws(CommandError) {
    let warnings = event.texts(.warnings)
    for warning in warnings { context.output.warning(warning) }
    let isByClock = given.flatMap(EditedEvent.separated).contains { text in
      (try? readDuration(text)) == nil && !["none", "default"].contains(text.lowercased())
        && !["start", "end", "-"].contains(where: text.hasPrefix)
    }
    guard isByClock || (event.flag(.allDay) && !given.isEmpty) else { return }
    // A warning may be of the reminders of a series.
    let isSeries = event.flag(.recurring)
    if isSeries, !warnings.isEmpty { return }
    let zone = try context.zone(reading: event.text(.timeZone))
    let start = Timestamp(seconds: event.number(.start))
    var times: [String] = []
    for reminder in event.texts(.reminders) where reminder != "none" {
      let length = try? CalendarDuration(text: reminder)
      let instant = length.map { zone.adding($0.negated, to: start) }
      // A warning names a reminder that has passed. Each occurrence of a series has another time.
      if !isSeries, let due = instant ?? (try? Timestamp(text: reminder)), due < context.now {
        continue
      }
      guard !isSeries, !event.flag(.allDay), let instant else {
        times.append(try context.output.reminderText(reminder, of: event))
        continue
      }
      times.append(try context.output.moment(instant, beside: event))
    }
    if times.isEmpty { return }
    try context.output.line(
      localized(
        times.count, one: "Reminder: {times}", other: "Reminders: {times}",
        ["times": localizedClauses(times)]))
  }

  /// Returns the event that the command line describes.
  ///
  /// - Parameter phrases: Reads --repeat.
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if --start is missing or --repeat is
  ///   invalid.
  static func row(
    _ arguments: ParsedArguments, _ phrases: PhraseReader
  ) throws(CommandError) -> Row {
    guard arguments.value("--start") != nil else {
      throw .missing("--start", command: "add", example: "--start \"tomorrow 14:00\"")
    }
    var row = Row()
    for (name, key) in keys {
      let values = arguments.all(name)
      switch key {
      case .summary: row.set(key, arguments.positionals[0])
      case _ where values.isEmpty: continue
      case .allDay: row.set(key, true)
      case .busy: row.set(key, try BusyOptions.isBusy(arguments, command: "add"))
      case .reminders:
        row.set(key, try EditedEvent.reminders(values, name, command: "add"))
      case .color: row.set(key, EventColorWord.text(of: values[0]))
      case .rrule:
        var rules: [String] = []
        for value in values { rules.append(try RepeatWord.rule(of: value, phrases)) }
        row.set(key, rules.joined(separator: "\n"))
      default: row.set(key, values[0])
      }
    }
    return row
  }
}
