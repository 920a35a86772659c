/// Options that people would look for, and what there is in their place.
enum GuessedOptions {
  private struct Guess {
    let commands: Set<String>
    let options: Set<String>
    let hint: String
  }

  private static let all = [
    Guess(
      commands: ["snooze", "quiet"], options: ["--until", "--for"],
      hint: "until when stands without an option, such as: until tomorrow 9:00"),
    Guess(
      commands: ["add", "edit"], options: ["--until", "--count"],
      hint: "the end of what repeats is in its rule: --repeat \"FREQ=WEEKLY;UNTIL=20270131\""),
    Guess(
      commands: ["add", "quick"], options: ["--summary", "--title", "--name"],
      hint: "the title stands without an option"),
    Guess(
      commands: ["edit"], options: ["--summary", "--name"], hint: "the title is --title"),
    Guess(
      commands: ["add", "edit"], options: ["--alarm", "--remind", "--notify"],
      hint: "that is --reminder"),
    Guess(
      commands: ["add", "edit"], options: ["--duration", "--length"],
      hint: "--end takes a length as well: --end 45m"),
  ]

  /// Returns what to write in place of an option that a command does not have; nil where nobody would
  /// look for it.
  static func hint(_ option: String, of command: String) -> String? {
    all.first { $0.commands.contains(command) && $0.options.contains(option) }?.hint
  }

  /// Returns the option that a word stands for which a command has no argument for; nil where there is none.
  static func hint(extra word: String, of command: String) -> String? {
    let digits = word.lowercased().hasSuffix("h") ? word.dropLast() : word[...]
    guard command == "upcoming", let hours = Int(digits), hours > 0 else { return nil }
    return "how far to look ahead is --hours \(hours)"
  }
}
