import CalendarBus
import CivilTime
import DBus
import Platform
import Widgets

extension CommandSpec {
  static let conflicts = CommandSpec(
    name: "conflicts",
    arguments: [
      ArgumentSpec(
        name: "FROM", isRequired: false,
        help: localized(
          "a day, a day and a time, or several days: tomorrow, \"mon 14:00\", next week (now)"),
        repeats: true)
    ],
    options: [
      .value(
        "--days", "N",
        localized("how many days, 1 to 366 (those of FROM; without FROM and for -7d: 7)")), .ids,
      .json,
    ],
    summary: localized("list events that overlap"),
    details: [
      localized("Prints each two events under the time that they share."), BusyOptions.help,
    ],
    examples: ["calctl conflicts", "calctl conflicts 2026-12-01 --days 31 --ids"]
  ) { arguments, context throws(CommandError) in
    let days = try arguments.days(of: "conflicts")
    let range = try context.range(arguments.phrase, days: days)
    let rows: [Row]
    do throws(CommandError) {
      rows = try context.client().conflicts(from: range.from, to: range.to)
    } catch {
      throw error.renamed([("from", "FROM")])
    }
    let output = context.output
    if arguments.has(.json) { return try output.json(rows) }
    if rows.isEmpty { return try output.line(localized("No events overlap.")) }
    try output.conflicts(rows, showsIDs: arguments.has(.ids))
  }
}

extension Output {
  /// Prints pairs of events by the days on which they overlap:
  ///
  ///     Mon 23 Nov 2026
  ///       10:00 – 10:30
  ///         10:00 – 11:00  Standup
  ///         09:00 – 10:30  Dentist  (Main St)
  fileprivate func conflicts(_ rows: [Row], showsIDs: Bool) throws(CommandError) {
    let zone = try zone()
    var text: [String] = []
    var last: CivilDate?
    for row in rows.sorted(by: { $0.number(.from) < $1.number(.from) }) {
      // The time that they share, formatted like an event.
      var shared = Row()
      shared.set(.start, .int64(row.number(.from)))
      shared.set(.end, .int64(row.number(.to)))
      let time = AgendaItem(shared, zone: zone)
      if time.firstDay != last {
        if last != nil { text.append("") }
        text.append(heading(TimeText.current.shortDate(time.firstDay)))
        last = time.firstDay
      }
      let pair = [RowKey.first, .second].map { key in
        AgendaItem(row[key].map(Row.init) ?? Row(), zone: zone, namesCalendar: true)
      }
      text.append("  \(time.when(after: time.firstDay))")
      for item in pair {
        text.append("    \(item.when(after: time.firstDay))  \(item.what)")
        if showsIDs { text.append("      " + item.reference.text) }
      }
    }
    try lines(text)
  }
}
