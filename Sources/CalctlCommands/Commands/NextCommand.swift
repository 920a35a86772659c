import CalendarBus
import Platform

extension CommandSpec {
  static let next = CommandSpec(
    name: "next", arguments: [],
    options: [
      .value("--count", "N", localized("how many, 1 to 100 (1)"))
    ] + OptionSpec.lists,
    summary: localized("print the current or the next event"),
    details: [
      localized(
        """
        Of several current events it prints the one that began last. All-day events are not \
        counted: see today and agenda.
        """)
    ],
    examples: ["calctl next", "calctl next --count 5 --json"]
  ) { arguments, context throws(CommandError) in
    let count = try arguments.number("--count", or: 1, in: 1...100, of: "next")
    let filter = try arguments.filter(context)
    let list = try EventList(arguments, filter, context, of: "next")
    try list.print(try AgendaRows(context: context).next(Int(count), filter), days: nil)
  }
}
