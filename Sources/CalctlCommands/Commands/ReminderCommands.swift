import CalendarBus

extension CommandSpec {
  static let reminders = CommandSpec(
    name: "reminders", arguments: [], options: [CommandTable.json],
    summary: "reminders that are due or snoozed", examples: ["calctl reminders"]
  ) { arguments, context throws(CommandError) in
    let rows = try context.client().pendingReminders()
    if arguments.has("--json") { return try context.output.json(rows) }
    if rows.isEmpty { return try context.output.line("No reminders wait for you.") }
    try context.output.reminders(rows)
  }

  static let snooze = CommandSpec(
    name: "snooze",
    arguments: [
      .reminderID,
      ArgumentSpec(name: "UNTIL", isRequired: false, help: "10m, tomorrow 9:00, or start (10m)"),
    ],
    options: [], summary: "let a reminder come back later",
    examples: ["calctl snooze 3f9c0a1be2d47856 5m"]
  ) { arguments, context throws(CommandError) in
    let client = try context.client()
    let due = try client.snooze(arguments.positionals[0], until: arguments.positional(1) ?? "10m")
    try context.output.line("Comes back at \(context.output.moment(due)).")
  }

  static let dismiss = CommandSpec(
    name: "dismiss", arguments: [.reminderID], options: [],
    summary: "say that you have seen a reminder", examples: ["calctl dismiss 3f9c0a1be2d47856"]
  ) { arguments, context throws(CommandError) in
    try context.client().dismiss(arguments.positionals[0])
  }
}

extension ArgumentSpec {
  static let reminderID = ArgumentSpec(
    name: "REMINDER", isRequired: true, help: "its id, as calctl reminders shows it")
}
