import CivilTime
import Phrases
import Recurrence

/// The first day of a series whose start is a time without a day.
enum RepeatStart {
  /// Returns --start of add for the agent: a time alone is on the first day of the rules.
  ///
  /// - Parameters:
  ///   - text: A start that is a time alone.
  ///   - rules: RRULE values, one for each line; invalid ones are ignored, since the agent refuses
  ///     them.
  static func start(_ text: String, rules: String, _ phrases: PhraseReader) -> String {
    let rules = rules.split(whereSeparator: \.isNewline).compactMap {
      try? RecurrenceRule(text: $0)
    }
    guard case .local(let reading)? = try? phrases.start(text),
      let first = rules.firstDay(insteadOf: reading, isAllDay: false, in: phrases.context.zone)
    else { return text }
    return CivilDateTime(first, reading.time).description
  }
}
