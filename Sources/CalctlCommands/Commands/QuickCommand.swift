import CalendarBus
import CivilTime
import DBus
import JSON
import Widgets

extension CommandSpec {
  static let quick = CommandSpec(
    name: "quick",
    arguments: [
      ArgumentSpec(
        name: "TEXT", isRequired: true, help: "what, when and where, in any order", repeats: true)
    ],
    options: [
      .calendar,
      .flag("--dry-run", "print what is understood, and add nothing"),
      .json,
    ],
    summary: "add an event as you would jot it down, and print its ID",
    details: [
      "Days and times are read as --start of add has them, and \"9:00-10:30\", \"3-5 Dec\", "
        + "\"for 45m\", \"half past nine\", \"last friday of december\", \"this weekend\", \"every "
        + "tuesday\", \"every month on the 3rd\", \"until 31 Jan\" besides. \"mon-wed\" is one event "
        + "over three whole days, \"mon-wed 9:00-10:00\" an hour on each of them. "
        + "\"at PLACE\" or \"@ PLACE\" is where it is, \"#work\" the calendar; what is left is the title. What stands "
        + "in double quotation marks is of the title, whatever it looks like.",
      "\"!15m\" is a reminder so long before the start, \"!15m,5m\" two of them, \"!end-5m\" one before the end. "
        + "\"!9:00\", \"!noon\", \"!at 9\" and \"!half past eight\" ring at that time on the day, \"!1d 18:00\" and "
        + "\"!day before 18:00\" on the day before: an event without another time takes the whole day then. In "
        + "\"!1d, 18:00\" and \"!1d at 18:00\" the time is that of the event where it has no other. \"!none\" is no "
        + "reminder.",
      "A time without a day is the next one, today or tomorrow. An hour without minutes, \"at 9\" or \"9 "
        + "o'clock\", is that of the working day from 8 to 12, and from 13 on there is but one; from 1 to 7 it "
        + "could be either half of the day and is refused, unless a word of the title says which: breakfast, "
        + "lunch, dinner, drinks, party, concert and the like (dinner at 8 is 20:00; party at 12 is refused). \"9:00\" is always of "
        + "the morning.",
      "Text that can be read in two ways, "
        + "or contradicts itself, is refused, and nothing is added. What looks like a day, a time, a "
        + "rule or a mark and is not understood, such as \"!soon\", stays in the title, and you are "
        + "told. Put the text in single quotes, since \"#\" and \"!\" "
        + "mean something to shells.",
    ],
    examples: [
      "calctl quick 'lunch with Ana friday 12:30-13:15 at Da Mario #personal !15m'",
      "calctl quick 'gym every tuesday 18:00 until 31 Jan'",
      "calctl quick 'offsite 3-5 Dec @ Lake House'",
      "calctl quick --dry-run 'dentist in 2 weeks 9am for 45m'",
    ]
  ) { arguments, context throws(CommandError) in
    let text = arguments.positionals.joined(separator: " ")
    let calendar = try arguments.calendar(context)
    guard arguments.has("--dry-run") else {
      return try QuickAdding.add(
        text, calendar: calendar, isJSON: arguments.has(.json), context)
    }
    let parsed = try QuickAdding.named { () throws(CommandError) in
      try context.client().quickParse(text)
    }.placed(in: calendar, context)
    let output = context.output
    if arguments.has(.json) { return try output.json(QuickAdding.json(parsed)) }
    try output.lines(QuickAdding.lines(parsed, zone: try context.zone()))
    for warning in parsed.warnings { output.warning(warning) }
  }
}

extension CalendarClient<CommandError>.QuickParsing {
  /// Returns what would be added to a calendar of that id; "" leaves it to the text.
  ///
  /// - Throws: ``CommandError`` for a calendar that there is not, and for another one than
  ///   that of the text.
  fileprivate func placed(
    in calendar: String, _ context: CommandContext
  ) throws(CommandError) -> Self {
    guard !calendar.isEmpty else { return self }
    guard try context.client().calendars().contains(where: { $0.text(.id) == calendar }) else {
      throw .notFound("--calendar: no calendar has the id \"\(calendar)\"")
    }
    let named = event.text(.calendar)
    guard named.isEmpty || named == calendar else {
      throw .usage(
        "--calendar: it is \"\(calendar)\", and the text says \"\(named)\"", command: "quick",
        hint: nil)
    }
    var placed = self
    placed.event.set(.calendar, calendar)
    return placed
  }
}

/// Events from one line of text, for `quick`, and for `add` without a --start.
enum QuickAdding {
  /// Adds the event that a text describes, and prints what was added, with its warnings.
  static func add(
    _ text: String, calendar: String, isJSON: Bool, _ context: CommandContext
  ) throws(CommandError) {
    let (stored, reminders) = try named { () throws(CommandError) in
      let client = try context.client()
      // What was added has durations alone.
      let isSaid = !isJSON && text.contains("!")
      let reminders = isSaid ? try client.quickParse(text).event.texts(.reminders) : []
      return (try client.quickAdd(text, calendar: calendar).event, reminders)
    }
    try AddedEvent.print(stored, reminders: reminders, isJSON: isJSON, context)
  }

  /// Runs a call whose argument is called TEXT here.
  static func named<Answer>(
    _ body: () throws(CommandError) -> Answer
  ) throws(CommandError) -> Answer {
    do throws(CommandError) {
      return try body()
    } catch {
      throw error.renamed([("text", "TEXT"), ("calendar", "--calendar")])
    }
  }

  /// What was understood, a field a line, in the words of the options of `add`.
  static func lines(
    _ parsed: CalendarClient<CommandError>.QuickParsing, zone: ZoneRules
  ) -> [String] {
    let event = parsed.event
    // What Add makes of an event without an end.
    let isTimed = event.text(.start).contains("T")
    let end = event.text(.end).isEmpty && isTimed ? "PT1H" : event.text(.end)
    let reminders = event.texts(.reminders).map(ReminderWords.text).joined(separator: ", ")
    let fields: [(label: String, value: String)] = [
      ("start", shown(event.text(.start), zone)), ("end", shown(end, zone)),
      ("repeats", event.text(.rrule)), ("where", event.text(.location)), ("rings", reminders),
      ("calendar", event.text(.calendar)), ("sure", "\(parsed.confidence) of 100"),
    ]
    return [displayLine(event.text(.summary))]
      + fields.filter { !$0.value.isEmpty }.map {
        "  " + $0.label.padding(to: 8) + "  " + displayLine($0.value)
      }
  }

  /// The answer of QuickParse as an object: "event", "confidence", "spans" and, where there are any, "warnings".
  static func json(_ parsed: CalendarClient<CommandError>.QuickParsing) -> JSONValue {
    var object = JSONObject([
      ("event", parsed.event.value.json), ("confidence", .integer(parsed.confidence)),
      ("spans", .array(parsed.spans.map(JSONValue.string))),
    ])
    if !parsed.warnings.isEmpty {
      object["warnings"] = .array(parsed.warnings.map(JSONValue.string))
    }
    return .object(object)
  }

  /// "Fri 27 Nov 2026, 12:30" for a reading, as the clock will show it, and likewise a day;
  /// a length as people say it.
  private static func shown(_ text: String, _ zone: ZoneRules) -> String {
    let reading = try? CivilDateTime(text: text)
    if let instant = reading.map(zone.instant(of:)) ?? (try? Timestamp(text: text)) {
      let clock = zone.reading(at: instant)
      return "\(TimeText.shortDate(clock.date)), \(clock.time.hourAndMinute)"
    }
    if let date = try? CivilDate(text: text) { return TimeText.shortDate(date) }
    if let length = try? CalendarDuration(text: text) {
      return "after " + ReminderText.length(length)
    }
    return text
  }
}
