import CalendarBus
import CivilTime
import JSON

extension CommandSpec {
  static let dismiss = CommandSpec(
    name: "dismiss", arguments: [.reminderID],
    options: [
      .flag("--all", "every reminder that is due, in place of some"),
      .flag("--snoozed", "of --all: those that are put off, too"), .json,
    ],
    summary: "say that you have seen a reminder",
    details: [
      "One that is still to come, as calctl upcoming prints it, does not ring then. A title takes all that wait of "
        + "its event. --all leaves what is snoozed until later, unless --snoozed is there as well.",
      "What was dismissed by mistake comes back with calctl snooze ID 5m; what was dismissed ahead rings then, or with "
        + "calctl snooze ID 14:45 at that time, and at its own moment no more. Where the ID was not written it is printed, "
        + "with --all of the first hundred; calctl why TITLE has it in front of it, too.",
      "--json is an object with \"id\", of several reminders an array of such objects, and with --all an object "
        + "with \"count\".",
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
      throw .usage("--snoozed goes with --all", command: "dismiss", hint: nil)
    }
    // Before any is dismissed: where one is unknown, all stay as they are.
    var ids: [String] = []
    var written: Set<String> = []
    for name in arguments.positionals {
      let found = try ReminderLookup(context: context).find(name)
      for id in found.ids where !ids.contains(id) { ids.append(id) }
      if !found.isTitle { written.formUnion(found.ids) }
    }
    for id in ids {
      try client.dismiss(id)
      // What was done stays done: without its title it is said all the same.
      if !arguments.has(.json) {
        try context.output.line(
          ((try? dismissed(id, context)) ?? "Dismissed.")
            + (written.contains(id) ? "" : back(id)))
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
    let rest =
      staying == 0
      ? ""
      : " \(ReminderWords.count(Int64(staying))) \(staying == 1 ? "stays" : "stay") snoozed "
        + "(--snoozed takes \(staying == 1 ? "it" : "them"), too)."
    try context.output.line(
      (count > 0
        ? "Dismissed \(ReminderWords.count(count))."
        : staying == 0 ? "No reminders wait for you." : "No reminder is due.") + rest)
    if count > 0 { try list(staying == 0 ? waiting : due, context) }
  }

  /// Prints what was just dismissed, each with the ID that brings it back.
  private static func list(_ gone: [Row], _ context: CommandContext) throws(CommandError) {
    try context.output.reminders(
      Array(gone.prefix(mostListed)), calendars: (try? context.calendarNames()) ?? [:])
    let more = gone.count > mostListed ? "and \(gone.count - mostListed) more; " : ""
    try context.output.line(
      more + "calctl snooze ID 5m brings \(gone.count == 1 ? "it" : "one") back.")
  }

  /// Of thousands nobody reads more.
  private static let mostListed = 100

  /// Returns how a reminder comes back whose ID nobody has written.
  private static func back(_ id: String) -> String { " calctl snooze \(id) 5m brings it back." }

  /// Says of which event it was and when it was due; of one that was dismissed before it rang when it does not ring, which
  /// may be the end of a snooze, and of one that something else had ended what that was.
  private static func dismissed(
    _ id: String, _ context: CommandContext
  ) throws(CommandError) -> String {
    let steps = try context.client().why(id, occurrence: "")
    guard let step = steps.first else { return "Dismissed." }
    let hasRung = steps.contains { ["due", "delivered"].contains($0.text(.state)) }
    let isAhead = step.text(.state) == "acknowledged" && !hasRung
    // That of a snooze is its end.
    let moment = isAhead ? steps.last { $0.text(.state) == "snoozed" } ?? step : step
    let due = Timestamp(seconds: moment.number(.due))
    let title = ReminderWords.title(of: step)
    let end = try WhyWords.end(steps, calendars: context.calendarNames)
    if isAhead, end == nil {
      return "Dismissed \(title): it will not ring \(try context.output.atReturn(due))."
    }
    let whose = step.flag(.undated) ? "whose reminder" : "which"
    let wasDue = "\(whose) was due \(try context.output.moment(due))"
    return end.map { "\(title), \(wasDue), was over already: \($0)." }
      ?? "Dismissed \(title), \(wasDue)."
  }
}
