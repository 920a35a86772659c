import CalendarBus
import CivilTime
import Platform
import Widgets

extension CommandSpec {
  static let agenda = CommandSpec(
    name: "agenda",
    arguments: [
      ArgumentSpec(
        name: "FROM", isRequired: false,
        help: localized("the first day: 2026-11-21, day after tomorrow, mon next week (today)"),
        repeats: true)
    ],
    options: [
      .value("--days", "N", localized("how many days, 1 to 366 (7)"))
    ] + OptionSpec.filters + [.ids, .json],
    summary: localized("list the events of some days"),
    details: [AgendaRows.crowdHelp],
    examples: [
      "calctl agenda", "calctl agenda fri --days 3", "calctl agenda --calendar work --days 3 --ids",
      "calctl agenda --calendar sonarr --state missing",
    ]
  ) { arguments, context throws(CommandError) in
    let count = try arguments.number("--days", or: 7, in: 1...366, of: "agenda")
    let from = arguments.phrase
    let filter = try arguments.filter(context)
    let rows: [Row]
    do throws(CommandError) {
      rows = try AgendaRows(context: context, isWhole: arguments.has(.json)).agenda(
        from: from, days: count, filter)
    } catch {
      throw error.renamed([("from", "FROM")])
    }
    let output = context.output
    if arguments.has(.json) { return try output.json(rows) }
    let first = try context.day(from, "FROM")
    // The agent has already refused a range beyond the year 9999.
    let last = first.adding(days: Int(count) - 1) ?? first
    if rows.isEmpty {
      let (from, to) = (TimeText.current.shortDate(first), TimeText.current.shortDate(last))
      return try output.line(
        first == last
          ? localized("No events on {day}.", ["day": from])
          : localized("No events from {first} to {last}.", ["first": from, "last": to]))
    }
    try output.agenda(rows, days: first...last, showsIDs: arguments.has(.ids))
  }
}
