import CalendarBus
import CivilTime
import Phrases
import Platform

extension CommandSpec {
  static let agenda = CommandSpec(
    name: "agenda",
    arguments: [
      ArgumentSpec(
        name: "FROM", isRequired: false,
        help: localized(
          """
          the day, or the days: 2026-11-21, mon next week, -7d, next week, last month, december, \
          week -1, week 50, weekend (today)
          """),
        repeats: true)
    ],
    options: [
      .value(
        "--days", "N",
        localized("how many days, 1 to 366 (those of FROM; without FROM and for -7d: 7)"))
    ] + OptionSpec.lists,
    summary: localized("list the events of some days"),
    details: [AgendaRows.crowdHelp],
    examples: [
      "calctl agenda", "calctl agenda next week", "calctl agenda fri --days 3",
      "calctl agenda --calendar work --days 3 --ids",
      "calctl agenda --calendar sonarr --state missing",
    ]
  ) { arguments, context throws(CommandError) in
    let given = try arguments.days(of: "agenda")
    let filter = try arguments.filter(context)
    let list = try EventList(arguments, filter, context, of: "agenda")
    let read = try context.days(arguments.phrase, "FROM")
    let count = ListedDays.count(given, arguments.phrase, read)
    let first = read.days.lowerBound
    let rows: [Row]
    do throws(CommandError) {
      rows = try AgendaRows(context: context, isWhole: list.isWhole).agenda(
        from: first.description, days: count, filter)
    } catch {
      throw error.renamed([("from", "FROM"), ("days", "FROM")])
    }
    // The agent has already refused a range beyond the year 9999.
    let last = first.adding(days: Int(count) - 1) ?? first
    try list.print(rows, days: first...last)
  }
}
