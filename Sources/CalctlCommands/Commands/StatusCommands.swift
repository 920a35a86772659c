import CalendarBus
import CivilTime
import DBus
import JSON
import Platform

extension CommandSpec {
  static let status = CommandSpec(
    name: "status", arguments: [], options: [CommandTable.json],
    summary: "the state of the agent", examples: ["calctl status", "calctl status --json"]
  ) { arguments, context throws(CommandError) in
    let properties = try context.client().properties()
    if arguments.has("--json") { return try context.output.json(properties.json) }
    let output = context.output
    func text(_ key: String) -> String { properties[key]?.asString ?? "" }
    func line(_ label: String, _ value: String) throws(CommandError) {
      try output.line(label.padding(to: 10) + "  " + output.safe(value))
    }
    let reason = text("StateReason")
    try line("state", text("State") + (reason.isEmpty ? "" : ": \(reason)"))
    try line("version", text("Version"))
    try line("zone", text("TimeZone"))
    try line("revision", String(properties["Revision"]?.asInteger ?? 0))
    let next = properties["NextEvent"].map(Row.init) ?? Row()
    if next.entries.isEmpty {
      try line("next", "nothing ahead")
    } else {
      try line("next", "\(next.text(.summary)), \(try output.when(next))")
    }
    try line("reminders", "\(properties["PendingReminders"]?.asInteger ?? 0) waiting")
    try line("snapshot", text("SnapshotPath"))
  }

  static let snapshot = CommandSpec(
    name: "snapshot", arguments: [], options: [],
    summary: "the snapshot that status bars read, as one line of JSON",
    examples: ["calctl snapshot | jq .next"]
  ) { _, context throws(CommandError) in
    try context.output.line(try context.client().snapshot())
  }

  static let watch = CommandSpec(
    name: "watch", arguments: [], options: [],
    summary: "what happens, as it happens: one line of JSON a signal",
    examples: ["calctl watch", "calctl watch | grep --line-buffered ReminderDue"]
  ) { _, context throws(CommandError) in
    try SignalWatcher(context, loop: try EventLoop.forCommand()).watch()
  }
}
