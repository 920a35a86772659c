import Phrases
import Platform
import Recurrence

/// A word for a common recurrence rule.
enum RepeatWord: String, CaseIterable, Sendable {
  case daily, weekdays, weekly, monthly, yearly

  /// The rule.
  ///
  /// Source: RFC 5545 section 3.3.10.
  var rule: String {
    switch self {
    case .daily: "FREQ=DAILY"
    case .weekdays: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
    case .weekly: "FREQ=WEEKLY"
    case .monthly: "FREQ=MONTHLY"
    case .yearly: "FREQ=YEARLY"
    }
  }

  /// Returns the rule of a word, of weekdays or of a phrase such as "every 2 weeks until 31 Jan".
  ///
  /// A rule is unchanged, since the agent checks it.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for any other text.
  static func rule(
    of text: String, _ phrases: PhraseReader, command: String = "add"
  ) throws(CommandError) -> String {
    if let word = RepeatWord(rawValue: text.lowercased()) { return word.rule }
    if let days = weekdays(text) {
      return "FREQ=WEEKLY;BYDAY=" + days.map(\.code).joined(separator: ",")
    }
    if text.contains("=") { return text }
    let reading = try? phrases.times(text)
    if let rule = reading.flatMap(onlyRule) { return rule }
    let known = localizedList(allCases.map(\.rawValue))
    throw .usage(
      localized(
        "--repeat: \"{value}\" must be one of {words}, or days, a phrase or a rule",
        ["value": text, "words": known]),
      command: command,
      hint: reading?.rule == nil
        ? localized(
          "for example: {examples}",
          ["examples": localizedList(["mon,wed", "every 2 weeks", "FREQ=WEEKLY;INTERVAL=2"])])
        : localized("when it begins belongs to {option}", ["option": "--start"]))
  }

  /// Returns the rule of a phrase; nil if the phrase says more than how often and until when.
  private static func onlyRule(_ reading: PhraseReading) -> String? {
    guard let rule = reading.rule else { return nil }
    let kinds = Set(reading.parts.map(\.kind))
    // A bound without an end is where the recurrence begins.
    guard kinds.isSubset(of: [.repeat, .bound, .filler]),
      !kinds.contains(.bound) || rule.count != nil || rule.until != nil
    else { return nil }
    return rule.text
  }

  /// Returns the days of "mon,wed" or "Tuesday", by short names and codes; nil for other text.
  ///
  /// Source: RFC 5545 section 3.3.10.
  static func weekdays(_ text: String) -> [(name: String, code: String)]? {
    let names = [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    var days: [(name: String, code: String)] = []
    for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
      let word = part.drop { $0 == " " }
      guard word.utf8.count >= 2, let name = names.first(where: { $0.hasPrefix(word) }) else {
        return nil
      }
      let day = (name: String(name.prefix(3)), code: name.prefix(2).uppercased())
      if !days.contains(where: { $0.code == day.code }) { days.append(day) }
    }
    return days
  }
}
