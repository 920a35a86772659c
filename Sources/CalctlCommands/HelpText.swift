/// The table of commands, written out for people.
enum HelpText {
  static var overview: String {
    let width = CommandTable.commands.map { usage($0).count }.max() ?? 0
    let rows = CommandTable.commands.map { command in
      "  " + padded(usage(command), width) + "  " + command.summary
    }
    return """
      calctl: the calendar on your session bus

      Usage: calctl COMMAND [ARGUMENTS] [OPTIONS]

      \(rows.joined(separator: "\n"))

      calctl COMMAND --help tells more. If the agent (datebookd) is not running, the bus starts it.

      Moments are written as people do: 2026-11-21, today, tomorrow 14:00, fri 9:30, +3d, in 2h.
      Lengths: 15m, 1h30m, 2d, PT45M.

      """
  }

  static func command(_ command: CommandSpec) -> String {
    var text = "Usage: calctl \(usage(command))"
    if !command.options.isEmpty { text += " [OPTIONS]" }
    text += "\n\n\(command.summary.prefix(1).uppercased() + command.summary.dropFirst()).\n"
    if !command.arguments.isEmpty {
      text += "\n" + table(command.arguments.map { ($0.name, $0.help) })
    }
    text += "\nOptions:\n"
    text += table(
      (command.options + [CommandTable.help]).map { option in
        (option.name + (option.value.map { " \($0)" } ?? ""), option.help)
      })
    if !command.examples.isEmpty {
      text += "\nExamples:\n" + command.examples.map { "  \($0)\n" }.joined()
    }
    return text
  }

  /// "add TITLE", "agenda [FROM]".
  static func usage(_ command: CommandSpec) -> String {
    ([command.name] + command.arguments.map { $0.isRequired ? $0.name : "[\($0.name)]" })
      .joined(separator: " ")
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  " + padded($0.0, width) + "  " + $0.1 + "\n" }.joined()
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
