import CalendarBus
import Platform

extension CommandSpec {
  static let today = CommandSpec(
    name: "today", arguments: [], options: OptionSpec.filters + [.ids, .json],
    summary: localized("list today's events"), details: [AgendaRows.crowdHelp],
    examples: ["calctl today", "calctl today --json"]
  ) { arguments, context throws(CommandError) in
    let filter = try arguments.filter(context)
    let rows = try AgendaRows(context: context, isWhole: arguments.has(.json)).today(filter)
    let output = context.output
    if arguments.has(.json) { return try output.json(rows) }
    if rows.isEmpty { return try output.line(localized("No events today.")) }
    let today = try context.today()
    try output.agenda(rows, days: today...today, showsIDs: arguments.has(.ids))
  }
}
