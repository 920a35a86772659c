import CalendarBus
import CivilTime
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
    // The snapshot is what bars show; without an agent that can read the calendar there is none.
    let events =
      next.entries.isEmpty ? [] : try context.nowAndNextLines(context.client().snapshot())
    let reason = text("StateReason")
    let lines =
      [
        ("state", text("State") + (reason.isEmpty ? "" : ": \(reason)")),
        ("version", text("Version")), ("zone", text("TimeZone")), ("revision", number("Revision")),
      ] + (events.isEmpty ? [("next", "nothing ahead")] : events) + [
        ("reminders", "\(number("PendingReminders")) waiting"),
        ("quiet", try output.quietState(properties)),
        ("snapshot", text("SnapshotPath")),
      ]
    try output.lines(lines.map { $0.0.padding(to: 10) + "  " + displayLine($0.1) })
  }
}

extension CommandContext {
  /// Returns a line of what runs, where something does, and one of what begins next.
  fileprivate func nowAndNextLines(_ text: String) throws(CommandError) -> [(String, String)] {
    let snapshot = try SnapshotV1(reading: text)
    let events = snapshot.nowAndNext(at: now)
    func said(_ event: SnapshotEvent) throws(CommandError) -> String {
      var row = Row()
      row.set(.start, .int64(event.start.seconds))
      row.set(.end, .int64(event.end.seconds))
      return "\(titleText(event.summary, times: event.count)), \(try output.when(row))"
    }
    var lines: [(String, String)] = []
    if let first = events.running.first {
      let others = events.running.count - 1 + snapshot.nowMore
      lines.append(("now", try said(first) + (others > 0 ? " (and \(others) more)" : "")))
    }
    lines.append(("next", try events.coming.first.map(said) ?? "nothing ahead"))
    return lines
  }
}
