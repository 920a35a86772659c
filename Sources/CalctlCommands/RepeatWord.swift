/// A word for a recurrence rule that people ask for most.
enum RepeatWord: String, CaseIterable, Sendable {
  case daily, weekdays, weekly, monthly, yearly

  /// The rule that it stands for.
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

  /// Returns the rule of a word, and any other text as it is: the agent reads
  /// rules, and says what is wrong with one.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for what is neither, such as
  ///   "fortnightly".
  static func rule(of text: String, command: String = "add") throws(CommandError) -> String {
    if let word = RepeatWord(rawValue: text.lowercased()) { return word.rule }
    if text.contains("=") { return text }
    let known = allCases.map(\.rawValue).joined(separator: ", ")
    throw .usage(
      "--repeat: \"\(text)\" is neither a word that is known (\(known)) nor a rule",
      command: command,
      hint: "such as FREQ=WEEKLY;INTERVAL=2")
  }
}
