import Widgets

/// One option of a command: the parser, the help, the manual and the completions
/// all read this.
struct OptionSpec: Equatable, Sendable {
  /// With its hyphens: "--days".
  let name: String
  /// What stands for the value in the help, such as "N"; nil for a flag.
  let value: String?
  /// Whether it may be given more than once.
  let repeats: Bool
  /// The words that the value may be, or usually is; none where people write
  /// what they like.
  var words: [String] = []
  /// Whether the value is one of ``words`` and nothing else.
  var isChoice = false
  /// What it does, a phrase without a full stop, with the default in brackets.
  let help: String

  /// The help of an option, with what holds for any that repeats.
  var fullHelp: String { help + (repeats ? "; may be given several times" : "") }

  static func flag(_ name: String, _ help: String) -> OptionSpec {
    OptionSpec(name: name, value: nil, repeats: false, help: help)
  }

  static func value(
    _ name: String, _ value: String, repeats: Bool = false, words: [String] = [], _ help: String
  ) -> OptionSpec {
    OptionSpec(name: name, value: value, repeats: repeats, words: words, help: help)
  }

  /// An option whose value is one of some words.
  static func choice(
    _ name: String, _ value: String, of words: [String], _ help: String
  ) -> OptionSpec {
    OptionSpec(
      name: name, value: value, repeats: false, words: words, isChoice: true, help: help)
  }

  /// Of every command that has an answer.
  static let json = flag("--json", "print the answer as JSON")
  /// Of the commands whose answer somebody else may see.
  static let privacy = choice(
    "--privacy", "LEVEL", of: PrivacyLevel.allCases.map(\.rawValue),
    "titles (all), busy (when, and nothing of what) or nothing (titles)")
  /// Of every command.
  static let help = flag("--help", "print this help (-h)")
  /// Of the commands that list occurrences.
  static let ids = flag("--ids", "print below each event its ID, for show and rm")
  /// Of the commands that write into a calendar.
  static let calendar = value(
    "--calendar", "CALENDAR", "the calendar it goes to, its ID or its name (the default one)")
  /// Of the commands that read from calendars.
  static let calendars = value(
    "--calendar", "CALENDAR", repeats: true,
    "only events of this calendar, its ID or its name (all that are shown)")
}

/// One positional argument of a command.
struct ArgumentSpec: Equatable, Sendable {
  /// As the help shows it: "TITLE".
  let name: String
  /// One that may be left out stands after those that may not.
  let isRequired: Bool
  /// What it is, a phrase without a full stop, with the default in brackets.
  let help: String
  /// Whether there may be several; those that follow are required.
  var repeats = false
}

/// One command, as data.
struct CommandSpec: Sendable {
  let name: String
  let arguments: [ArgumentSpec]
  let options: [OptionSpec]
  /// One line for the list of commands, a phrase without a full stop.
  let summary: String
  /// More about it, whole sentences, a paragraph each.
  var details: [String] = []
  /// Lines that can be typed as they stand.
  let examples: [String]
  let run: @Sendable (ParsedArguments, CommandContext) throws(CommandError) -> Void

  /// What may stand after the name: its own options and --help.
  var allOptions: [OptionSpec] { options + [.help] }

  /// "add TITLE", "agenda [FROM]", "move ID... CALENDAR".
  var usage: String {
    let words = arguments.map { argument in
      (argument.isRequired ? argument.name : "[\(argument.name)]") + (argument.repeats ? "..." : "")
    }
    return ([name] + words).joined(separator: " ")
  }
}
