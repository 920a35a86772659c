import CalendarBus
import DBus
import JSON
import Widgets

extension CommandSpec {
  static let status = CommandSpec(
    name: "status", arguments: [], options: [.json],
    summary: "the state of the agent", examples: ["calctl status", "calctl status --json"]
  ) { arguments, context throws(CommandError) in
    let properties = try context.client().properties()
    let output = context.output
    if arguments.has(.json) { return try output.json(properties.json) }
    func text(_ key: String) -> String { properties[key]?.asString ?? "" }
    func number(_ key: String) -> String { String(properties[key]?.asInteger ?? 0) }
    let next = properties["NextEvent"].map(Row.init) ?? Row()
    let reason = text("StateReason")
    let lines = [
      ("state", text("State") + (reason.isEmpty ? "" : ": \(reason)")),
      ("version", text("Version")), ("zone", text("TimeZone")), ("revision", number("Revision")),
      (
        "next",
        next.entries.isEmpty
          ? "nothing ahead" : "\(next.text(.summary)), \(try output.when(next))"
      ), ("reminders", "\(number("PendingReminders")) waiting"),
      ("quiet", try output.quietState(properties)),
      ("snapshot", text("SnapshotPath")),
    ]
    try output.lines(lines.map { $0.0.padding(to: 10) + "  " + displayLine($0.1) })
  }
}
