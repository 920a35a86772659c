import CalendarBus
import CivilTime
import DBus
import JSON
import Phrases
import Widgets

extension CommandSpec {
  static let edit = CommandSpec(
    name: "edit",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true,
        help: "the whole ID of an event, or ID/OCCURRENCE for one occurrence; see IDs")
    ],
    options: [
      .value("--title", "TEXT", "what people read"),
      .value(
        "--start", "WHEN",
        "when it begins; a time alone keeps the day, a day alone the time; +1d or -30m counts from "
          + "when it begins now"),
      .value(
        "--end", "WHEN",
        "when it ends, or how long it lasts: 45m; a day alone keeps the time (as long as before)"),
      .flag("--all-day", "takes whole days; --end is then the first day after it"),
      .value("--location", "TEXT", "where it is"),
      .value("--description", "TEXT", "more words"),
      .value("--url", "URL", "an address"),
      .value(
        "--repeat", "RULE", repeats: true, words: RepeatWord.allCases.map(\.rawValue) + ["none"],
        "how often, as of add; none for once"),
      .value(
        "--reminder", "BEFORE", repeats: true, words: ["none", "default"],
        "ring so long before the start instead: 15m, 1d; or at a time, 9:00 on the day, \"1d 18:00\" on "
          + "the day before; none for no reminder, default for those of the calendar; see Reminders"
      ),
      .value("--time-zone", "ZONE", "the same time in an IANA zone; --start is read in it"),
      .busy, .free, .color,
      .value("--calendar", "CALENDAR", "move it to this calendar, as move does"),
      .choice(
        "--scope", "WORD", of: ["this", "this-and-future", "all"],
        "how much changes: this, this-and-future or all (all; with an occurrence in the ID: this)"),
      .json,
    ],
    summary: "change an event, or one occurrence of it",
    details: [
      """
      What is not named stays as it is. An empty text takes a location, description or url away. \
      With this-and-future the event ends before the occurrence, and goes on as another one, whose \
      ID is printed. --calendar beside other options is a second step to undo.
      """
    ],
    examples: [
      "calctl edit q7k2m9xw4cjt8vrn5hzb --start 15:00 --location \"Room Ada\"",
      "calctl edit standup@example.org/20261123T083000Z --start \"tomorrow 10:00\"",
      "calctl edit standup@example.org/20261123T083000Z --scope this-and-future --end 20m",
      "calctl edit q7k2m9xw4cjt8vrn5hzb --repeat none --reminder none",
    ]
  ) { arguments, context throws(CommandError) in
    var changes = try EditedEvent.row(arguments)
    let target = try arguments.calendar(context)
    let reference = EventReference(arguments.positionals[0])
    let found = try EventLookup(context: context).any(reference)
    if found.kind != .event {
      throw .system(
        "\"\(reference.text)\" is a \(found.kindName), which is read-only (calctl rm removes it, calctl move has it in "
          + "another calendar)")
    }
    let client = try context.client()
    let scope = arguments.value("--scope") ?? ""
    let isOne = !found.occurrence.isEmpty && (scope.isEmpty || scope == "this")
    if !target.isEmpty, !found.occurrence.isEmpty, scope != "all" {
      throw .usage(
        "--calendar: an event moves as a whole", command: "edit",
        hint: "leave out /\(found.occurrence)")
    }
    if let start = changes[.start]?.asString {
      let phrases = PhraseContext(
        now: context.now, zone: try context.zone(reading: changes.text(.timeZone)))
      let edited = try EditedTimes.start(start, of: found.event, zone: context.zone())
      changes.set(.start, CommandContext.wholeMinute(edited, phrases))
    }
    // Without a time of its own the event would have days where --all-day says so.
    if let end = changes[.end]?.asString, !changes.flag(.allDay) {
      let zone = try context.zone(reading: changes.text(.timeZone))
      let phrases = PhraseContext(now: context.now, zone: zone)
      let edited = EditedTimes.end(end, of: found.event, phrases)
      changes.set(.end, CommandContext.wholeMinute(edited, phrases))
    }
    var (uid, warnings): (String, [String]) = (found.uid, [])
    if !changes.entries.isEmpty {
      // Of two events with this uid it is the one that was found.
      changes.set(.inCalendar, found.calendar)
      do throws(CommandError) {
        (uid, _, warnings) = try client.update(
          found.uid, occurrence: found.occurrence, scope: scope, changes: changes)
      } catch {
        throw error.renamed(
          [("scope", "--scope"), ("recurrence_id", "ID")]
            + EditedEvent.keys.map { ($0.key.rawValue, $0.name) })
      }
    }
    var calendar = found.calendar
    if !target.isEmpty, target != calendar {
      do throws(CommandError) {
        _ = try client.move([found.name], to: target)
      } catch {
        throw error.renamed([("calendar", "--calendar")])
      }
      calendar = target
      if !arguments.has(.json) { context.warnIfHidden(target) }
    }
    var event = try client.event(uid, occurrence: isOne ? found.occurrence : "", in: calendar)
    event.setWarnings(warnings)
    let output = context.output
    if arguments.has(.json) { return try output.json(event) }
    let extent =
      switch (event.flag(.recurring), isOne, scope) {
      case (_, _, "this-and-future") where uid != found.uid: " from here on; it begins"
      case (true, false, _): ", all of it; it begins"
      default: ":"
      }
    try output.line(
      "Changed \(displayLine(event.text(.summary)))\(extent) \(try output.when(event))")
    try AddedEvent.printNotes(event, arguments.all("--reminder"), context)
    if uid != found.uid { try output.line("id \(EventReference(event).text)") }
  }
}

/// The options of `calctl edit` in the words of the bus.
enum EditedEvent {
  /// Which option gives which key of Events.Update.
  static let keys: [(name: String, key: RowKey)] =
    [("--title", .summary)] + AddedEvent.keys.filter { $0.name.hasPrefix("--") }

  /// Returns the changes that the command line asks for.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` when it asks for none, --repeat
  ///   is no rule, or "none" stands beside something.
  static func row(_ arguments: ParsedArguments) throws(CommandError) -> Row {
    var row = Row()
    for (name, key) in keys {
      let values = arguments.all(name)
      if values.isEmpty { continue }
      switch key {
      case .allDay: row.set(key, true)
      case .busy: row.set(key, try BusyOptions.isBusy(arguments, command: "edit"))
      case .reminders: row.set(key, try reminders(values, name, command: "edit"))
      case .color: row.set(key, EventColorWord.text(of: values[0]))
      case .rrule:
        var rules: [String] = []
        for value in try unlessNone(values, name) {
          rules.append(try RepeatWord.rule(of: value, command: "edit"))
        }
        row.set(key, rules.joined(separator: "\n"))
      default: row.set(key, values[0])
      }
    }
    if row.entries.isEmpty, !arguments.has(OptionSpec.calendar) {
      throw .usage(
        "there is nothing to change", command: "edit", hint: "such as: --start \"tomorrow 14:00\"")
    }
    return row
  }

  /// What --reminder says in the words of the bus, where nothing stands for "default". "15m,5m" is two.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` when one of the words stands beside
  ///   something else.
  static func reminders(
    _ written: [String], _ name: String, command: String
  ) throws(CommandError) -> [String] {
    let values = written.flatMap(separated)
    let words = values.map { $0.lowercased() }
    guard words.contains("none") || words.contains("default") else { return values }
    if values.count == 1 { return words[0] == "none" ? ["none"] : [] }
    throw .usage(
      "\(name): \(words.contains("none") ? "none" : "default") stands alone", command: command,
      hint: "leave it or the others out")
  }

  /// Takes several reminders apart that stand between commas; "1d, 18:00" is one, and so is "fri, 10:00".
  static func separated(_ text: String) -> [String] {
    func moment(_ text: String) -> Moment? {
      try? readMoment(text, PhraseContext(now: Timestamp(seconds: 0), zone: .utc))
    }
    func isDay(_ text: String) -> Bool {
      if case .date = moment(text) { true } else { false }
    }
    let parts = text.split(separator: ",").map { part in
      let ends = part.indices.filter { part[$0] != " " }
      return ends.isEmpty ? "" : String(part[ends[0]...ends[ends.count - 1]])
    }
    let isSeveral =
      parts.count > 1 && readReminderTime(text) == nil && moment(text) == nil
      // Whose time it would be nobody could tell.
      && !zip(parts, parts.dropFirst()).contains { isDay($0) && readReminderTime($1) != nil }
      && parts.allSatisfy { part in
        let length = part.hasPrefix("-") ? part.dropFirst() : part[...]
        return (try? readDuration(length)) != nil || readReminderTime(part) != nil
          || readReminderPlace(part) != nil || ["none", "default"].contains(part.lowercased())
          || moment(part) != nil
      }
    return isSeveral ? parts : [text]
  }

  /// The values of an option; nothing for the word "none".
  private static func unlessNone(
    _ values: [String], _ name: String
  ) throws(CommandError) -> [String] {
    guard values.contains(where: { $0.lowercased() == "none" }) else { return values }
    if values.count == 1 { return [] }
    throw .usage("\(name): none stands alone", command: "edit", hint: nil)
  }
}
