import CalendarBus
import CivilTime
import JSON
import Platform
import Widgets

extension CommandSpec {
  static let trash = CommandSpec(
    name: "trash", arguments: [],
    options: [.value("--limit", "N", localized("only the latest N (all)")), .json],
    summary: localized("list events that were removed within 30 days"),
    details: [
      localized(
        """
        The ID of each, for calctl restore, is on the line below it. The trash has whole events \
        only: to bring back a single occurrence use calctl undo, or calctl restore TITLE@DAY (calctl \
        show lists these under "not on").
        """)
    ],
    examples: ["calctl trash"]
  ) { arguments, context throws(CommandError) in
    let limit = try arguments.number("--limit", or: 0, in: 1...1_000_000, of: "trash")
    let rows = try context.client().trash(limit: limit == 0 ? .max : Int(limit))
    let output = context.output
    if arguments.has(.json) { return try output.json(rows) }
    if rows.isEmpty { return try output.line(localized("The trash is empty.")) }
    let names = try context.calendarNames()
    let shared = rows.sharedUIDs
    var lines: [String] = []
    for row in rows {
      let removed = try output.moment(Timestamp(seconds: row.number(.removed)))
      let calendar = row.text(.calendar)
      let place =
        names[calendar] ?? localized("{calendar}, which was removed", ["calendar": calendar])
      lines.append(
        localized("removed {when}", ["when": removed])
          + "  \(displayLine(row.text(.summary)))  \(displayLine(place).inBrackets)")
      let reference = EventReference(row, withCalendar: shared.contains(row.text(.uid)))
      lines.append("  " + reference.text)
    }
    try output.lines(lines)
  }

  static let restore = CommandSpec(
    name: "restore",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true,
        help: localized(
          """
          the ID as in calctl trash, its beginning, or the title or a part of it; ID/OCCURRENCE or \
          TITLE@DAY for one occurrence
          """))
    ],
    options: [
      .value(
        "--calendar", "CALENDAR",
        localized(
          """
          the calendar to restore to, its ID or its name (its former one, or else the default one)
          """)), .json,
    ], summary: localized("restore a removed event or occurrence"),
    details: [
      localized(
        """
        With --calendar, it takes two steps to undo. An occurrence comes back as in its series, \
        without changes of its own; calctl undo brings these back, too.
        """)
    ],
    examples: [
      "calctl restore \"Team lunch\"", "calctl restore \"Team standup@fri\"",
      "calctl restore q7k2m9xw4cjt8vrn5hzb --calendar personal",
      "calctl restore standup@example.org/20261123T083000Z",
    ]
  ) { arguments, context throws(CommandError) in
    let text = arguments.positionals[0]
    let target = try arguments.calendar(context)
    let client = try context.client()
    let names = try context.calendarNames()
    let trash = TrashLookup(context: context, names: names, rows: try client.trash())
    var row = trash.exact(text)
    if row == nil, let event = try RemovedOccurrence.found(text, context) {
      return try event.restore(to: target, isJSON: arguments.has(.json), context)
    }
    if row == nil { row = try trash.event(matching: text) }
    let uid = row?.text(.uid) ?? text
    var revision: Int64
    do throws(CommandError) {
      if let row {
        revision = try client.restore("\(row.text(.calendar))/\(uid)")
      } else {
        revision = try client.restore(text)
      }
    } catch {
      throw error.renamed([("uid", "ID")])
    }
    var calendar = row?.text(.calendar) ?? ""
    let isAway = row != nil && names[calendar] == nil
    if isAway {
      calendar = try client.calendars().first { $0.flag(.isDefault) }?.text(.id) ?? ""
    }
    if !target.isEmpty, target != calendar {
      let name = calendar.isEmpty ? text : "\(calendar)/\(uid)"
      revision = try client.move([name], to: target)
      calendar = target
    }
    let output = context.output
    if arguments.has(.json) {
      return try output.json([
        "uid": .string(uid), "calendar": .string(calendar), "revision": .integer(revision),
      ])
    }
    let summary = displayLine(row?.text(.summary) ?? "")
    let title = summary.isEmpty ? displayLine(uid) : summary
    if let name = names[calendar] {
      try output.line(
        localized(
          "Restored {title} to {calendar}.", ["title": title, "calendar": displayLine(name)]))
    } else {
      try output.line(localized("Restored {title}.", ["title": title]))
    }
    if isAway, target.isEmpty {
      output.warning(
        localized(
          """
          its calendar {calendar} was removed, so it is now in the default calendar; to move it: \
          {command}
          """,
          [
            "calendar": row?.text(.calendar) ?? "",
            "command": "calctl move \(EventReference(uid).text) CALENDAR",
          ]))
    }
    if !calendar.isEmpty { context.warnIfHidden(calendar) }
  }
}
