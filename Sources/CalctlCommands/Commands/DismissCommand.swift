import CalendarBus
import JSON

extension CommandSpec {
  static let dismiss = CommandSpec(
    name: "dismiss", arguments: [.reminderID], options: [.json],
    summary: "say that you have seen a reminder", examples: ["calctl dismiss 3f9c0a1be2d47856"]
  ) { arguments, context throws(CommandError) in
    let id = arguments.positionals[0]
    try context.client().dismiss(id)
    if arguments.has(.json) { return try context.output.json(["id": .string(id)]) }
    try context.output.line("Dismissed.")
  }
}
