import CalendarBus
import Widgets

extension CommandSpec {
  static let snapshot = CommandSpec(
    name: "snapshot", arguments: [], options: [.countsDeclined, .hoursCounted, .privacy, .theme],
    summary: "the snapshot that status bars read, as one line of JSON",
    details: [
      """
      The same text is in the file that calctl status names, replaced on each change: a widget \
      watches the file instead of asking. What runs in it and comes next (now, next) is of the events that --hours and \
      --declined count.
      """
    ],
    examples: ["calctl snapshot | jq .next", "calctl snapshot --privacy busy --theme dark"]
  ) { arguments, context throws(CommandError) in
    let view = SnapshotView(
      arguments, settings: BarSettings(counted: try arguments.counted(of: "snapshot")))
    let text = try view.text(try context.client())
    if view.keepsText { return try context.output.line(text) }
    try context.output.line(String(decoding: try view.read(text).json, as: UTF8.self))
  }
}
