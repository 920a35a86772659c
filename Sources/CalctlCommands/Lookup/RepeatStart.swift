import CivilTime
import Phrases
import Recurrence

/// On which day an event begins that repeats by a rule, where only a time says when.
enum RepeatStart {
  /// Returns --start of add as the agent is to read it: one that is a time alone goes to the
  /// first day of the rules.
  ///
  /// - Parameters:
  ///   - text: the next one, where it is a time alone.
  ///   - rules: RRULE, one a line; a line that is no rule is left to the agent.
  static func start(_ text: String, rules: String, _ phrases: PhraseContext) -> String {
    let rules = rules.split(whereSeparator: \.isNewline).compactMap {
      try? RecurrenceRule(text: $0)
    }
    guard case .local(let reading)? = try? readMoment(text, phrases),
      let first = rules.firstDay(insteadOf: reading, isAllDay: false, in: phrases.zone)
    else { return text }
    return CivilDateTime(first, reading.time).description
  }
}
