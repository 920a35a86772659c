import CalendarBus
import CivilTime
import JSON

extension CommandSpec {
  static let snooze = CommandSpec(
    name: "snooze",
    arguments: [
      .reminderID,
      ArgumentSpec(
        name: "UNTIL", isRequired: false,
        help: "a length, a moment, start or end of the event, unlock: 5m, \"fri 9:00\" (10m)"
      ),
    ],
    options: [.flag("--all", "every reminder that is due, in place of one"), .json],
    summary: "let a reminder come back later",
    examples: [
      "calctl snooze 3f9c0a1be2d47856 5m", "calctl snooze 3f9c start",
      "calctl snooze 3f9c unlock",
      "calctl snooze --all \"tomorrow 9:00\"",
    ]
  ) { arguments, context throws(CommandError) in
    do throws(CommandError) {
      if try arguments.wantsAll(of: "snooze") {
        try snoozeAll(arguments, context)
      } else {
        try snoozeOne(arguments, context)
      }
    } catch {
      throw try error.renamed([("until", "UNTIL")]).withLocalTimes(context.output)
    }
  }

  private static func snoozeOne(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let id = try ReminderLookup(context: context).id(beginning: arguments.positionals[0])
    let due = try context.client().snooze(id, until: arguments.positional(1) ?? "10m")
    if arguments.has(.json) {
      return try context.output.json(["id": .string(id), "due": .integer(due.seconds)])
    }
    try context.output.line(try context.output.comesBack(due))
  }

  private static func snoozeAll(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    if let extra = arguments.positional(1) { throw .tooMany(extra, command: "snooze") }
    let until = arguments.positional(0) ?? "10m"
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

extension CommandError {
  static func tooMany(_ extra: String, command: String) -> CommandError {
    .usage("\"\(extra)\" is one argument too many", command: command, hint: nil)
  }
}
