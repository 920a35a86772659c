import Platform

extension CommandError {
  /// An argument or an option that is required is missing.
  ///
  /// - Parameter example: what could be typed.
  static func missing(_ name: String, command: String, example: String) -> CommandError {
    .usage(
      localized("{argument} is missing", ["argument": name]), command: command,
      hint: forExample(example))
  }

  /// There are more arguments than the command takes.
  static func tooMany(_ extra: String, command: String) -> CommandError {
    .usage(
      localized("unexpected argument \"{argument}\"", ["argument": extra]), command: command,
      hint: nil)
  }

  /// Two options exclude each other.
  static func exclusive(_ option: String, _ other: String, command: String) -> CommandError {
    .usage(
      localized("{option} cannot be combined with {other}", ["option": option, "other": other]),
      command: command, hint: nil)
  }

  /// A word that must be the only value of an option is not.
  static func notAlone(_ word: String, of option: String, command: String) -> CommandError {
    .usage(
      localized(
        "{option}: \"{word}\" cannot be combined with other values",
        ["option": option, "word": word]),
      command: command, hint: nil)
  }

  /// Returns a hint with what could be typed.
  static func forExample(_ text: String) -> String {
    localized("for example: {command}", ["command": text])
  }
}
