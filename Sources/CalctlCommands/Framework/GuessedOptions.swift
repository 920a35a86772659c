import Platform

/// Options that do not exist but that people try, with what to use instead.
enum GuessedOptions {
  private struct Guess {
    let commands: Set<String>
    let options: Set<String>
    let hint: String
  }

  private static let all = [
    Guess(
      commands: ["snooze", "quiet"], options: ["--until", "--for"],
      hint: localized(
        "give the time without an option, for example: {words}",
        ["words": "until tomorrow 9:00"])),
    Guess(
      commands: ["add", "edit"], options: ["--until", "--count"],
      hint: localized(
        "put the end of a series in its rule: {option}",
        ["option": "--repeat \"FREQ=WEEKLY;UNTIL=20270131\""])),
    Guess(
      commands: ["add", "quick"], options: ["--summary", "--title", "--name"],
      hint: localized("give the title without an option")),
    Guess(
      commands: ["edit"], options: ["--summary", "--name"],
      hint: localized("use {option}", ["option": "--title"])),
    Guess(
      commands: ["add", "edit"], options: ["--alarm", "--remind", "--notify"],
      hint: localized("use {option}", ["option": "--reminder"])),
    Guess(
      commands: ["add", "edit"], options: ["--duration", "--length"],
      hint: localized("--end also takes a duration: {option}", ["option": "--end 45m"])),
  ]

  /// Returns what to use instead of an option that a command does not have; nil if unknown.
  static func hint(_ option: String, of command: String) -> String? {
    all.first { $0.commands.contains(command) && $0.options.contains(option) }?.hint
  }

  /// Returns the option to use instead of a surplus argument; nil if there is none.
  static func hint(extra word: String, of command: String) -> String? {
    if command == "next" {
      return localized("for those days: {command}", ["command": "calctl agenda next \(word)"])
    }
    let digits = word.lowercased().hasSuffix("h") ? word.dropLast() : word[...]
    guard command == "upcoming", let hours = Int(digits), hours > 0 else { return nil }
    return localized("use {option}", ["option": "--hours \(hours)"])
  }
}
