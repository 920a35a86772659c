import CivilTime
import Phrases
import Recurrence

/// Whether an event begins on a day of the rule by which it repeats.
///
/// A start that its rule does not match would be one more occurrence (RFC 5545 section
/// 3.8.5.3 leaves it undefined): "--repeat tue" on a Monday would be that Monday and all Tuesdays.
struct RepeatStart {
  private let rules: [RecurrenceRule]
  private let zone: ZoneRules

  /// - Parameter text: RRULE, one a line; a line that is no rule is left to the agent.
  init(rules text: String, zone: ZoneRules) {
    rules = text.split(whereSeparator: \.isNewline).compactMap { try? RecurrenceRule(text: $0) }
    self.zone = zone
  }

  /// Returns the first day from that of the start on that the rules have, where the start is
  /// on none of theirs; nil where it is, or none is to be found.
  func firstDay(insteadOf start: CivilDateTime, isAllDay: Bool) -> CivilDate? {
    guard !rules.isEmpty else { return nil }
    for rule in rules {
      // A rule without one can be on any day.
      guard let days = RuleDays(rule, start: start, isAllDay: isAllDay) else { return nil }
      if days.contains(dayNumber: Int(start.date.dayNumber)) { return nil }
    }
    let set = RecurrenceSet(
      start: start, isAllDay: isAllDay, zone: isAllDay ? .utc : zone, rules: rules)
    let after = (isAllDay ? ZoneRules.utc : zone).instant(of: start).adding(seconds: 1)
    return set.first(atOrAfter: after)?.reading.date
  }

  /// Returns --start of add as the agent is to read it: one that is a time alone goes to the
  /// first day of the rules.
  ///
  /// - Parameters:
  ///   - text: the next one, where it is a time alone.
  ///   - isTimeAlone: whether it was written without a day.
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for another day that is none of theirs,
  ///   with both ways out of it.
  func start(
    _ text: String, isTimeAlone: Bool, repeats: [String], now: Timestamp
  ) throws(CommandError) -> String {
    let phrases = PhraseContext(now: now, zone: zone)
    guard let moment = try? readMoment(text, phrases) else { return text }
    let isAllDay = if case .date = moment { true } else { false }
    let start =
      isAllDay
      ? CivilDateTime(moment.day(in: zone), .midnight)
      : zone.reading(at: moment.instant(in: zone))
    guard let first = firstDay(insteadOf: start, isAllDay: isAllDay) else { return text }
    if isTimeAlone { return CivilDateTime(first, start.time).description }
    throw RepeatStart.refusal(
      start, first, isAllDay: isAllDay, "--start", repeats, command: "add")
  }

  /// Refuses a start, and says what would do.
  static func refusal(
    _ start: CivilDateTime, _ first: CivilDate, isAllDay: Bool, _ place: String,
    _ repeats: [String], command: String
  ) -> CommandError {
    let day = DayNames.full(start.date)
    let name = "\(start.date.weekday)".prefix(3).lowercased()
    let rules = repeats.joined(separator: ",")
    let isDays = repeats.allSatisfy { RepeatWord.weekdays($0) != nil }
    let isWeekdays = repeats.count == 1 && RepeatWord(rawValue: rules.lowercased()) == .weekdays
    let other =
      isDays
      ? "--repeat \(name),\(rules)" : isWeekdays ? "--repeat daily" : "another --repeat"
    return .usage(
      "\(place): \(day) is no day of --repeat \(rules)", command: command,
      hint: "begin on the first that is, --start "
        + (isAllDay ? "\(first)" : "\"\(first) \(start.time.hourAndMinute)\"")
        + ", or say \(other)")
  }
}
