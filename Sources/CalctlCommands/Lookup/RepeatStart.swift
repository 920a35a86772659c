import CivilTime
import Phrases
import Recurrence

/// The first day of a series whose start has a time but no day.
enum RepeatStart {
  /// Returns --start of add for the agent: a time alone is on the first day of the rules.
  ///
  /// - Parameters:
  ///   - text: as ``CommandContext/nextStart(_:zone:)`` returns it.
  ///   - rules: RRULE, one a line; lines that are no rules are ignored, since the agent refuses
  ///     them.
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
