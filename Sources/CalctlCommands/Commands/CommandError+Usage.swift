import Platform

extension CommandError {
  /// Makes the error for a missing argument or option.
  ///
  /// - Parameter example: An example of the arguments.
  static func missing(_ name: String, command: String, example: String) -> CommandError {
    .usage(
      localized("{argument} is missing", ["argument": name]), command: command,
      hint: forExample(example))
  }

  /// Makes the error for an argument that the command does not take.
  static func tooMany(_ extra: String, command: String) -> CommandError {
    .usage(
      localized("unexpected argument \"{argument}\"", ["argument": extra]), command: command,
      hint: nil)
  }

  /// Makes the error for two options that exclude each other.
  static func exclusive(_ option: String, _ other: String, command: String) -> CommandError {
    .usage(
      localized("{option} cannot be combined with {other}", ["option": option, "other": other]),
      command: command, hint: nil)
  }

  /// Makes the error for a word that must be the only value of an option.
  static func notAlone(_ word: String, of option: String, command: String) -> CommandError {
    .usage(
      localized(
        "{option}: \"{word}\" cannot be combined with other values",
        ["option": option, "word": word]),
      command: command, hint: nil)
  }

  /// Returns a hint with an example.
  static func forExample(_ text: String) -> String {
    localized("for example: {command}", ["command": text])
  }
}
