import CalendarBus
import CivilTime
import Platform

extension CommandSpec {
  static let today = CommandSpec(
    name: "today", arguments: [], options: OptionSpec.lists,
    summary: localized("list today's events"), details: [AgendaRows.crowdHelp],
    examples: ["calctl today", "calctl today --json"]
  ) { arguments, context throws(CommandError) in
    let filter = try arguments.filter(context)
    let list = try EventList(arguments, filter, context, of: "today")
    let rows = try AgendaRows(context: context, isWhole: list.isWhole).today(filter)
    let today = try context.today()
    try list.print(rows, days: today...today)
  }

  static let tomorrow = CommandSpec(
    name: "tomorrow", arguments: [], options: OptionSpec.lists,
    summary: localized("list tomorrow's events"), details: [AgendaRows.crowdHelp],
    examples: ["calctl tomorrow", "calctl tomorrow --json"]
  ) { arguments, context throws(CommandError) in
    let filter = try arguments.filter(context)
    let list = try EventList(arguments, filter, context, of: "tomorrow")
    let today = try context.today()
    let day = today.adding(days: 1) ?? today
    let rows = try AgendaRows(context: context, isWhole: list.isWhole).agenda(
      from: day.description, days: 1, filter)
    try list.print(rows, days: day...day)
  }
}
