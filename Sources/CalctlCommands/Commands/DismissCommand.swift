import CalendarBus
import CivilTime
import JSON

extension CommandSpec {
  static let dismiss = CommandSpec(
    name: "dismiss", arguments: [.reminderID],
    options: [.flag("--all", "every reminder that waits, in place of one"), .json],
    summary: "say that you have seen a reminder",
    details: [
      "One that is still to come, as calctl upcoming prints it, does not ring then."
    ],
    examples: ["calctl dismiss 3f9c0a1be2d47856", "calctl dismiss 3f9c", "calctl dismiss --all"]
  ) { arguments, context throws(CommandError) in
    let client = try context.client()
    if try arguments.wantsAll(of: "dismiss") {
      if let extra = arguments.positional(0) { throw .tooMany(extra, command: "dismiss") }
      let count = try client.dismissAll()
      if arguments.has(.json) { return try context.output.json(["count": .integer(count)]) }
      return try context.output.line(
        count == 0 ? "No reminders wait for you." : "Dismissed \(ReminderWords.count(count)).")
    }
    let id = try ReminderLookup(context: context).id(beginning: arguments.positionals[0])
    try client.dismiss(id)
    if arguments.has(.json) { return try context.output.json(["id": .string(id)]) }
    try context.output.line(try dismissed(id, context))
  }

  /// Says of one that was dismissed before it was due when it does not ring.
  private static func dismissed(
    _ id: String, _ context: CommandContext
  ) throws(CommandError) -> String {
    let steps = try context.client().why(id, occurrence: "")
    guard let step = steps.first, step.text(.state) == "acknowledged" else { return "Dismissed." }
    let due = try context.output.moment(Timestamp(seconds: step.number(.due)))
    return "Dismissed: it will not ring at \(due)."
  }
}
