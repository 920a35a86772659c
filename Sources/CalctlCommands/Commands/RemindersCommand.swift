import CalendarBus

extension CommandSpec {
  static let reminders = CommandSpec(
    name: "reminders", arguments: [], options: [.json],
    summary: "reminders that are due or snoozed", examples: ["calctl reminders"]
  ) { arguments, context throws(CommandError) in
    let rows = try context.client().pendingReminders()
    if arguments.has(.json) { return try context.output.json(rows) }
    if rows.isEmpty { return try context.output.line("No reminders wait for you.") }
    try context.output.reminders(rows)
  }
}

extension ArgumentSpec {
  static let reminderID = ArgumentSpec(
    name: "REMINDER", isRequired: true, help: "its ID, as calctl reminders prints it")
}
