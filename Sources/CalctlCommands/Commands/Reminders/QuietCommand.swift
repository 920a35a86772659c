import CalendarBus
import CivilTime
import DBus
import JSON
import Phrases
import Platform

extension CommandSpec {
  static let quiet = CommandSpec(
    name: "quiet",
    arguments: [
      ArgumentSpec(
        name: "UNTIL", isRequired: false,
        help: localized(
          "a duration, a time, forever or off: 2h, \"until tomorrow 9:00\" (print the state)"),
        repeats: true)
    ],
    options: [.json],
    summary: localized("show no notifications for a while"),
    details: [
      localized(
        """
        Reminders that are due in quiet time are shown in one notification at its end. Weekly \
        quiet hours are set in datebook.conf: quiet-hours = mon-fri 22:00-7:00, in the section \
        [reminders]; off ends those, too, until they begin again. A day alone is 9:00.
        """)
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
      words.joined(separator: " "), context.phrases(in: try context.zone()))
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

  /// Returns UNTIL for the bus.
  private static func bus(_ text: String) -> String { text == "off" ? "" : text }
}

/// The words of UNTIL, for quiet and snooze.
enum QuietWords {
  /// Words that precede a time or a duration.
  private static let leads = ["until", "for"]
  /// Words that must be alone.
  private static let alone = ["off", "forever"]

  static func withoutLead(_ words: [String]) -> [String] {
    words.count > 1 && leads.contains(words[0]) ? Array(words.dropFirst()) : words
  }

  /// Refuses "until" or "for" without more, and words after "off" or "forever".
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)``.
  static func check(_ words: [String], command: String) throws(CommandError) {
    guard let first = words.first else { return }
    if words.count == 1, leads.contains(first) {
      throw .usage(
        first == "for"
          ? localized("expected a duration after \"{word}\"", ["word": first])
          : localized("expected a time after \"{word}\"", ["word": first]),
        command: command,
        hint: CommandError.forExample(first == "for" ? "for 2h" : "until tomorrow 9:00"))
    }
    if words.count > 1, alone.contains(first) {
      throw .usage(
        localized(
          "\"{first}\" cannot be combined with \"{second}\"",
          ["first": first, "second": words[1]]),
        command: command, hint: nil)
    }
  }
}

extension Output {
  /// Returns the property QuietUntil in short: "no", "until 22:00".
  func quietState(_ properties: Value) throws(CommandError) -> String {
    switch properties["QuietUntil"]?.asInteger ?? 0 {
    case 0: localized("no")
    case .max: localized("until calctl quiet off")
    case let until:
      localized("until {time}", ["time": try moment(Timestamp(seconds: until))])
    }
  }

  /// Returns whether it is quiet time, from the property QuietUntil.
  static func isQuiet(_ properties: Value) -> Bool {
    (properties["QuietUntil"]?.asInteger ?? 0) != 0
  }

  /// Returns the property QuietUntil as a sentence.
  func quiet(_ until: Int64) throws(CommandError) -> String {
    if until == 0 { return localized("Not quiet: reminders are shown.") }
    if until == .max { return localized("Quiet until you run calctl quiet off.") }
    return localized("Quiet until {time}.", ["time": try moment(Timestamp(seconds: until))])
  }
}
