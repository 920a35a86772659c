import CalendarBus
import CivilTime
import Phrases
import Platform
import Widgets

extension CommandSpec {
  static let week = CommandSpec(
    name: "week",
    arguments: [
      ArgumentSpec(
        name: "DAY", isRequired: false,
        help: localized(
          """
          the week, or any day of it: next week, last week, -1 or +2 weeks from now, 2026-11-21, \
          -7d (today)
          """),
        repeats: true)
    ],
    options: OptionSpec.lists,
    summary: localized("list the events of a week"),
    details: [
      localized(
        """
        The first day of the week is set in datebook.conf (week-start, in the section [calendar]), \
        or else by your locale.
        """),
      AgendaRows.crowdHelp,
    ],
    examples: ["calctl week", "calctl week next week", "calctl week -1 --calendar work"]
  ) { arguments, context throws(CommandError) in
    let filter = try arguments.filter(context)
    let list = try EventList(arguments, filter, context, of: "week")
    let read = try context.days(arguments.phrase, "DAY", counting: "week")
    // Only the agent knows the first day of the week.
    let grid = try MonthGrid(
      reading: context.client().month(
        day: read.days.lowerBound.description, mode: MonthMode.collapsed.rawValue))
    guard let first = grid.days.first?.date, let last = grid.days.last?.date else {
      throw .system(localized("the agent's week has no days"))
    }
    let rows = try AgendaRows(context: context, isWhole: list.isWhole).agenda(
      from: first.description, days: UInt32(grid.days.count), filter)
    try list.print(rows, days: first...last)
  }
}
