/// One option of a command: the parser, the help and the completions all read
/// this.
struct OptionSpec: Equatable, Sendable {
  /// With its hyphens: "--days".
  let name: String
  /// What stands for the value in the help, such as "N"; nil for a flag.
  let value: String?
  let repeats: Bool
  let help: String

  static func flag(_ name: String, _ help: String) -> OptionSpec {
    OptionSpec(name: name, value: nil, repeats: false, help: help)
  }

  static func value(
    _ name: String, _ value: String, repeats: Bool = false, _ help: String
  ) -> OptionSpec {
    OptionSpec(name: name, value: value, repeats: repeats, help: help)
  }
}

/// One positional argument of a command.
struct ArgumentSpec: Equatable, Sendable {
  /// As the help shows it: "TITLE".
  let name: String
  let isRequired: Bool
  let help: String
}

/// One command, as data.
struct CommandSpec: Sendable {
  let name: String
  let arguments: [ArgumentSpec]
  let options: [OptionSpec]
  /// One line for the list of commands.
  let summary: String
  /// Lines under "Examples:", each a command that can be typed as it stands.
  let examples: [String]
  let run: @Sendable (ParsedArguments, CommandContext) throws(CommandError) -> Void
}

/// Every command of calctl, in the order in which the help lists them.
enum CommandTable {
  static let json = OptionSpec.flag("--json", "print the answer as JSON")
  static let help = OptionSpec.flag("--help", "print this help")

  static let commands: [CommandSpec] = [
    .today, .agenda, .next, .add, .show, .remove, .importFile, .reminders, .snooze, .dismiss,
    .snapshot, .bar, .watch, .status,
  ]

  static func command(named name: String) -> CommandSpec? {
    commands.first { $0.name == name }
  }
}
