import CalendarBus
import CivilTime
import Platform
import Widgets

extension CommandSpec {
  static let week = CommandSpec(
    name: "week",
    arguments: [
      ArgumentSpec(
        name: "DAY", isRequired: false,
        help: localized("any day of the week: 2026-11-21, mon next week, +7d (today)"),
        repeats: true)
    ],
    options: OptionSpec.filters + [.ids, .json],
    summary: localized("list the events of a week"),
    details: [
      localized(
        """
        The first day of the week is set in datebook.conf (week-start, in the section [calendar]), \
        or else by your locale.
        """),
      AgendaRows.crowdHelp,
    ],
    examples: ["calctl week", "calctl week +7d --calendar work"]
  ) { arguments, context throws(CommandError) in
    let filter = try arguments.filter(context)
    let grid: MonthGrid
    do throws(CommandError) {
      // Only the agent knows the first day of the week.
      grid = try MonthGrid(
        reading: context.client().month(
          day: arguments.phrase, mode: MonthMode.collapsed.rawValue))
    } catch {
      throw error.renamed([("day", "DAY")])
    }
    guard let first = grid.days.first?.date, let last = grid.days.last?.date else {
      throw .system(localized("the agent's week has no days"))
    }
    let rows = try AgendaRows(context: context, isWhole: arguments.has(.json)).agenda(
      from: first.description, days: UInt32(grid.days.count), filter)
    let output = context.output
    if arguments.has(.json) { return try output.json(rows) }
    if rows.isEmpty {
      return try output.line(
        localized(
          "No events from {first} to {last}.",
          ["first": TimeText.current.shortDate(first), "last": TimeText.current.shortDate(last)]))
    }
    try output.agenda(rows, days: first...last, showsIDs: arguments.has(.ids))
  }
}
