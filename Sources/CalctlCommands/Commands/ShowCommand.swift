extension CommandSpec {
  static let show = CommandSpec(
    name: "show",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true, help: "the event's ID, or the beginning of it; see IDs")
    ],
    options: [.json], summary: "everything about an event",
    details: [
      """
      If no event has the ID, those whose ID begins with it are looked for, among all there are. A \
      single one is shown; several are listed, and none is guessed.
      """
    ],
    examples: [
      "calctl show q7k2m9xw4cjt8vrn5hzb", "calctl show q7k2",
      "calctl show standup@example.org/20261123T083000Z",
      "calctl show Office/standup@example.org",
    ]
  ) { arguments, context throws(CommandError) in
    let reference = EventReference(arguments.positionals[0])
    let event = try EventLookup(context: context).event(beginning: reference).event
    if arguments.has(.json) { return try context.output.json(event) }
    try context.output.event(event)
  }
}
