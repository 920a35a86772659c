import Messages

extension RecurrenceRule {
  /// Checks the parts against each other.
  ///
  /// - Parameter position: Returns where a part begins in the text.
  /// - Throws: ``RecurrenceError/Kind/partNotAllowed`` for a part that the frequency or another
  ///   part excludes; ``RecurrenceError/Kind/badSyntax`` for SKIP without RSCALE.
  ///
  /// Reading: The RFC forbids COUNT with UNTIL, and BYSETPOS without another BY part. Programs
  /// write both. The earlier end counts, and position 1 or −1 is the only instance.
  ///
  /// Source: RFC 5545 section 3.3.10; RFC 7529 section 4.1.
  func validate(position: (String) -> Int) throws(RecurrenceError) {
    func refuse(_ part: String, _ reason: UserText) -> RecurrenceError {
      RecurrenceError(kind: .partNotAllowed, part: part, position: position(part), reason: reason)
    }
    for part in RulePart.allCases where isSet(part) {
      if PartAction.of(part, in: frequency) == .forbidden {
        let allowed = Frequency.allCases.filter { PartAction.of(part, in: $0) != .forbidden }
        throw refuse(
          part.name,
          UserText(
            "not allowed with FREQ={frequency}, only with {allowed}",
            [
              "frequency": frequency.name,
              "allowed": UserText.list(allowed.map(\.name)),
            ]))
      }
    }
    if skip != nil, !namesScale {
      throw RecurrenceError(
        kind: .badSyntax, part: "SKIP", position: position("SKIP"),
        reason: UserText("it needs a calendar scale; add RSCALE=GREGORIAN"))
    }
    if let choice = weekdays.first(where: { $0.ordinal != nil }) {
      if frequency < .monthly {
        throw refuse(
          "BYDAY",
          UserText(
            "{weekday} has a number, which only FREQ=MONTHLY and YEARLY allow",
            ["weekday": "\(choice)"]))
      }
      if !weekNumbers.isEmpty {
        throw refuse(
          "BYDAY",
          UserText(
            "{weekday} has a number, which BYWEEKNO does not allow", ["weekday": "\(choice)"]))
      }
    }
  }

  /// Returns whether the rule has a part.
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
