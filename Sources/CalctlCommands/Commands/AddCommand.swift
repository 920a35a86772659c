import CalendarBus
import CalendarModel
import CivilTime
import Phrases
import Widgets

extension CommandSpec {
  static let add = CommandSpec(
    name: "add",
    arguments: [ArgumentSpec(name: "TITLE", isRequired: true, help: "what people read")],
    options: [
      .value(
        "--start", "WHEN", "when it begins; a bare date makes an all-day event (read from TITLE)"),
      .value("--end", "WHEN", "when it ends, or how long it lasts: 45m (one hour, or one day)"),
      .flag("--all-day", "takes whole days; --end is then the first day after it"),
      .value(
        "--repeat", "RULE", repeats: true, words: RepeatWord.allCases.map(\.rawValue),
        "how often: \(RepeatWord.allCases.map(\.rawValue).joined(separator: ", ")), mon,wed, or an RFC 5545 rule such as "
          + "FREQ=WEEKLY;COUNT=10"),
      .value(
        "--reminder", "BEFORE", repeats: true, words: ["none"],
        "ring so long before the start: 15m, 1d; or at a time, 9:00 on the day, \"1d 18:00\" on the day "
          + "before; none for no reminder; see Reminders (those of the calendar)"),
      .value("--location", "TEXT", "where it is"),
      .value("--description", "TEXT", "more words"),
      .value("--url", "URL", "an address"),
      .value(
        "--time-zone", "ZONE", "an IANA zone, or floating (that of the calendar, else the agent's)"),
      .busy, .free, .color, .calendar, .json,
    ],
    summary: "add an event and print its ID",
    details: [
      "Without --start, and without other options than --calendar and --json, TITLE is read as the "
        + "TEXT of quick: it then says when, too.",
      "A --start that is a time alone is the next one, as with quick: today, or tomorrow where it has "
        + "passed. An --end that is a time alone is the first one after the start. A --start that is "
        + "no day of --repeat is refused; a time alone is that of the first day that is one.",
    ],
    examples: [
      "calctl add \"Lunch with Ana\" --start \"tomorrow 12:30\" --end 45m --reminder 15m",
      "calctl add \"Lunch with Ana tomorrow 12:30\"",
      "calctl add Standup --start \"mon 9:30\" --end 15m --repeat weekdays",
      "calctl add \"Team day\" --start 2026-12-01",
      "calctl add \"Summer holiday\" --start 2027-07-19 --end 2027-08-02 --all-day",
    ]
  ) { arguments, context throws(CommandError) in
    if AddedEvent.isQuick(arguments) {
      return try QuickAdding.add(
        arguments.positionals[0], calendar: arguments.calendar(context),
        isJSON: arguments.has(.json), context)
    }
    var event = try AddedEvent.row(arguments)
    let client = try context.client()
    let calendar = try arguments.calendar(context)
    if arguments.value("--time-zone") == nil {
      event.setUnlessEmpty(.timeZone, try client.zone(ofCalendar: calendar))
    }
    let written = event.text(.start)
    let phrases = PhraseContext(
      now: context.now, zone: try context.zone(reading: event.text(.timeZone)))
    event.set(
      .start,
      CommandContext.wholeMinute(CommandContext.nextStart(written, phrases), phrases, signed: true))
    event.setUnlessEmpty(.end, CommandContext.wholeMinute(event.text(.end), phrases))
    let repeats = arguments.all("--repeat")
    if !repeats.isEmpty {
      event.set(
        .start,
        try RepeatStart(rules: event.text(.rrule), zone: phrases.zone).start(
          event.text(.start), isTimeAlone: CommandContext.isTimeAlone(written, phrases),
          repeats: repeats, now: context.now))
    }
    let uid: String
    do throws(CommandError) {
      uid = try client.add(event, calendar: calendar).uid
    } catch {
      throw error.renamed(AddedEvent.keys.map { ($0.key.rawValue, $0.name) })
    }
    let stored =
      calendar.isEmpty
      ? try client.event(uid, occurrence: "")
      : try client.event(uid, occurrence: "", in: calendar)
    try AddedEvent.print(stored, isJSON: arguments.has(.json), context)
    if !arguments.has(.json) {
      try AddedEvent.sayWhenItRings(stored, arguments.all("--reminder"), context)
    }
  }
}

/// The options of `calctl add` in the words of the bus.
enum AddedEvent {
  /// Which argument or option gives which key of Events.Add.
  static let keys: [(name: String, key: RowKey)] = [
    ("TITLE", .summary), ("--start", .start), ("--end", .end), ("--all-day", .allDay),
    ("--repeat", .rrule), ("--reminder", .reminders), ("--location", .location),
    ("--description", .description), ("--url", .url), ("--time-zone", .timeZone),
    ("--color", .color), ("--busy", .busy), ("--free", .busy),
  ]

  /// Whether the title says when it is, and nothing else does.
  static func isQuick(_ arguments: ParsedArguments) -> Bool {
    !keys.contains { arguments.has($0.name) }
  }

  /// Prints an event that was added, and warns of what will not be as it may have
  /// been meant.
  static func print(
    _ stored: Row, isJSON: Bool, _ context: CommandContext
  ) throws(CommandError) {
    let output = context.output
    if isJSON { return try output.json(stored) }
    let calendar = context.calendar(stored.text(.calendar))
    calendar.map(context.warnIfHidden)
    // Where it went goes without saying where all goes.
    let place = calendar.map { $0.flag(.isDefault) ? "" : " to \(displayLine($0.text(.name)))" }
    try output.lines([
      "Added \(displayLine(stored.text(.summary)))\(place ?? ""): \(try output.when(stored))",
      "id \(EventReference(stored).text)",
    ])
    if !stored.flag(.recurring), stored.number(.end) < context.now.seconds {
      output.warning("this is over already")
    }
    try warnOfReminders(stored, context)
  }

  /// Says when an event rings, where a reminder was given by the clock, "rings Mon 23 Nov 2026, 09:30", or the
  /// event is of whole days: of those nobody thinks that they begin at midnight. What has passed is left out.
  ///
  /// - Parameter given: its reminders as they were written.
  static func sayWhenItRings(
    _ event: Row, _ given: [String], _ context: CommandContext
  ) throws(CommandError) {
    let isByClock = given.flatMap(EditedEvent.separated).contains { text in
      (try? readDuration(text)) == nil && !["none", "default"].contains(text.lowercased())
        && !["start", "end", "-"].contains(where: text.hasPrefix)
    }
    guard isByClock || (event.flag(.allDay) && !given.isEmpty) else { return }
    let zone = try context.zone(reading: event.text(.timeZone))
    let past = pastReminders(event, now: context.now, zone)
    var moments: [String] = []
    for reminder in event.texts(.reminders) where reminder != "none" && !past.contains(reminder) {
      // Of what repeats, and of whole days, it is another moment each time.
      guard !event.flag(.recurring), !event.flag(.allDay),
        !reminder.hasPrefix(ReminderWords.fromEnd),
        let length = try? CalendarDuration(text: reminder)
      else {
        moments.append(try context.output.reminderText(reminder, of: event))
        continue
      }
      moments.append(
        try context.output.moment(due(length, before: .start, of: event, zone), beside: event))
    }
    if moments.isEmpty { return }
    try context.output.line("rings \(moments.joined(separator: "; "))")
  }

  /// Says on standard error which reminders of an event will not ring, and which ring late.
  ///
  /// - Parameter isOne: whether it is one occurrence of what repeats, and nothing is said of the others.
  static func warnOfReminders(
    _ stored: Row, isOne: Bool = false, _ context: CommandContext
  ) throws(CommandError) {
    let output = context.output
    var event = stored
    if isOne { event.set(.recurring, false) }
    let calendar = context.calendar(event.text(.calendar))
    let next = try occurrenceToCome(of: event, in: calendar, context)
    // What is at a moment of its own is of no occurrence: it rings once, for all of them.
    let moments = pastMoments(event, now: context.now)
    var (past, defaults, whose): ([String], [String], String) = ([], [], "")
    if let next {
      let zone = try context.zone(reading: next.text(.timeZone))
      past = pastReminders(next, now: context.now, zone).filter { length($0) != nil }
      defaults = calendar.map { pastDefaults(next, of: $0, context.now, zone) } ?? []
      whose = try self.whose(next, of: event, context)
    }
    let waiting =
      moments.isEmpty && past.isEmpty && defaults.isEmpty
      ? [] : waiting(of: event, among: try context.client().pendingReminders())
    for (reminder, again) in untold(moments, waiting, now: context.now) {
      output.warning(
        "the reminder \(try output.reminderText(reminder, of: event)) has passed, and will not ring\(again)"
      )
    }
    // What has rung goes along with an event that is moved a little, and waits on.
    let waits = !waiting.isEmpty
    let ringing = next ?? event
    for reminder in past where !waits {
      output.warning(
        "the reminder \(try output.reminderText(reminder, of: ringing)) has passed\(whose), and will not ring"
      )
    }
    for reminder in defaults where !waits {
      output.warning(
        "the calendar's reminder \(reminder) has passed\(whose), and will not ring")
    }
    for reminder in lateReminders(event) where !(past + moments).contains(reminder) {
      output.warning(
        "the reminder \(try output.reminderText(reminder, of: event)) rings only when the event has begun"
      )
    }
  }

  /// Returns which of those at moments that have passed do not ring any more, each with " again" where it has rung and
  /// waits for an answer; none where one of the event is still to be shown.
  ///
  /// An event that is moved takes them along as they are, however far that is.
  ///
  /// - Parameter waiting: the reminders of the event that wait.
  private static func untold(
    _ moments: [String], _ waiting: [Row], now: Timestamp
  ) -> [(reminder: String, again: String)] {
    // One that was put off says no more by which of the reminders it rang.
    if waiting.contains(where: { $0.text(.state) == "snoozed" || $0.flag(.quiet) }) { return [] }
    let due = Set(waiting.map { $0.number(.due) })
    return moments.compactMap { text in
      guard let instant = try? Timestamp(text: text) else { return nil }
      if due.contains(instant.seconds) { return (text, " again") }
      // That of this second is still to ring.
      return instant < now ? (text, "") : nil
    }
  }

  /// Returns the reminders that ring after the start. Those that count from the end
  /// were asked for in so many words.
  static func lateReminders(_ event: Row) -> [String] {
    event.texts(.reminders).filter { text in
      // Of a whole day nobody thinks that it begins at midnight.
      if let length = try? CalendarDuration(text: text) {
        return length.isNegative
          && (!event.flag(.allDay) || length.negated.approximateSeconds >= 86_400)
      }
      guard !event.flag(.recurring), let instant = try? Timestamp(text: text) else { return false }
      return instant.seconds > event.number(.start)
    }
  }

  /// Returns those of the reminders that wait which are of an event.
  static func waiting(of event: Row, among pending: [Row]) -> [Row] {
    pending.filter {
      $0.text(.uid) == event.text(.uid) && $0.text(.calendar) == event.text(.calendar)
    }
  }

  /// Returns when a reminder rings that is so long before the start or the end of an event, as the agent counts it:
  /// days are those of the event's clock, and before a whole day it says a time of that.
  ///
  /// - Parameter zone: the clock of the event.
  private static func due(
    _ length: CalendarDuration, before moment: RowKey, of event: Row, _ zone: ZoneRules
  ) -> Timestamp {
    let instant = Timestamp(seconds: event.number(moment))
    guard event.flag(.allDay) else { return zone.adding(length.negated, to: instant) }
    return CivilDateTime(zone.reading(at: instant).date, .midnight)
      .adding(seconds: -length.approximateSeconds).map(zone.instant(of:)) ?? .earliest
  }

  /// Returns the reminders at moments of their own that are not to come.
  private static func pastMoments(_ event: Row, now: Timestamp) -> [String] {
    event.texts(.reminders).filter { text in
      (try? Timestamp(text: text)).map { $0 <= now } ?? false
    }
  }

  /// Returns the reminders of an event whose moment was over when it was added: nothing rings for them. Of what
  /// repeats they are those at moments of their own.
  ///
  /// - Parameter zone: the clock of the event.
  static func pastReminders(_ event: Row, now: Timestamp, _ zone: ZoneRules) -> [String] {
    event.texts(.reminders).filter { text in
      if let instant = try? Timestamp(text: text) { return instant < now }
      guard !event.flag(.recurring), let length = length(text) else { return false }
      let isFromEnd = text.hasPrefix(ReminderWords.fromEnd)
      return due(length, before: isFromEnd ? .end : .start, of: event, zone) < now
    }
  }

  /// Returns how long before the start or the end a reminder is; nil of one at a moment of its own.
  static func length(_ reminder: String) -> CalendarDuration? {
    let isFromEnd = reminder.hasPrefix(ReminderWords.fromEnd)
    return try? CalendarDuration(
      text: isFromEnd ? reminder.dropFirst(ReminderWords.fromEnd.count) : reminder[...])
  }

  /// Returns the same of the defaults of its calendar, in words, where an event has none of its own.
  static func pastDefaults(
    _ event: Row, of calendar: Row, _ now: Timestamp, _ zone: ZoneRules
  ) -> [String] {
    // Of what is over nobody expects that it rings.
    guard event.texts(.reminders).isEmpty, !event.flag(.recurring),
      event.number(.end) >= now.seconds
    else { return [] }
    let isAllDay = event.flag(.allDay)
    let lengths = calendar.texts(isAllDay ? .allDayReminders : .reminders)
    return zip(lengths, ReminderWords.defaults(of: calendar, allDay: isAllDay)).filter { text, _ in
      guard let length = try? CalendarDuration(text: text) else { return false }
      // Those of whole days say how long after midnight.
      return due(isAllDay ? length.negated : length, before: .start, of: event, zone) < now
    }.map(\.1)
  }

  /// Returns the event that the command line describes.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` when --start is missing or
  ///   --repeat is no rule.
  static func row(_ arguments: ParsedArguments) throws(CommandError) -> Row {
    guard arguments.value("--start") != nil else {
      throw .usage(
        "--start is missing", command: "add", hint: "such as: --start \"tomorrow 14:00\"")
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
        for value in values { rules.append(try RepeatWord.rule(of: value)) }
        row.set(key, rules.joined(separator: "\n"))
      default: row.set(key, values[0])
      }
    }
    return row
  }
}
