import CalendarBus
import DBus
import JSON
import Platform

extension CommandSpec {
  static let reminders = CommandSpec(
    name: "reminders", arguments: [],
    options: [
      .flag("--missed", localized("instead list the last 100 that were too old to be shown")),
      .flag("--test", localized("send a test reminder")), .json,
    ],
    summary: localized("list reminders that are due or snoozed"),
    details: [
      localized(
        """
        Closing a notification dismisses its reminder; if it disappears by itself, the reminder \
        keeps waiting here. More than five reminders at once, and those held back in quiet time, \
        share one notification: closing it, and its buttons, apply to all.
        """),
      localized(
        "Missed reminders are counted in a notification; calctl snooze ID 5m brings one back."),
    ],
    examples: ["calctl reminders", "calctl reminders --missed", "calctl reminders --test"]
  ) { arguments, context throws(CommandError) in
    if arguments.has("--test") {
      guard !arguments.has("--missed") else {
        throw .exclusive("--test", "--missed", command: "reminders")
      }
      return try test(arguments, context)
    }
    if arguments.has("--missed") { return try missed(arguments, context) }
    let rows = try context.client().pendingReminders()
    if arguments.has(.json) { return try context.output.json(rows) }
    if rows.isEmpty { return try context.output.line(localized("No reminders are waiting.")) }
    try context.output.reminders(rows, calendars: context.calendarNames())
  }

  private static func missed(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let rows = try context.client().missedReminders()
    if arguments.has(.json) { return try context.output.json(rows) }
    if rows.isEmpty { return try context.output.line(localized("No missed reminders.")) }
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
      try context.output.line(
        localized(
          "Sent a test reminder. To remove it: {command}", ["command": "calctl dismiss \(id)"]))
      let quiet = try client.quietUntil()
      if quiet != 0 {
        try context.output.line(
          localizedSentences([
            context.output.quiet(quiet), localized("No notification is shown before then."),
          ]))
      }
      if !showsNotifications {
        try context.output.line(
          localized(
            """
            No notification is shown, since datebook.conf says notifications = no; D-Bus signals \
            and hooks are sent.
            """))
      }
    }
    guard showsNotifications else { return }
    let problem = properties["Problems"]?.asStrings?.first {
      $0.hasPrefix(Contract.noNotification)
    }
    if let problem { throw .system(BusWords.problem(problem)) }
  }
}

extension ArgumentSpec {
  static let reminderID = ArgumentSpec(
    name: "REMINDER", isRequired: false,
    help: localized(
      """
      its ID, as in calctl reminders, or the beginning (at least four digits if it is not \
      waiting), or the title of its event
      """),
    repeats: true)
}
