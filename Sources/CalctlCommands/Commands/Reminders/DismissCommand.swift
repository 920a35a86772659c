import CalendarBus
import CivilTime
import JSON
import Platform

extension CommandSpec {
  static let dismiss = CommandSpec(
    name: "dismiss", arguments: [.reminderID],
    options: [
      .flag("--all", localized("all reminders that are due")),
      .flag("--snoozed", localized("with --all: snoozed reminders, too")), .json,
    ],
    summary: localized("dismiss reminders"),
    details: [
      localized(
        """
        A future reminder, as in calctl upcoming, will not be shown. A title, or a part of \
        it, stands for all waiting reminders of its event. calctl snooze ID 5m brings a reminder back; calctl why \
        TITLE prints its ID.
        """),
      localized(
        """
        --json prints an object with "id", or an array of these for several reminders; with --all \
        an object with "count".
        """),
    ],
    examples: [
      "calctl dismiss 3f9c0a1be2d47856", "calctl dismiss 3f9c 81ab", "calctl dismiss --all",
      "calctl dismiss --all --snoozed",
    ]
  ) { arguments, context throws(CommandError) in
    let client = try context.client()
    if try arguments.wantsAll(of: "dismiss") {
      if let extra = arguments.positional(0) { throw .tooMany(extra, command: "dismiss") }
      return try dismissAll(arguments, context)
    }
    if arguments.has("--snoozed") {
      throw .usage(
        localized("{option} needs {other}", ["option": "--snoozed", "other": "--all"]),
        command: "dismiss", hint: nil)
    }
    // Look up all first: if one is unknown, none is dismissed.
    var ids: [String] = []
    var written: Set<String> = []
    for name in arguments.positionals {
      let found = try ReminderLookup(context: context).find(name)
      for id in found.ids where !ids.contains(id) { ids.append(id) }
      if !found.isTitle { written.formUnion(found.ids) }
    }
    for id in ids {
      try client.dismiss(id)
      // Dismissed already: report it even if its title cannot be found.
      if !arguments.has(.json) {
        let message = (try? dismissed(id, context)) ?? localized("Dismissed.")
        let back = localized(
          "To bring it back: {command}", ["command": "calctl snooze \(id) 5m"])
        try context.output.line(written.contains(id) ? message : "\(message) \(back)")
      }
    }
    if arguments.has(.json) {
      let answers = ids.map { JSONValue.object(["id": .string($0)]) }
      try context.output.json(answers.count == 1 ? answers[0] : .array(answers))
    }
  }

  private static func dismissAll(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let client = try context.client()
    let waiting = try client.pendingReminders()
    let due = waiting.filter { $0.text(.state) != "snoozed" }
    let staying = arguments.has("--snoozed") ? 0 : waiting.count - due.count
    var count: Int64 = 0
    if staying == 0 {
      count = try client.dismissAll()
    } else {
      for row in due {
        try client.dismiss(row.text(.id))
        count += 1
      }
    }
    if arguments.has(.json) { return try context.output.json(["count": .integer(count)]) }
    var sentences = [
      count > 0
        ? localized(
          Int(count), one: "Dismissed {count} reminder.", other: "Dismissed {count} reminders.")
        : staying == 0 ? localized("No reminders are waiting.") : localized("No reminder is due.")
    ]
    if staying > 0 {
      sentences.append(
        localized(
          staying, one: "{count} reminder stays snoozed; --snoozed dismisses it, too.",
          other: "{count} reminders stay snoozed; --snoozed dismisses them, too."))
    }
    try context.output.line(localizedSentences(sentences))
    if count > 0 { try list(staying == 0 ? waiting : due, context) }
  }

  /// Prints the dismissed reminders with their IDs, by which they can be snoozed again.
  private static func list(_ dismissed: [Row], _ context: CommandContext) throws(CommandError) {
    try context.output.reminders(
      Array(dismissed.prefix(mostListed)), calendars: (try? context.calendarNames()) ?? [:])
    if dismissed.count > mostListed {
      try context.output.line(
        localized("and {number} more", ["number": dismissed.count - mostListed]))
    }
    let command = "calctl snooze ID 5m"
    try context.output.line(
      dismissed.count == 1
        ? localized("To bring it back: {command}", ["command": command])
        : localized("To bring one back: {command}", ["command": command]))
  }

  /// The most reminders that are listed.
  private static let mostListed = 100

  /// Returns which reminder was dismissed, and when it was due.
  ///
  /// A future reminder is reported as not to be shown; one that was over already, with the reason.
  private static func dismissed(
    _ id: String, _ context: CommandContext
  ) throws(CommandError) -> String {
    let steps = try context.client().why(id, occurrence: "")
    guard let step = steps.first else { return localized("Dismissed.") }
    let wasShown = steps.contains { ["due", "delivered"].contains($0.text(.state)) }
    let isAhead = step.text(.state) == "acknowledged" && !wasShown
    // A snoozed reminder is due at the end of its snooze.
    let last = isAhead ? steps.last { $0.text(.state) == "snoozed" } ?? step : step
    let due = Timestamp(seconds: last.number(.due))
    let title = ReminderWords.title(of: step)
    let end = try WhyWords.end(steps, calendars: context.calendarNames)
    if isAhead, end == nil, due == .latest {
      return localized(
        "Dismissed {title}: it will not be shown when you unlock the session.", ["title": title])
    }
    let time = try context.output.moment(due)
    if isAhead, end == nil {
      return localized(
        "Dismissed {title}: it will not be shown at {time}.", ["title": title, "time": time])
    }
    if let end {
      return localized(
        "The reminder of {title}, due {time}, was over already: {reason}.",
        ["title": title, "time": time, "reason": end])
    }
    return step.flag(.undated)
      ? localized(
        "Dismissed {title}, whose reminder was due {time}.", ["title": title, "time": time])
      : localized("Dismissed {title}, which was due {time}.", ["title": title, "time": time])
  }
}
