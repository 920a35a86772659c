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
        help: "a length, a moment, or start: 5m, \"fri 9:00\" (10m)"
      ),
    ],
    options: [.json], summary: "let a reminder come back later",
    examples: ["calctl snooze 3f9c0a1be2d47856 5m", "calctl snooze 3f9c0a1be2d47856 start"]
  ) { arguments, context throws(CommandError) in
    let id = arguments.positionals[0]
    let client = try context.client()
    let due: Timestamp
    do throws(CommandError) {
      due = try client.snooze(id, until: arguments.positional(1) ?? "10m")
    } catch {
      throw error.renamed([("until", "UNTIL")])
    }
    if arguments.has(.json) {
      return try context.output.json(["id": .string(id), "due": .integer(due.seconds)])
    }
    try context.output.line("Comes back at \(context.output.moment(due)).")
  }
}
