package import CivilTime
package import Recurrence

extension RecurrenceRule {
  /// Returns the rule with a date in UNTIL turned into that day's last second, for a timed event.
  ///
  /// Some programs write a date there. The rule is unchanged if the zone is not known.
  ///
  /// Source: RFC 5545 section 3.3.10: "If the DTSTART property is specified as a date with local
  /// time and time zone reference, then the UNTIL rule part MUST be specified as a date with UTC
  /// time."
  package func ending(
    onClockOf start: EventTime, rules: (String) -> ZoneRules?
  ) -> RecurrenceRule {
    guard case .date(let day) = until, let time = TimeOfDay(hour: 23, minute: 59, second: 59) else {
      return self
    }
    let last = CivilDateTime(day, time)
    var rule = self
    switch start {
    case .date: break
    case .floating: rule.until = .local(last)
    case .utc: rule.until = .instant(Timestamp(last, offset: .utc))
    case .zoned(_, let zone):
      if let zone = rules(zone) { rule.until = .instant(zone.instant(of: last)) }
    }
    return rule
  }
}
