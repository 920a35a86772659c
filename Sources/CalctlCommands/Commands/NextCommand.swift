import CalendarBus

extension CommandSpec {
  static let next = CommandSpec(
    name: "next", arguments: [],
    options: [.value("--count", "N", "how many, 1 to 100 (1)"), .calendars, .ids, .json],
    summary: "what runs now or comes next",
    details: [
      """
      Of several that run it is the one that began last, as in a bar. Events that take whole days are not counted: \
      today and agenda list them.
      """
    ],
    examples: ["calctl next", "calctl next --count 5 --json"]
  ) { arguments, context throws(CommandError) in
    let count = try arguments.number("--count", or: 1, in: 1...100, of: "next")
    let calendars = try arguments.calendars(context)
    let rows = try AgendaRows(context: context).next(Int(count), in: calendars)
    let output = context.output
    if arguments.has(.json) { return try output.json(rows) }
    if rows.isEmpty { return try output.line("Nothing ahead.") }
    try output.agenda(rows, days: nil, showsIDs: arguments.has(.ids))
  }
}
