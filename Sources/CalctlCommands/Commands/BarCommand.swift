import CalendarBus
import Platform
import Widgets

extension CommandSpec {
  static let bar = CommandSpec(
    name: "bar", arguments: [],
    options: [
      .choice(
        "--format", "BAR", of: BarFormat.allCases.map(\.rawValue),
        "which bar it is: " + BarFormat.allCases.map(\.rawValue).joined(separator: " or ")
          + " (plain)"),
      .flag("--follow", "keep running; print a line whenever the text changes"),
    ],
    summary: "what runs and what is next, for a status bar",
    details: [
      """
      With --follow it sleeps until the text changes and ends when the bar does, or the session's \
      bus. While the agent is away for more than a few seconds the line says so.
      """
    ],
    examples: ["calctl bar", "calctl bar --format waybar --follow"]
  ) { arguments, context throws(CommandError) in
    let format = arguments.value("--format").flatMap(BarFormat.init) ?? .plain
    if arguments.has("--follow") {
      let loop = try EventLoop.forCommand()
      let clock = try asSystemError { () throws(SystemError) in try RealtimeClock(loop: loop) }
      return try BarFollower(context, loop: loop, clock: clock, format: format).follow()
    }
    let snapshot = try SnapshotV1(reading: try context.client().snapshot())
    try context.output.line(format.line(context.barText(snapshot, now: context.now)))
  }
}
