import CalendarBus
import CivilTime
import JSON
import Widgets

extension CommandSpec {
  static let trash = CommandSpec(
    name: "trash", arguments: [],
    options: [.value("--limit", "N", "the latest so many, at most 5000 (100)"), .json],
    summary: "events that were removed within 30 days",
    details: ["Each has its ID on the line below, for calctl restore."],
    examples: ["calctl trash"]
  ) { arguments, context throws(CommandError) in
    let limit = try arguments.number("--limit", or: 100, in: 1...5000, of: "trash")
    let rows = try context.client().trash(limit: limit)
    let output = context.output
    if arguments.has(.json) { return try output.json(rows) }
    if rows.isEmpty { return try output.line("The trash is empty.") }
    var lines: [String] = []
    for row in rows {
      let removed = try output.moment(Timestamp(seconds: row.number(.removed)))
      lines.append("removed \(removed)  \(displayLine(row.text(.summary)))")
      lines.append("  \(displayLine(row.text(.uid)))")
    }
    try output.lines(lines)
  }

  static let restore = CommandSpec(
    name: "restore",
    arguments: [
      ArgumentSpec(name: "ID", isRequired: true, help: "its whole ID, as calctl trash prints it")
    ],
    options: [.json], summary: "put an event back that was removed",
    examples: ["calctl restore q7k2m9xw4cjt8vrn5hzb"]
  ) { arguments, context throws(CommandError) in
    let uid = arguments.positionals[0]
    let client = try context.client()
    let revision: Int64
    do throws(CommandError) {
      revision = try client.restore(uid)
    } catch {
      throw error.renamed([("uid", "ID")])
    }
    let output = context.output
    if arguments.has(.json) {
      return try output.json(["uid": .string(uid), "revision": .integer(revision)])
    }
    try output.line("Restored \(displayLine(uid)).")
  }
}
