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
        + "\"for 45m\", \"every tuesday\", \"every month on the 3rd\", \"until 31 Jan\" besides. "
        + "\"at PLACE\" or \"@ PLACE\" is where it is, \"#work\" the calendar, \"!15m\" a reminder so "
        + "long before the start; what is left is the title. What stands in double quotation marks "
        + "is of the title, whatever it looks like.",
      "A time without a day is the next one, today or tomorrow. Text that can be read in two ways "
        + "is refused, and nothing is added. Put the text in single quotes, since \"#\" and \"!\" "
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
    let calendar = arguments.value(OptionSpec.calendar.name) ?? ""
    guard arguments.has("--dry-run") else {
      return try QuickAdding.add(
        text, calendar: calendar, isJSON: arguments.has(.json), context)
    }
    let parsed = try QuickAdding.named { () throws(CommandError) in
      try context.client().quickParse(text)
    }
    let output = context.output
    if arguments.has(.json) { return try output.json(QuickAdding.json(parsed)) }
    try output.lines(QuickAdding.lines(parsed))
  }
}

/// Events from one line of text, for `quick`, and for `add` without a --start.
enum QuickAdding {
  /// Adds the event that a text describes, and prints what was added.
  static func add(
    _ text: String, calendar: String, isJSON: Bool, _ context: CommandContext
  ) throws(CommandError) {
    let stored = try named { () throws(CommandError) in
      try context.client().quickAdd(text, calendar: calendar).event
    }
    try AddedEvent.print(stored, isJSON: isJSON, context)
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
  static func lines(_ parsed: CalendarClient<CommandError>.QuickParsing) -> [String] {
    let event = parsed.event
    let reminders = event.texts(.reminders).map(ReminderWords.text).joined(separator: ", ")
    let fields: [(label: String, value: String)] = [
      ("start", shown(event.text(.start))), ("end", shown(event.text(.end))),
      ("repeats", event.text(.rrule)), ("where", event.text(.location)), ("rings", reminders),
      ("calendar", event.text(.calendar)), ("sure", "\(parsed.confidence) of 100"),
    ]
    return [displayLine(event.text(.summary))]
      + fields.filter { !$0.value.isEmpty }.map {
        "  " + $0.label.padding(to: 8) + "  " + displayLine($0.value)
      }
  }

  /// The answer of QuickParse as an object: "event", "confidence", "spans".
  static func json(_ parsed: CalendarClient<CommandError>.QuickParsing) -> JSONValue {
    .object(
      JSONObject([
        ("event", parsed.event.value.json), ("confidence", .integer(parsed.confidence)),
        ("spans", .array(parsed.spans.map(JSONValue.string))),
      ]))
  }

  /// "Fri 27 Nov 2026, 12:30" for a reading, and likewise a day; a length as people
  /// say it.
  private static func shown(_ text: String) -> String {
    if let reading = try? CivilDateTime(text: text) {
      return "\(DayNames.full(reading.date)), \(reading.time.hourAndMinute)"
    }
    if let date = try? CivilDate(text: text) { return DayNames.full(date) }
    if let length = try? CalendarDuration(text: text) {
      return "after " + ReminderWords.length(length)
    }
    return text
  }
}
