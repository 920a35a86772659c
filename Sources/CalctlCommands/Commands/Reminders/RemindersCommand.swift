import CalendarBus
import DBus
import JSON

extension CommandSpec {
  static let reminders = CommandSpec(
    name: "reminders", arguments: [],
    options: [
      .flag("--missed", "the last 100 that were too old to be told, in place of those that wait"),
      .flag("--test", "raise one that is no event's, to try the desktop with"), .json,
    ],
    summary: "reminders that are due or snoozed",
    details: [
      "A notification that somebody closes dismisses its reminder; one that goes by itself does not, and its reminder waits here. "
        + "More than five at once, and what quiet time held back, are one notification that counts them: closing it, and its "
        + "buttons, are for all; one that is answered here leaves it.",
      "What was too old when the agent found it is counted by a notification, and is not told; calctl snooze ID 5m "
        + "brings it back.",
    ],
    examples: ["calctl reminders", "calctl reminders --missed", "calctl reminders --test"]
  ) { arguments, context throws(CommandError) in
    if arguments.has("--test") {
      guard !arguments.has("--missed") else {
        throw .usage("--test and --missed do not go together", command: "reminders", hint: nil)
      }
      return try test(arguments, context)
    }
    if arguments.has("--missed") { return try missed(arguments, context) }
    let rows = try context.client().pendingReminders()
    if arguments.has(.json) { return try context.output.json(rows) }
    if rows.isEmpty { return try context.output.line("No reminders wait for you.") }
    try context.output.reminders(rows, calendars: context.calendarNames())
  }

  private static func missed(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let rows = try context.client().missedReminders()
    if arguments.has(.json) { return try context.output.json(rows) }
    if rows.isEmpty { return try context.output.line("No reminder was too old to be told.") }
    try context.output.reminders(rows, calendars: context.calendarNames())
  }

  private static func test(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let client = try context.client()
    let id = try client.testReminder()
    let properties = try client.properties()
    let showsNotifications = properties["Features"]?.asStrings?.contains("notifications") ?? false
    if arguments.has(.json) {
      try context.output.json(["id": .string(id)])
    } else {
      try context.output.line("Raised a test reminder: take it away with calctl dismiss \(id)")
      let quiet = try client.quietUntil()
      if quiet != 0 {
        try context.output.line("\(context.output.quiet(quiet)) No notification is shown before.")
      }
      if !showsNotifications {
        try context.output.line(
          "No notification is shown: datebook.conf says notifications = no. ReminderDue and the "
            + "hooks tell of it.")
      }
    }
    guard showsNotifications else { return }
    let problem = properties["Problems"]?.asStrings?.first {
      $0.hasPrefix(Contract.noNotification)
    }
    if let problem { throw .system(problem) }
  }
}

extension ArgumentSpec {
  static let reminderID = ArgumentSpec(
    name: "REMINDER", isRequired: false,
    help:
      "its ID, as calctl reminders prints it, or the beginning of it (four digits where it does not wait), or "
      + "the title of its event; several",
    repeats: true)
}
