import CivilTime
import Recurrence
import TestSupport

/// Random rules for other engines, and which of them those expand otherwise.
struct OracleRules {
  private var random: RandomRules

  init(seed: UInt64) {
    random = RandomRules(seed: seed)
  }

  /// A start and the text of a rule that ends, so that one which matches nothing does not keep an engine
  /// busy until the year 9999.
  mutating func next(_ frequency: RecurrenceRule.Frequency) -> (CivilDateTime, String) {
    let start = random.start()
    let days =
      switch frequency {
      case .yearly: 15_000
      case .monthly: 3000
      case .weekly, .daily: 800
      case .hourly: 60
      case .minutely: 4
      case .secondly: 0
      }
    // libical 3.0 expects times in order and each value once.
    var text = random.text(frequency).split(separator: ";").map(OracleRules.sorted)
      .joined(separator: ";")
    let end = start.date.adding(days: days) ?? .latest
    text += ";UNTIL=" + CivilDateTime(end, TimeOfDay(hour: 23, minute: 59) ?? .midnight).basicText
    return (start, text)
  }

  /// Returns "NAME=VALUES" with its numbers ascending, and each value once.
  private static func sorted(_ part: Substring) -> String {
    let halves = part.split(separator: "=")
    var values: [Substring] = []
    for value in halves[1].split(separator: ",") where !values.contains(value) {
      values.append(value)
    }
    values.sort { (Int($0) ?? 0) < (Int($1) ?? 0) }
    return halves[0] + "=" + values.joined(separator: ",")
  }

  /// Whether libical 3.0.16 is known to differ. In each of these the engine that tries every moment, or
  /// python-dateutil, agrees with us.
  static func libicalDiffers(_ rule: RecurrenceRule) -> Bool {
    // Steps of hours and less begin anew at each match of a BY part, and those before the first
    // whole period after the start are missed.
    if rule.frequency < .daily, RulePart.allCases.contains(where: rule.hasPart) { return true }
    // Second 60 is taken for the next minute's first.
    if rule.seconds.contains(60) { return true }
    // BYSETPOS is not looked at below MONTHLY, counts by the month in YEARLY, and does not see the
    // times of a day.
    let hasTimes = !rule.hours.isEmpty || !rule.minutes.isEmpty || !rule.seconds.isEmpty
    if !rule.setPositions.isEmpty, rule.frequency != .monthly || hasTimes { return true }
    // The first week of several is lost where weeks do not begin on Monday.
    if rule.frequency == .weekly, rule.interval > 1, rule.weekStart != .monday { return true }
    // A limit by days from the end of the month is passed over; in WEEKLY all are refused.
    if rule.frequency == .weekly, !rule.monthDays.isEmpty { return true }
    if rule.frequency == .daily, rule.monthDays.contains(where: { $0 < 0 }) { return true }
    // Weeks without BYDAY give nothing, weeks from the end of the year are others, and limits beside
    // weeks are passed over.
    if !rule.weekNumbers.isEmpty { return true }
    // Days of the year beside other days or months are refused.
    if !rule.yearDays.isEmpty {
      return !rule.months.isEmpty || !rule.monthDays.isEmpty || !rule.weekdays.isEmpty
    }
    return false
  }

  /// Whether python-dateutil is known to differ.
  static func dateutilDiffers(_ rule: RecurrenceRule) -> Bool {
    // Second 60 is refused.
    if rule.seconds.contains(60) { return true }
    // In WEEKLY the days of the month are taken on any weekday, in YEARLY in any month.
    if !rule.monthDays.isEmpty, rule.frequency == .weekly { return true }
    if !rule.monthDays.isEmpty, rule.frequency == .yearly, rule.months.isEmpty { return true }
    // Weeks without BYDAY are all their days, and are cut at the end of the calendar year.
    if !rule.weekNumbers.isEmpty { return true }
    // Numbered weekdays limit plain ones, and days of the year.
    if rule.weekdays.contains(where: { $0.ordinal != nil }) {
      return rule.weekdays.contains { $0.ordinal == nil } || !rule.yearDays.isEmpty
    }
    return false
  }
}

extension RecurrenceRule {
  fileprivate func hasPart(_ part: RulePart) -> Bool {
    text.contains(";" + part.name + "=")
  }
}
