import CalendarBus
import CivilTime
import DBus
import JSON
import Platform
import Widgets

extension CommandSpec {
  static let quick = CommandSpec(
    name: "quick",
    arguments: [
      ArgumentSpec(
        name: "TEXT", isRequired: true, help: localized("what, when and where, in any order"),
        repeats: true)
    ],
    options: [
      .calendar,
      .flag("--dry-run", localized("print how the text is read, and add nothing")),
      .json,
    ],
    summary: localized("add an event from a short text, and print its ID"),
    details: [
      localized(
        """
        Days and times are those of add --start, and also "9:00-10:30", "3-5 Dec", "for 45m", \
        "this weekend", "every tuesday", "first friday of every month", "until 31 Jan", "10 times". \
        "at PLACE" or "@ PLACE" is the location, "#work" the calendar. The rest is the title, and so \
        is all in double quotes. Put the whole text in single quotes for the shell. A text with \
        Chinese characters is read in Chinese: 明天下午3点开会 @会议室 提前15分钟提醒.
        """),
      localized(
        """
        Reminders: "!15m" or "remind me 15 minutes before" is before the start, "!15m,5m" two \
        reminders, "!end-5m" one before the end. "!9:00" and "!noon" are times on the day, \
        "!1d 18:00" and "!day before 18:00" on the day before. "!none" is no reminder.
        """),
      localized(
        """
        A time without a day is the next one, today or tomorrow. In "at 9" and "9 o'clock", 1 to 6 \
        are hours of the afternoon, unless a word such as breakfast, dinner or party decides \
        (dinner at 8 is 20:00). "3:30" may be in the night or in the afternoon, and is refused: \
        write 15:30. In "lunch 12" and "monday 9 standup" the number is an hour; before several \
        things ("at 5 guys") it is refused. The order of day and month in 5/12 is that of the \
        locale (LC_TIME).
        """),
      localized(
        """
        Nothing is guessed: what can mean two things is refused with both, and so is a word that \
        looks like a time but does not fit; the message says what was understood and what works.
        """),
    ],
    examples: [
      "calctl quick 'lunch with Ana friday 12:30-13:15 at Da Mario #personal !15m'",
      "calctl quick 'gym every tuesday 18:00 until 31 Jan'",
      "calctl quick 'offsite 3-5 Dec @ Lake House'",
      "calctl quick --dry-run 'dentist in 2 weeks 9am for 45m'",
      "calctl quick '每周二18点健身，到1月31日'",
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
    let own = try context.zone(reading: parsed.event.text(.timeZone))
    try output.lines(QuickAdding.lines(parsed, in: own, shownIn: try context.zone()))
    for warning in parsed.warnings { output.warning(warning) }
  }
}

extension CalendarClient<CommandError>.QuickParsing {
  /// Returns the event as it would be added to a calendar; "" means the calendar of the text.
  ///
  /// - Throws: ``CommandError`` if the calendar is unknown, or is not the one that the text names.
  fileprivate func placed(
    in calendar: String, _ context: CommandContext
  ) throws(CommandError) -> Self {
    guard !calendar.isEmpty else { return self }
    guard try context.client().calendars().contains(where: { $0.text(.id) == calendar }) else {
      throw .notFound(
        localized(
          "{option}: no calendar has the ID \"{id}\"",
          ["option": "--calendar", "id": calendar]))
    }
    let named = event.text(.calendar)
    guard named.isEmpty || named == calendar else {
      throw .usage(
        localized(
          "{option} is \"{first}\", but the text says \"{second}\"",
          ["option": "--calendar", "first": calendar, "second": named]),
        command: "quick", hint: nil)
    }
    var placed = self
    placed.event.set(.calendar, calendar)
    return placed
  }
}

/// Events from one line of text, for `quick`, and for `add` without --start.
enum QuickAdding {
  /// Adds the event that a text describes; prints the event and its warnings.
  static func add(
    _ text: String, calendar: String, isJSON: Bool, _ context: CommandContext
  ) throws(CommandError) {
    let (stored, reminders) = try named { () throws(CommandError) in
      let client = try context.client()
      // The stored event has only durations, not the times as they were written.
      let reminders = isJSON ? [] : try client.quickParse(text).event.texts(.reminders)
      return (try client.quickAdd(text, calendar: calendar).event, reminders)
    }
    try AddedEvent.print(stored, reminders: reminders, isJSON: isJSON, context)
  }

  /// Runs a call, and renames bus arguments in errors to those of the command line.
  static func named<Answer>(
    _ body: () throws(CommandError) -> Answer
  ) throws(CommandError) -> Answer {
    do throws(CommandError) {
      return try body()
    } catch {
      throw error.renamed([("text", "TEXT"), ("calendar", "--calendar")])
    }
  }

  /// Returns how the text was read, one field for each line.
  ///
  /// - Parameters:
  ///   - own: The zone of the event's times.
  ///   - zone: The zone in which they are shown, as in lists.
  static func lines(
    _ parsed: CalendarClient<CommandError>.QuickParsing, in own: ZoneRules, shownIn zone: ZoneRules
  ) -> [String] {
    func shown(_ text: String) -> String { QuickAdding.shown(text, in: own, shownIn: zone) }
    let event = parsed.event
    // The default duration of Add.
    let isTimed = event.text(.start).contains("T")
    var end = event.text(.end).isEmpty && isTimed ? "PT1H" : event.text(.end)
    // The bus has the day after the last one.
    if !isTimed, let last = (try? CivilDate(text: end))?.adding(days: -1) { end = "\(last)" }
    let reminders = localizedList(event.texts(.reminders).map(ReminderWords.text))
    let fields: [(label: String, value: String)] = [
      (localized("start"), shown(event.text(.start))), (localized("end"), shown(end)),
      (localized("repeats"), event.text(.rrule)), (localized("where"), event.text(.location)),
      (localized("reminder"), reminders), (localized("calendar"), event.text(.calendar)),
    ]
    return [displayLine(event.text(.summary))]
      + fields.filter { !$0.value.isEmpty }.map {
        "  " + $0.label.padding(to: 8) + "  " + displayLine($0.value)
      }
  }

  /// Returns the answer of QuickParse as an object.
  ///
  /// Its keys are "event", "spans" and, if there are any, "warnings".
  static func json(_ parsed: CalendarClient<CommandError>.QuickParsing) -> JSONValue {
    var object = JSONObject([
      ("event", parsed.event.value.json),
      ("spans", .array(parsed.spans.map(JSONValue.string))),
    ])
    if !parsed.warnings.isEmpty {
      object["warnings"] = .array(parsed.warnings.map(JSONValue.string))
    }
    return .object(object)
  }

  /// Returns a value for people: "Fri 27 Nov 2026, 12:30", and for a duration "after 45 min".
  private static func shown(
    _ text: String, in own: ZoneRules, shownIn zone: ZoneRules
  ) -> String {
    let reading = try? CivilDateTime(text: text)
    if let instant = reading.map(own.instant(of:)) ?? (try? Timestamp(text: text)) {
      let clock = zone.reading(at: instant)
      return TimeText.current.shortDate(clock)
    }
    if let date = try? CivilDate(text: text) { return TimeText.current.shortDate(date) }
    if let length = try? CalendarDuration(text: text) {
      return localized("after {duration}", ["duration": ReminderText.length(length)])
    }
    return text
  }
}
