import CalendarBus
import CalendarModel
import CivilTime
import JSON
import Widgets

extension CommandSpec {
  static let undo = CommandSpec(
    name: "undo", arguments: [], options: [.json],
    summary: "take the last change back",
    details: [
      """
      Imports and changes of calendars can be taken back like changes of events; what came by sync \
      cannot, nor can a change of more than 256 MiB of what is there. Each undo goes one change further back: see calctl history. \
      Undo and restore bring back the reminders of what was removed, and tell what fell due meanwhile and is not too old; they \
      take back no answers.
      """
    ],
    examples: ["calctl undo"]
  ) { arguments, context throws(CommandError) in
    let step = try context.client().undo()
    try context.output.turned(step, "Undone", isJSON: arguments.has(.json))
  }

  static let redo = CommandSpec(
    name: "redo", arguments: [], options: [.json],
    summary: "do again what was taken back last", examples: ["calctl redo"]
  ) { arguments, context throws(CommandError) in
    let step = try context.client().redo()
    try context.output.turned(step, "Redone", isJSON: arguments.has(.json))
  }

  static let history = CommandSpec(
    name: "history", arguments: [],
    options: [.value("--limit", "N", "the latest so many, at most 5000 (20)"), .json],
    summary: "what undo and redo go through, the latest first",
    examples: ["calctl history", "calctl history --limit 100"]
  ) { arguments, context throws(CommandError) in
    let limit = try arguments.number("--limit", or: 20, in: 1...5000, of: "history")
    let rows = try context.client().history(limit: limit)
    let output = context.output
    if arguments.has(.json) { return try output.json(rows) }
    if rows.isEmpty { return try output.line("Nothing has been changed yet.") }
    var lines: [String] = []
    for row in rows {
      let action = actionWords(row.text(.action)) + (row.flag(.undone) ? " (undone)" : "")
      let what = stepText(
        row.text(.action), label: row.text(.label), changed: row.texts(.changed),
        row.texts(.uids), count: Int(row.number(.events)))
      let moment = try output.moment(Timestamp(seconds: row.number(.time)))
      lines.append("\(moment)  \(action)" + (what.isEmpty ? "" : "  \(what)"))
    }
    try output.lines(lines)
  }
}

extension Output {
  /// Says what was taken back or done again.
  fileprivate func turned(
    _ step: CalendarClient<CommandError>.UndoAnswer, _ word: String, isJSON: Bool
  ) throws(CommandError) {
    if isJSON {
      return try json([
        "action": .string(step.action), "uids": .array(step.uids.map(JSONValue.string)),
        "events": .integer(step.events), "label": .string(step.label),
        "changed": .array(step.changed.map(JSONValue.string)),
        "revision": .integer(step.revision),
      ])
    }
    let what = stepText(
      step.action, label: step.label, changed: step.changed, step.uids, count: Int(step.events))
    try line("\(word): \(actionWords(step.action))" + (what.isEmpty ? "" : ", \(what)"))
  }
}

/// What was done, in words; what calendars are called on the bus is for programs.
private func actionWords(_ action: String) -> String {
  [
    "calendar-add": "a new calendar", "calendar-update": "a change of a calendar",
    "calendar-remove": "the removal of a calendar",
  ][action] ?? action
}

/// Names what a step has changed: one event, or how many; "" where there is nothing to name.
private func stepText(
  _ action: String, label: String, changed: [String], _ uids: [String], count: Int
) -> String {
  if !label.isEmpty {
    let fields = changed.compactMap(CalendarField.init).map(\.words)
    return displayLine(label) + (fields.isEmpty ? "" : ": " + fields.joinedAsWords)
  }
  return switch count {
  // A file says things of its calendar, too.
  case 0: action == "import" ? "a calendar's own properties" : ""
  case 1: displayLine(uids.first ?? "")
  default: "\(count) events"
  }
}

extension CalendarField {
  /// What it is to people: "its color".
  fileprivate var words: String {
    switch self {
    case .name: "its name"
    case .color: "its color"
    case .visible: "whether it is shown"
    case .readOnly: "whether it is read-only"
    case .isDefault: "whether new events go there"
    case .order: "its place in the list"
    case .timeZone: "its time zone"
    case .reminders: "its reminders"
    case .allDayReminders: "its all-day reminders"
    case .tellLate: "how late missed reminders are told"
    }
  }
}
