import CalendarModel
import Platform
import Widgets

/// An option of a command; the parser, the help, the manual and the completions use it.
struct OptionSpec: Equatable, Sendable {
  /// The name with its hyphens: "--days".
  let name: String
  /// The placeholder of the value in the help, such as "N"; nil for a flag.
  let value: String?
  /// Whether it may be given more than once.
  let repeats: Bool
  /// The words that the value must, or usually does, consist of; empty for free text.
  var words: [String] = []
  /// Whether the value must be one of ``words``.
  var isChoice = false
  /// What it does: a phrase without a full stop, with the default in brackets.
  let help: String

  /// The help, with a remark if the option may be repeated.
  var fullHelp: String {
    repeats ? localized("{help}; may be given several times", ["help": help]) : help
  }

  static func flag(_ name: String, _ help: String) -> OptionSpec {
    OptionSpec(name: name, value: nil, repeats: false, help: help)
  }

  static func value(
    _ name: String, _ value: String, repeats: Bool = false, words: [String] = [], _ help: String
  ) -> OptionSpec {
    OptionSpec(name: name, value: value, repeats: repeats, words: words, help: help)
  }

  /// An option whose value must be one of some words.
  static func choice(
    _ name: String, _ value: String, of words: [String], _ help: String
  ) -> OptionSpec {
    OptionSpec(
      name: name, value: value, repeats: false, words: words, isChoice: true, help: help)
  }

  /// An option of every command with an answer.
  static let json = flag("--json", localized("print the answer as JSON"))
  /// An option of commands whose answer other people may see.
  static let privacy = choice(
    "--privacy", "LEVEL", of: PrivacyLevel.allCases.map(\.rawValue),
    localized("how much to show: titles (all), busy (only times) or nothing (titles)"))
  /// An option of every command.
  static let help = flag("--help", localized("print this help (-h)"))
  /// An option of commands that list occurrences.
  static let ids = flag(
    "--ids", localized("print the ID of each event below it, for show and rm"))
  /// An option of commands that write to a calendar.
  static let calendar = value(
    "--calendar", "CALENDAR",
    localized("the ID or name of the calendar to write to (the default calendar)"))
  /// An option of commands that read from calendars.
  static let calendars = value(
    "--calendar", "CALENDAR", repeats: true,
    localized("only events of the calendar with this ID or name (all that are not hidden)"))
  /// An option of commands that list occurrences.
  static let states = OptionSpec(
    name: "--state", value: "STATE", repeats: true, words: ReleaseState.allCases.map(\.rawValue),
    isChoice: true,
    help: localized(
      """
      only releases of a media server in this state: available, partly, missing, future or \
      unmonitored
      """))
  /// An option of commands that list occurrences.
  static let quality = value(
    "--quality", "TEXT",
    localized("only releases of a media server whose quality contains this, such as 1080p"))
  /// The options of ``ListFilter``.
  static let filters = [calendars, states, quality]
}

/// A positional argument of a command.
struct ArgumentSpec: Equatable, Sendable {
  /// The name in the help: "TITLE".
  let name: String
  /// Whether it must be given; optional arguments come last.
  let isRequired: Bool
  /// What it is: a phrase without a full stop, with the default in brackets.
  let help: String
  /// Whether it may be given several times; the arguments after it are required.
  var repeats = false
}

/// A command, as data.
struct CommandSpec: Sendable {
  let name: String
  let arguments: [ArgumentSpec]
  let options: [OptionSpec]
  /// A phrase for the list of commands, without a full stop.
  let summary: String
  /// More paragraphs of the help, in whole sentences.
  var details: [String] = []
  /// Examples that can be typed as they are.
  let examples: [String]
  let run: @Sendable (ParsedArguments, CommandContext) throws(CommandError) -> Void

  /// The options of the command, and --help.
  var allOptions: [OptionSpec] { options + [.help] }

  /// "add TITLE", "agenda [FROM]", "move ID... CALENDAR".
  var usage: String {
    let words = arguments.map { argument in
      (argument.isRequired ? argument.name : "[\(argument.name)]") + (argument.repeats ? "..." : "")
    }
    return ([name] + words).joined(separator: " ")
  }
}
