import CalendarBus
import Widgets

extension CommandSpec {
  static let snapshot = CommandSpec(
    name: "snapshot", arguments: [], options: [.privacy, .theme],
    summary: "the snapshot that status bars read, as one line of JSON",
    details: [
      """
      The same text is in the file that calctl status names, replaced on each change: a widget \
      watches the file instead of asking.
      """
    ],
    examples: ["calctl snapshot | jq .next", "calctl snapshot --privacy busy --theme dark"]
  ) { arguments, context throws(CommandError) in
    let text = try context.client().snapshot()
    let view = SnapshotView(arguments)
    if view.isWhole { return try context.output.line(text) }
    let snapshot = try SnapshotV1(reading: text)
    let shown = view.of(snapshot, now: context.now, zone: context.zone(named: snapshot.timeZone))
    try context.output.line(String(decoding: shown.json, as: UTF8.self))
  }
}
