extension RecurrenceRule {
  /// Checks what no part can tell alone.
  ///
  /// - Parameter position: Where a part begins in the text.
  /// - Throws: ``RecurrenceError/Kind/partNotAllowed`` for a part that the
  ///   frequency or another part excludes; ``RecurrenceError/Kind/badSyntax``
  ///   for SKIP without RSCALE.
  ///
  /// Reading: COUNT beside UNTIL, and BYSETPOS without another BY part, are
  /// forbidden by the RFC. Programs in use write both; the first that ends
  /// counts, and position 1 or −1 is the one instance there is.
  ///
  /// Source: RFC 5545 section 3.3.10; RFC 7529 section 4.1.
  func validate(position: (String) -> Int) throws(RecurrenceError) {
    func refuse(_ part: String, _ reason: String) -> RecurrenceError {
      RecurrenceError(kind: .partNotAllowed, part: part, position: position(part), reason: reason)
    }
    for part in RulePart.allCases where isSet(part) {
      if PartAction.of(part, in: frequency) == .forbidden {
        let allowed = Frequency.allCases.filter { PartAction.of(part, in: $0) != .forbidden }
        throw refuse(
          part.name,
          "it does not go with FREQ=\(frequency.name), only with "
            + allowed.map(\.name).joined(separator: ", "))
      }
    }
    if skip != nil, !namesScale {
      throw RecurrenceError(
        kind: .badSyntax, part: "SKIP", position: position("SKIP"),
        reason: "it needs a calendar to skip in; add RSCALE=GREGORIAN")
    }
    if let choice = weekdays.first(where: { $0.ordinal != nil }) {
      if frequency < .monthly {
        throw refuse(
          "BYDAY", "\(choice) has a number, which goes with FREQ=MONTHLY and YEARLY only")
      }
      if !weekNumbers.isEmpty {
        throw refuse("BYDAY", "\(choice) has a number, which does not go with BYWEEKNO")
      }
    }
  }

  /// Returns whether a part stands in the rule.
  func isSet(_ part: RulePart) -> Bool {
    switch part {
    case .byMonth: !months.isEmpty
    case .byWeekNumber: !weekNumbers.isEmpty
    case .byYearDay: !yearDays.isEmpty
    case .byMonthDay: !monthDays.isEmpty
    case .byDay: !weekdays.isEmpty
    case .byHour: !hours.isEmpty
    case .byMinute: !minutes.isEmpty
    case .bySecond: !seconds.isEmpty
    }
  }
}
