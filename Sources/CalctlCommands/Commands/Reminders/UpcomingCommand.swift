import CalendarBus
import CivilTime
import Widgets

extension CommandSpec {
  static let upcoming = CommandSpec(
    name: "upcoming", arguments: [],
    options: [
      .value(
        "--hours", "N",
        "how far to look ahead, 1 to \(Contract.maximumUpcomingHours) (24, and, without --json, to the next one)"
      ),
      .json,
    ],
    summary: "reminders that will ring",
    details: [
      "Where they are of several calendars, each names its own. calctl dismiss takes one away before "
        + "it rings, by the ID in front of it."
    ],
    examples: ["calctl upcoming", "calctl upcoming --hours 72"]
  ) { arguments, context throws(CommandError) in
    let hours = try arguments.number(
      "--hours", or: 24, in: 1...Contract.maximumUpcomingHours, of: "upcoming")
    var rows = try context.client().upcomingReminders(hours: hours)
    if arguments.has(.json) { return try context.output.json(rows) }
    if rows.isEmpty {
      try context.output.line("No reminder rings in the next \(hours) h.")
      if arguments.value("--hours") != nil { return }
      // Those of one moment come together.
      let later = try context.client().upcomingReminders(hours: Contract.maximumUpcomingHours)
      rows = later.filter { $0.number(.due) == later[0].number(.due) }
      if rows.isEmpty {
        return try context.output.line(
          "None is known within \(Contract.maximumUpcomingHours / 24) days.")
      }
      try context.output.line("After that:")
    }
    let zone = try context.output.zone()
    let names = try context.calendarNames()
    // A test reminder is of none.
    let hasSeveral = Set(rows.map { $0.text(.calendar) }).subtracting([""]).count > 1
    var lines: [String] = []
    for row in rows {
      let due = try context.output.moment(Timestamp(seconds: row.number(.due)))
      let isSnoozed = row.text(.state) == "snoozed"
      let calendar = hasSeveral ? row.text(.calendar) : ""
      let remark = [
        isSnoozed ? "snoozed" : ReminderWords.distance(row, zone: zone),
        calendar.isEmpty ? "" : "in \(displayLine(names[calendar] ?? calendar))",
        row.flag(.quiet) ? "in quiet time" : "",
      ].filter { !$0.isEmpty }.joined(separator: ", ")
      lines.append(
        "\(displayLine(row.text(.id)))  \(due)  \(displayLine(row.text(.summary)))"
          + (remark.isEmpty ? "" : " (\(remark))"))
    }
    try context.output.lines(lines)
  }
}
