import CalendarBus
import CivilTime
import Platform
import Widgets

extension CommandSpec {
  static let upcoming = CommandSpec(
    name: "upcoming", arguments: [],
    options: [
      .value(
        "--hours", "N",
        localized(
          "how many hours ahead, 1 to {most} (24; without --json at least to the next reminder)",
          ["most": Int(Contract.maximumUpcomingHours)])),
      .json,
    ],
    summary: localized("list future reminders"),
    details: [
      localized("calctl dismiss with the ID of a reminder cancels it before it is due.")
    ],
    examples: ["calctl upcoming", "calctl upcoming --hours 72"]
  ) { arguments, context throws(CommandError) in
    let hours = try arguments.number(
      "--hours", or: 24, in: 1...Contract.maximumUpcomingHours, of: "upcoming")
    var rows = try context.client().upcomingReminders(hours: hours)
    if arguments.has(.json) { return try context.output.json(rows) }
    if rows.isEmpty {
      try context.output.line(
        localized("No reminders in the next {hours} h.", ["hours": Int(hours)]))
      if arguments.value("--hours") != nil { return }
      // Show the next reminders: all that are due at the earliest time.
      let later = try context.client().upcomingReminders(hours: Contract.maximumUpcomingHours)
      rows = later.filter { $0.number(.due) == later[0].number(.due) }
      if rows.isEmpty {
        return try context.output.line(
          localized(
            Int(Contract.maximumUpcomingHours / 24), one: "No reminders in the next {count} day.",
            other: "No reminders in the next {count} days."))
      }
      try context.output.line(localized("After that:"))
    }
    let zone = try context.output.zone()
    let names = try context.calendarNames()
    // A test reminder has no calendar.
    let hasSeveral = Set(rows.map { $0.text(.calendar) }).subtracting([""]).count > 1
    var lines: [String] = []
    for row in rows {
      let due = try context.output.moment(Timestamp(seconds: row.number(.due)))
      let isSnoozed = row.text(.state) == "snoozed"
      let calendar = hasSeveral ? row.text(.calendar) : ""
      let remarks = [
        isSnoozed ? localized("snoozed") : ReminderWords.distance(row, zone: zone),
        calendar.isEmpty
          ? ""
          : localized("in {calendar}", ["calendar": displayLine(names[calendar] ?? calendar)]),
        row.flag(.quiet) ? localized("in quiet time") : "",
      ]
      let remark = localizedList(remarks.filter { !$0.isEmpty })
      lines.append(
        "\(displayLine(row.text(.id)))  \(due)  "
          + displayLine(row.text(.summary)).with(remark: remark))
    }
    try context.output.lines(lines)
  }
}
