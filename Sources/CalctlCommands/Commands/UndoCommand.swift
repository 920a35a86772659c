import CalendarBus
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
      cannot. Each undo goes one change further back: see calctl history.
      """
    ],
    examples: ["calctl undo"]
  ) { arguments, context throws(CommandError) in
    try turn(.undo, arguments, context)
  }

  static let redo = CommandSpec(
    name: "redo", arguments: [], options: [.json],
    summary: "do again what was taken back last", examples: ["calctl redo"]
  ) { arguments, context throws(CommandError) in
    try turn(.redo, arguments, context)
  }

  private enum Direction { case undo, redo }

  private static func turn(
    _ direction: Direction, _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let client = try context.client()
    let isUndo = direction == .undo
    if arguments.has(.json) {
      let step = isUndo ? try client.undo() : try client.redo()
      return try context.output.json([
        "action": .string(step.action), "uids": .array(step.uids.map(JSONValue.string)),
        "revision": .integer(step.revision),
      ])
    }
    // What goes with the step can be named only as long as it is there.
    let titles = EventTitles(context)
    let rows = try client.history(limit: 200)
    let row =
      isUndo ? rows.first(where: { !$0.flag(.undone) }) : rows.last(where: { $0.flag(.undone) })
    if let row, row.text(.label).isEmpty {
      _ = try titles.text(
        row.texts(.uids), count: 1, isRemoved: isUndo && row.text(.action) == "remove")
    }
    let step = isUndo ? try client.undo() : try client.redo()
    let isTold = row?.texts(.uids).first == step.uids.first
    let count = max(step.uids.count, isTold ? Int(row?.number(.events) ?? 0) : 0)
    // The agent's own words, where it has some, come first.
    let label = isTold ? displayLine(row?.text(.label) ?? "") : ""
    let what = label.isEmpty ? try titles.text(step.uids, count: count) : label
    try context.output.line(
      "\(isUndo ? "Undone" : "Redone"): \(step.action)" + (what.isEmpty ? "" : ", \(what)"))
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
    let titles = EventTitles(context)
    var lines: [String] = []
    for row in rows {
      let action = row.text(.action) + (row.flag(.undone) ? " (undone)" : "")
      let label = displayLine(row.text(.label))
      let what =
        label.isEmpty
        ? try titles.text(
          row.texts(.uids), count: Int(row.number(.events)),
          isRemoved: row.text(.action) == "remove" && !row.flag(.undone)) : label
      let moment = try output.moment(Timestamp(seconds: row.number(.time)))
      lines.append("\(moment)  \(action)" + (what.isEmpty ? "" : "  \(what)"))
    }
    try output.lines(lines)
  }
}
