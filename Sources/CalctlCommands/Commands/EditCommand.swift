import CalendarBus
import CivilTime
import DBus
import JSON
import Phrases
import Platform
import Widgets

extension CommandSpec {
  static let edit = CommandSpec(
    name: "edit",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true,
        help: localized(
          """
          the ID of an event, its beginning, or the title or a part of it; ID/OCCURRENCE or \
          TITLE@DAY for one occurrence; see IDs
          """))
    ],
    options: [
      .value("--title", "TEXT", localized("the title")),
      .value(
        "--start", "WHEN",
        localized(
          """
          when it begins; a time alone keeps the day, a day alone the time; +1d and -30m count \
          from its present start
          """)),
      .value(
        "--end", "WHEN",
        localized(
          """
          when it ends, or how long it lasts: 45m; a day alone keeps the time (the same duration)
          """)),
      .flag("--all-day", localized("an all-day event; --end is then the day after its last one")),
      .value("--location", "TEXT", localized("where it is")),
      .value("--description", "TEXT", localized("a longer text")),
      .value("--url", "URL", localized("a web address")),
      .value(
        "--repeat", "RULE", repeats: true, words: RepeatWord.allCases.map(\.rawValue) + ["none"],
        localized("how often: weekly; mon,wed; or a rule; see Repeating; none for once")),
      .value(
        "--reminder", "BEFORE", repeats: true, words: ["none", "default"],
        localized(
          """
          replaces the reminders: how long before the start, 15m or 1d; or when, 9:00 on the day \
          or "1d 18:00" on the day before; none for no reminder, default for those of the \
          calendar; see Reminders
          """)),
      .value(
        "--time-zone", "ZONE",
        localized("an IANA zone, in which --start is read; without --start it keeps its time")),
      .busy, .free, .color,
      .value("--calendar", "CALENDAR", localized("move it to this calendar")),
    ]
      + OptionSpec.scopes(
        localized(
          """
          what to change: this, this-and-future or all (all; with an occurrence in the ID: this)
          """)) + [.json],
    summary: localized("change an event, or one occurrence of it"),
    details: [
      localized(
        """
        Only what you name changes. An empty text removes a location, description or URL. With \
        this-and-future the event ends before the occurrence, and continues as a new event, whose \
        ID is printed. --calendar with other options is a second step to undo.
        """)
    ],
    examples: [
      "calctl edit q7k2m9xw4cjt8vrn5hzb --start 15:00 --location \"Room Ada\"",
      "calctl edit \"Team standup@fri\" --start 10:00",
      "calctl edit standup@example.org/20261123T083000Z --scope this-and-future --end 20m",
      "calctl edit q7k2m9xw4cjt8vrn5hzb --repeat none --reminder none",
    ]
  ) { arguments, context throws(CommandError) in
    var changes = try EditedEvent.row(arguments)
    let scope = try arguments.scope(of: "edit")
    let target = try arguments.calendar(context)
    let reference = EventReference(arguments.positionals[0])
    let found = try EventLookup(context: context).any(reference)
    if found.kind != .event {
      throw .system(
        localized(
          """
          only events can be edited, but "{id}" has the kind "{kind}" (calctl rm removes it, \
          calctl move moves it to another calendar)
          """,
          ["id": reference.text, "kind": found.kindName]))
    }
    let client = try context.client()
    let isOne = !found.occurrence.isEmpty && (scope.isEmpty || scope == "this")
    if !target.isEmpty, !found.occurrence.isEmpty, scope != "all" {
      throw .usage(
        localized("{option}: an event moves as a whole", ["option": "--calendar"]),
        command: "edit",
        hint: found.hintOfSeries(reference))
    }
    if let start = changes[.start]?.asString {
      let phrases = context.phrases(in: try context.zone())
      changes.set(.start, try EditedTimes.start(start, of: found.event, phrases))
    }
    // With --all-day, the end is a day without a time.
    if let end = changes[.end]?.asString, !changes.flag(.allDay) {
      let phrases = context.phrases(in: try context.zone(reading: changes.text(.timeZone)))
      changes.set(.end, EditedTimes.end(end, of: found.event, phrases))
    }
    var (uid, warnings): (String, [String]) = (found.uid, [])
    if !changes.entries.isEmpty {
      do throws(CommandError) {
        (uid, _, warnings) = try client.update(
          found.name, occurrence: found.occurrence, scope: scope, changes: changes)
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
    let isFromHere = scope == "this-and-future" && uid != found.uid
    let change: ChangedScope =
      isFromHere
      ? .following
      : ChangedScope(event, occurrence: isOne ? found.occurrence : "", scope: scope)
    try output.line(change.changed(context.titleAndRepeats(event), output.when(event)))
    try AddedEvent.printNotes(event, arguments.all("--reminder"), context)
    if uid != found.uid { try output.line("id \(EventReference(event).text)") }
  }
}

/// The options of `calctl edit` as keys of the bus.
enum EditedEvent {
  /// The option for each key of Events.Update.
  static let keys: [(name: String, key: RowKey)] =
    [("--title", .summary)] + AddedEvent.keys.filter { $0.name.hasPrefix("--") }

  /// Returns the changes that the command line describes.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if there are none, --repeat is invalid, or
  ///   "none" is combined with other values.
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
        localized("nothing to change"), command: "edit",
        hint: CommandError.forExample("--start \"tomorrow 14:00\""))
    }
    return row
  }

  /// Returns the values of --reminder for the bus; an empty list means "default".
  ///
  /// "15m,5m" is two reminders.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if "none" or "default" is combined with
  ///   other values.
  static func reminders(
    _ written: [String], _ name: String, command: String
  ) throws(CommandError) -> [String] {
    let values = written.flatMap(separated)
    let words = values.map { $0.lowercased() }
    guard words.contains("none") || words.contains("default") else { return values }
    if values.count == 1 { return words[0] == "none" ? ["none"] : [] }
    throw .notAlone(words.contains("none") ? "none" : "default", of: name, command: command)
  }

  /// Splits reminders at commas, but not "1d, 18:00" or "fri, 10:00", which are one reminder.
  static func separated(_ text: String) -> [String] {
    // The present does not matter here.
    let phrases = PhraseReader(
      PhraseContext(now: Timestamp(seconds: 0), zone: .utc),
      zones: ZoneinfoDirectory(environment: .current))
    func isDay(_ text: String) -> Bool {
      if case .date? = try? phrases.moment(text, takesPast: true) { true } else { false }
    }
    func isClock(_ text: String) -> Bool {
      if case .time? = try? readReminder(text) { true } else { false }
    }
    let parts = text.split(separator: ",").map { part in
      let ends = part.indices.filter { part[$0] != " " }
      return ends.isEmpty ? "" : String(part[ends[0]...ends[ends.count - 1]])
    }
    // With a blank, the time is that of the days before: "1d, 18:00".
    if parts.count == 2, text.contains(", "), isClock("\(parts[0]) \(parts[1])") {
      return ["\(parts[0]) \(parts[1])"]
    }
    let isSeveral =
      parts.count > 1 && !isClock(text) && (try? phrases.moment(text, takesPast: true)) == nil
      // It would be unclear which part the time belongs to.
      && !zip(parts, parts.dropFirst()).contains { isDay($0) && isClock($1) }
      && parts.allSatisfy { part in
        let length = part.hasPrefix("-") ? part.dropFirst() : part[...]
        return (try? readDuration(length)) != nil || (try? readReminder(part)) != nil
          || part.lowercased() == "default" || (try? phrases.moment(part, takesPast: true)) != nil
      }
    return isSeveral ? parts : [text]
  }

  /// Returns the values of an option; an empty list for the word "none".
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if "none" is combined with other values.
  private static func unlessNone(
    _ values: [String], _ name: String
  ) throws(CommandError) -> [String] {
    guard values.contains(where: { $0.lowercased() == "none" }) else { return values }
    if values.count == 1 { return [] }
    throw .notAlone("none", of: name, command: "edit")
  }
}
