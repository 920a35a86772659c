import CalendarBus
import CivilTime
import DBus
import JSON
import Phrases

extension CommandSpec {
  static let quiet = CommandSpec(
    name: "quiet",
    arguments: [
      ArgumentSpec(
        name: "UNTIL", isRequired: false,
        help: "a length, a moment, forever or off: 2h, \"until tomorrow 9:00\" (show it)",
        repeats: true)
    ],
    options: [.json], summary: "show no notifications for a while",
    details: [
      """
      In quiet time reminders wait: programs are told of them, and one notification at the end \
      shows what nobody has seen by then. Hours that are quiet each week are set in datebook.conf: \
      quiet-hours = mon-fri 22:00-7:00, in the section [reminders]; off ends those, too, until they \
      begin again. A day alone is nine o'clock on it.
      """
    ],
    examples: [
      "calctl quiet", "calctl quiet 2h", "calctl quiet until tomorrow 9:00",
      "calctl quiet forever", "calctl quiet off",
    ]
  ) { arguments, context throws(CommandError) in
    let client = try context.client()
    let written = SnoozeWords.apart(arguments.positionals)
    try QuietWords.check(written, command: "quiet")
    let words = QuietWords.withoutLead(written)
    let text = CommandContext.later(
      words.joined(separator: " "), PhraseContext(now: context.now, zone: try context.zone()))
    let until: Int64
    do throws(CommandError) {
      until = text.isEmpty ? try client.quietUntil() : try client.setQuiet(until: bus(text))
    } catch {
      throw try error.renamed([("until", "UNTIL")]).withLocalTimes(context.output)
    }
    if arguments.has(.json) {
      let hasEnd = until != 0 && until != .max
      return try context.output.json([
        "quiet": .bool(until != 0), "until": hasEnd ? .integer(until) : .null,
      ])
    }
    try context.output.line(context.output.quiet(until))
  }

  /// What the bus calls it.
  private static func bus(_ text: String) -> String { text == "off" ? "" : text }
}

/// How it is said until when, behind quiet and snooze.
enum QuietWords {
  /// Words that may stand before it.
  private static let leads = ["until", "for"]
  /// Words that stand alone.
  private static let alone = ["off", "forever"]

  static func withoutLead(_ words: [String]) -> [String] {
    words.count > 1 && leads.contains(words[0]) ? Array(words.dropFirst()) : words
  }

  /// Refuses a word that something has to follow, and words after one that nothing follows.
  static func check(_ words: [String], command: String) throws(CommandError) {
    guard let first = words.first else { return }
    if words.count == 1, leads.contains(first) {
      throw .usage(
        "UNTIL is missing behind \"\(first)\"", command: command,
        hint: "such as: \(first == "for" ? "for 2h" : "until tomorrow 9:00")")
    }
    if words.count > 1, alone.contains(first) {
      throw .usage(
        "\"\(first)\" stands alone, and \"\(words[1])\" is one argument too many",
        command: command, hint: "leave one of them out")
    }
  }
}

extension Output {
  /// Returns the property QuietUntil in some words: "no", "until 22:00".
  func quietState(_ properties: Value) throws(CommandError) -> String {
    switch properties["QuietUntil"]?.asInteger ?? 0 {
    case 0: "no"
    case .max: "until calctl quiet off"
    case let until: "until \(try moment(Timestamp(seconds: until)))"
    }
  }

  /// Returns the property QuietUntil in a sentence.
  func quiet(_ until: Int64) throws(CommandError) -> String {
    if until == 0 { return "Not quiet: reminders are shown." }
    if until == .max { return "Quiet until you end it with calctl quiet off." }
    return "Quiet until \(try moment(Timestamp(seconds: until)))."
  }
}
