import CalendarBus
import Platform
import Widgets

extension CommandSpec {
  static let snapshot = CommandSpec(
    name: "snapshot", arguments: [], options: [.countsDeclined, .hoursCounted, .privacy, .theme],
    summary: localized("print the snapshot for status bars, as one line of JSON"),
    details: [
      localized(
        """
        The same text is in the file that calctl status names, which is replaced on each change \
        and which widgets can watch. --hours and --declined choose the events of "now" and "next".
        """)
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
