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
        help: "a length, a moment, start or end of the event: 5m, \"fri 9:00\" (10m)"
      ),
    ],
    options: [.flag("--all", "every reminder that is due, in place of one"), .json],
    summary: "let a reminder come back later",
    examples: [
      "calctl snooze 3f9c0a1be2d47856 5m", "calctl snooze 3f9c start",
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
      throw error.renamed([("until", "UNTIL")])
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
    try context.output.line("Comes back at \(context.output.moment(due)).")
  }

  private static func snoozeAll(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    if let extra = arguments.positional(1) { throw .tooMany(extra, command: "snooze") }
    let count = try context.client().snoozeAll(until: arguments.positional(0) ?? "10m")
    if arguments.has(.json) { return try context.output.json(["count": .integer(count)]) }
    try context.output.line(
      count == 0
        ? "No reminder was put off." : "Put \(ReminderWords.count(count)) off.")
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
