/// The parts of a rule that choose instances.
package enum RulePart: Int, CaseIterable, Sendable {
  case byMonth, byWeekNumber, byYearDay, byMonthDay, byDay, byHour, byMinute, bySecond

  /// The name in RFC 5545.
  package var name: String {
    switch self {
    case .byMonth: "BYMONTH"
    case .byWeekNumber: "BYWEEKNO"
    case .byYearDay: "BYYEARDAY"
    case .byMonthDay: "BYMONTHDAY"
    case .byDay: "BYDAY"
    case .byHour: "BYHOUR"
    case .byMinute: "BYMINUTE"
    case .bySecond: "BYSECOND"
    }
  }
}

/// What a part does to the periods of a frequency.
package enum PartAction: Sendable {
  /// It makes several instances of one.
  case expand
  /// It keeps some of the instances.
  case limit
  /// The RFC does not allow the part with this frequency.
  case forbidden

  /// Returns what a part does with a frequency.
  package static func of(_ part: RulePart, in frequency: RecurrenceRule.Frequency) -> PartAction {
    table[part.rawValue][frequency.rawValue]
  }

  /// A row a part, a column a frequency, from SECONDLY to YEARLY.
  ///
  /// BYDAY expands in a month or a year only if no part has chosen the days
  /// yet; ``RulePlan`` sees to that.
  ///
  /// Reading: the RFC has no BYMONTHDAY in WEEKLY. Rules in use have it, and
  /// all who read them take it as a limit; so do we.
  ///
  /// Source: RFC 5545 section 3.3.10, the table.
  private static let table: [[PartAction]] = [
    // SECONDLY  MINUTELY    HOURLY      DAILY       WEEKLY      MONTHLY     YEARLY
    [.limit, .limit, .limit, .limit, .limit, .limit, .expand],
    [.forbidden, .forbidden, .forbidden, .forbidden, .forbidden, .forbidden, .expand],
    [.limit, .limit, .limit, .forbidden, .forbidden, .forbidden, .expand],
    [.limit, .limit, .limit, .limit, .limit, .expand, .expand],
    [.limit, .limit, .limit, .limit, .expand, .expand, .expand],
    [.limit, .limit, .limit, .expand, .expand, .expand, .expand],
    [.limit, .limit, .expand, .expand, .expand, .expand, .expand],
    [.limit, .expand, .expand, .expand, .expand, .expand, .expand],
  ]
}
