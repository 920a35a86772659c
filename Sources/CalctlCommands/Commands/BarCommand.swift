import CalendarBus
import Platform
import Widgets

/// A status bar that calctl can write for.
enum BarFormat: String, CaseIterable {
  case waybar, plain

  /// The line for this bar, without a newline.
  func line(_ text: BarText) -> String {
    switch self {
    case .waybar: WaybarLine(text).text
    case .plain: PlainLine(text).text
    }
  }

  /// What stands in the bar while the agent is away.
  var staleLine: String {
    switch self {
    case .waybar:
      #"{"text":"calendar?","tooltip":"datebookd does not answer","class":["stale"]}"#
    case .plain: "calendar?"
    }
  }
}

extension CommandSpec {
  static let bar = CommandSpec(
    name: "bar", arguments: [],
    options: [
      .value("--format", "BAR", "waybar or plain"),
      .flag("--follow", "keep running; print a line whenever the text changes"),
    ],
    summary: "what runs and what is next, for a status bar",
    examples: ["calctl bar --format plain", "calctl bar --format waybar --follow"]
  ) { arguments, context throws(CommandError) in
    let name = arguments.value("--format") ?? "plain"
    guard let format = BarFormat(rawValue: name) else {
      let known = BarFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("--format: \"\(name)\" is none of \(known)", command: "bar", hint: nil)
    }
    if arguments.has("--follow") {
      let loop = try EventLoop.forCommand()
      let clock = try asFileError { () throws(SystemError) in try RealtimeClock(loop: loop) }
      return try BarFollower(context, loop: loop, clock: clock, format: format).follow()
    }
    let snapshot = try SnapshotV1(reading: try context.client().snapshot())
    try context.output.line(format.line(try context.barText(snapshot, now: context.now)))
  }
}
