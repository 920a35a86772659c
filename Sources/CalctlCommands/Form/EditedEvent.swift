import CalendarBus
import CivilTime
import DBus
import Phrases
import Platform

/// The options of `calctl edit` as keys of the bus.
enum EditedEvent {
  /// The option for each key of Events.Update.
  static let keys: [(name: String, key: RowKey)] =
    [("--title", .summary)] + AddedEvent.keys.filter { $0.name.hasPrefix("--") }

  /// Returns the first option that changes something, of an event before those of to-dos; nil if
  /// there is none.
  static func firstOption(_ arguments: ParsedArguments) -> String? {
    let shared = ToDoEdit.keys.map(\.name)
    let ofEvents = (keys.map(\.name) + [OptionSpec.calendar.name]).filter { !shared.contains($0) }
    return (ofEvents + shared).first { arguments.has($0) }
  }

  /// Returns whether a command line without changes opens an editor.
  static func opensEditor(_ arguments: ParsedArguments, _ context: CommandContext) -> Bool {
    arguments.has("--editor")
      || (context.isTerminal(context.standardInput)
        && context.isTerminal(context.standardOutput.descriptor))
  }

  /// Returns the changes that the command line describes.
  ///
  /// - Parameter phrases: Reads --repeat.
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if there are none, --repeat is invalid, or
  ///   "none" is combined with other values.
  static func row(
    _ arguments: ParsedArguments, _ phrases: PhraseReader
  ) throws(CommandError) -> Row {
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
          rules.append(try RepeatWord.rule(of: value, phrases, command: "edit"))
        }
        row.set(key, rules.joined(separator: "\n"))
      default: row.set(key, values[0])
      }
    }
    if row.entries.isEmpty, !arguments.has(OptionSpec.calendar) {
      throw .usage(
        localized("nothing to change: without a terminal it needs options"), command: "edit",
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
