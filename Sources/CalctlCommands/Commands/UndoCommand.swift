import CalendarBus
import CalendarModel
import CivilTime
import JSON
import Platform
import Widgets

extension CommandSpec {
  static let undo = CommandSpec(
    name: "undo", arguments: [], options: [.json],
    summary: localized("undo the last change"),
    details: [
      localized(
        """
        Each undo goes one change further back: see calctl history. Changes of calendars and \
        imports can be undone, too, but not changes by sync, or of more than 256 MiB of stored \
        events. Undo brings back the reminders of what was removed, also those that were missed \
        meanwhile; it does not undo snoozing or dismissing.
        """)
    ],
    examples: ["calctl undo"]
  ) { arguments, context throws(CommandError) in
    let step = try context.client().undo()
    if arguments.has(.json) { return try context.output.json(json(step)) }
    try context.output.line(localized("Undone: {change}", ["change": change(step)]))
  }

  static let redo = CommandSpec(
    name: "redo", arguments: [], options: [.json],
    summary: localized("redo what was undone last"), examples: ["calctl redo"]
  ) { arguments, context throws(CommandError) in
    let step = try context.client().redo()
    if arguments.has(.json) { return try context.output.json(json(step)) }
    try context.output.line(localized("Redone: {change}", ["change": change(step)]))
  }

  static let history = CommandSpec(
    name: "history", arguments: [],
    options: [.value("--limit", "N", localized("only the latest N, at most 5000 (20)")), .json],
    summary: localized("list the steps of undo and redo, the latest first"),
    examples: ["calctl history", "calctl history --limit 100"]
  ) { arguments, context throws(CommandError) in
    let limit = try arguments.number("--limit", or: 20, in: 1...5000, of: "history")
    let rows = try context.client().history(limit: limit)
    let output = context.output
    if arguments.has(.json) { return try output.json(rows) }
    if rows.isEmpty { return try output.line(localized("No changes yet.")) }
    var lines: [String] = []
    for row in rows {
      let change = change(
        row.text(.action), label: row.text(.label), fields: row.texts(.changed),
        uids: row.texts(.uids), count: Int(row.number(.events)))
      let time = try output.moment(Timestamp(seconds: row.number(.time)))
      lines.append(
        time + "  "
          + (row.flag(.undone) ? localized("undone: {change}", ["change": change]) : change))
    }
    try output.lines(lines)
  }

  private static func json(_ step: CalendarClient<CommandError>.UndoAnswer) -> JSONValue {
    [
      "action": .string(step.action), "uids": .array(step.uids.map(JSONValue.string)),
      "events": .integer(step.events), "label": .string(step.label),
      "changed": .array(step.changed.map(JSONValue.string)),
      "revision": .integer(step.revision),
    ]
  }

  private static func change(_ step: CalendarClient<CommandError>.UndoAnswer) -> String {
    change(
      step.action, label: step.label, fields: step.changed, uids: step.uids,
      count: Int(step.events))
  }

  /// Returns what a step changed: "removed Lunch (2030-01-07)", "changed calendar Work (color)".
  ///
  /// - Parameters:
  ///   - label: The title of what it changed; "" if the agent does not give one.
  ///   - fields: The fields of a calendar that it changed.
  private static func change(
    _ action: String, label: String, fields: [String], uids: [String], count: Int
  ) -> String {
    if label.isEmpty, count == 0, action == "import" {
      return localized("imported the properties of a calendar")
    }
    let what =
      label.isEmpty
      ? count == 1
        ? displayLine(uids.first ?? "")
        : localized(count, one: "{count} event", other: "{count} events")
      : displayLine(label)
    let names = localizedList(fields.compactMap(CalendarField.init).map(\.words))
    return switch action {
    case "add": localized("added {what}", ["what": what])
    case "update": localized("changed {what}", ["what": what])
    case "remove": localized("removed {what}", ["what": what])
    case "move": localized("moved {what}", ["what": what])
    case "import": localized("imported {what}", ["what": what])
    case "restore": localized("restored {what}", ["what": what])
    case "calendar-add": localized("added calendar {calendar}", ["calendar": what])
    case "calendar-update" where names.isEmpty:
      localized("changed calendar {calendar}", ["calendar": what])
    case "calendar-update":
      localized(
        "changed calendar {calendar} ({fields})", ["calendar": what, "fields": names])
    case "calendar-remove": localized("removed calendar {calendar}", ["calendar": what])
    default: localized("{action}: {what}", ["action": action, "what": what])
    }
  }
}

extension CalendarField {
  /// The name of the field, for people.
  fileprivate var words: String {
    switch self {
    case .name: localized("name")
    case .color: localized("color")
    case .visible: localized("visibility")
    case .readOnly: localized("read-only")
    case .isDefault: localized("default calendar")
    case .order: localized("position in the list")
    case .timeZone: localized("time zone")
    case .reminders: localized("default reminders")
    case .allDayReminders: localized("default all-day reminders")
    case .tellLate: localized("limit for missed reminders")
    }
  }
}
