import CalendarBus
import CivilTime
import Widgets

extension CommandSpec {
  static let week = CommandSpec(
    name: "week",
    arguments: [
      ArgumentSpec(
        name: "DAY", isRequired: false, help: "any day of it: 2026-11-21, next mon, +7d (today)",
        repeats: true)
    ],
    options: [.calendars, .ids, .json],
    summary: "what is on in a week, day by day",
    details: [
      """
      It begins with the weekday that datebook.conf says (week-start, in the section [calendar]), else with \
      that of your locale.
      """, AgendaRows.crowdHelp,
    ],
    examples: ["calctl week", "calctl week +7d --calendar work"]
  ) { arguments, context throws(CommandError) in
    let calendars = try arguments.calendars(context)
    let grid: MonthGrid
    do throws(CommandError) {
      // The agent knows with which day a week begins.
      grid = try MonthGrid(
        reading: context.client().month(
          day: arguments.phrase, mode: MonthMode.collapsed.rawValue))
    } catch {
      throw error.renamed([("day", "DAY")])
    }
    guard let first = grid.days.first?.date, let last = grid.days.last?.date else {
      throw .system("the agent's week has no days")
    }
    let rows = try AgendaRows(context: context, isWhole: arguments.has(.json)).agenda(
      from: first.description, days: UInt32(grid.days.count), in: calendars)
    let output = context.output
    if arguments.has(.json) { return try output.json(rows) }
    if rows.isEmpty {
      return try output.line(
        "Nothing on \(TimeText.shortDate(first)) to \(TimeText.shortDate(last)).")
    }
    try output.agenda(rows, days: first...last, showsIDs: arguments.has(.ids))
  }
}
