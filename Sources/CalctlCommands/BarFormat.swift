import Widgets

/// A status bar that calctl can write for.
enum BarFormat: String, CaseIterable, Sendable {
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
