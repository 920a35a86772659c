import CalendarBus
import CivilTime
import JSON
import Phrases

extension CommandSpec {
  static let snooze = CommandSpec(
    name: "snooze",
    arguments: [
      .reminderID,
      ArgumentSpec(
        name: "UNTIL", isRequired: false,
        help: "a length, a moment, start or end of the event, unlock: 5m, fri 9:00 (10m)",
        repeats: true),
    ],
    options: [.flag("--all", "every reminder that is due, in place of one"), .json],
    summary: "let a reminder come back later",
    details: [
      """
      Several reminders are put off until the same moment. A time without a day is the next one, today \
      or tomorrow.
      """
    ],
    examples: [
      "calctl snooze 3f9c0a1be2d47856 5m", "calctl snooze 3f9c start",
      "calctl snooze 3f9c unlock", "calctl snooze 3f9c 81ab tomorrow 9:00",
      "calctl snooze --all until tomorrow 9:00",
    ]
  ) { arguments, context throws(CommandError) in
    do throws(CommandError) {
      if try arguments.wantsAll(of: "snooze") {
        try snoozeAll(arguments, context)
      } else {
        try snoozeSome(arguments, context)
      }
    } catch {
      throw try error.renamed([("until", "UNTIL")]).withLocalTimes(context.output)
    }
  }

  private static func snoozeSome(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let (names, words) = SnoozeWords.split(arguments.positionals)
    let until = try SnoozeWords.until(words, context)
    // Before any is put off: where one is unknown, all stay as they are.
    var ids: [String] = []
    for name in names { ids.append(try ReminderLookup(context: context).id(beginning: name)) }
    var answers: [JSONValue] = []
    for id in ids {
      let due = try context.client().snooze(id, until: until)
      answers.append(.object(["id": .string(id), "due": .integer(due.seconds)]))
      if !arguments.has(.json) { try context.output.line(try context.output.comesBack(due)) }
    }
    if arguments.has(.json) {
      try context.output.json(answers.count == 1 ? answers[0] : .array(answers))
    }
  }

  private static func snoozeAll(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let until = try SnoozeWords.until(arguments.positionals[...], context)
    let count = try context.client().snoozeAll(until: until)
    try sayWhatStays(until, context)
    if arguments.has(.json) { return try context.output.json(["count": .integer(count)]) }
    try context.output.line(
      count == 0
        ? "No reminder was put off." : "Put \(ReminderWords.count(count)) off.")
  }

  /// Says of each reminder that was not put off until its event's start, or end, why.
  private static func sayWhatStays(
    _ until: String, _ context: CommandContext
  ) throws(CommandError) {
    guard
      let (key, word): (RowKey, String) = ["start": (.start, "begun"), "end": (.end, "ended")][
        until]
    else { return }
    for row in try context.client().pendingReminders() where row.text(.state) == "due" {
      let instant = Timestamp(seconds: row.number(key))
      let title = row.text(.summary).isEmpty ? "(no title)" : row.text(.summary)
      context.output.warning(
        "\(title) (\(row.text(.id))) stays as it is: it has \(word) already, \(try context.output.moment(instant))"
      )
    }
  }
}

extension ParsedArguments {
  /// Returns whether --all was given; without it there must be a reminder.
  func wantsAll(of command: String) throws(CommandError) -> Bool {
    if has("--all") { return true }
    guard positional(0) != nil else {
      throw .usage(
        "REMINDER is missing", command: command, hint: "such as: calctl \(command) 3f9c, or --all")
    }
    return false
  }
}

/// What stands behind snooze: reminders, and until when.
enum SnoozeWords {
  /// Divides them: the first is a reminder, and so is each after it that looks like one, up to the
  /// first that does not.
  static func split(_ words: [String]) -> (ids: ArraySlice<String>, until: ArraySlice<String>) {
    let end = words.indices.dropFirst().first { !isID(words[$0]) } ?? words.endIndex
    return (words[..<end], words[end...])
  }

  /// Whether a word is an ID or the beginning of one, and no length ("1d"), month ("dec") or time
  /// ("0900").
  private static func isID(_ word: String) -> Bool {
    let small = word.lowercased()
    guard small.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return false }
    if small.count == 16 { return true }
    return small.contains(where: \.isLetter) && !["dec", "feb"].contains(small)
      && (try? readDuration(small)) == nil
  }

  /// Returns until when as the agent reads it: a time that has passed today is that of tomorrow.
  static func until(
    _ words: ArraySlice<String>, _ context: CommandContext
  ) throws(CommandError) -> String {
    let rest = words.count > 1 && words.first == "until" ? words.dropFirst() : words
    guard !rest.isEmpty else { return "10m" }
    return try context.nextStart(rest.joined(separator: " "), zone: "")
  }
}

extension CommandError {
  static func tooMany(_ extra: String, command: String) -> CommandError {
    .usage("\"\(extra)\" is one argument too many", command: command, hint: nil)
  }
}
