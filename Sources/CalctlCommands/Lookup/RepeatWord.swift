import Platform

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

  /// Returns the rule of a word or of weekdays; a rule is unchanged, since the agent checks it.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for any other text, such as "fortnightly".
  static func rule(of text: String, command: String = "add") throws(CommandError) -> String {
    if let word = RepeatWord(rawValue: text.lowercased()) { return word.rule }
    if let days = weekdays(text) {
      return "FREQ=WEEKLY;BYDAY=" + days.map(\.code).joined(separator: ",")
    }
    if text.contains("=") { return text }
    let known = localizedList(allCases.map(\.rawValue))
    throw .usage(
      localized(
        "--repeat: \"{value}\" must be one of {words}, or days or a rule",
        ["value": text, "words": known]),
      command: command,
      hint: localized(
        "for example: {first} or {second}",
        ["first": "mon,wed", "second": "FREQ=WEEKLY;INTERVAL=2"]))
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
