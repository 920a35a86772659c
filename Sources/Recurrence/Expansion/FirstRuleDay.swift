package import CivilTime

extension [RecurrenceRule] {
  /// Returns the first day of the rules after a start that is on none of their days; else nil.
  ///
  /// Such a start is an additional occurrence: "every Tuesday" from a Monday is that Monday and all
  /// Tuesdays. RFC 5545 section 3.8.5.3 leaves it undefined.
  ///
  /// - Parameter zone: The zone of the start.
  package func firstDay(
    insteadOf start: CivilDateTime, isAllDay: Bool, in zone: ZoneRules
  ) -> CivilDate? {
    guard !isEmpty else { return nil }
    for rule in self {
      // A rule without day limits can be on any day.
      guard let days = RuleDays(rule, start: start, isAllDay: isAllDay) else { return nil }
      if days.contains(dayNumber: Int(start.date.dayNumber)) { return nil }
    }
    let clock = isAllDay ? ZoneRules.utc : zone
    let set = RecurrenceSet(start: start, isAllDay: isAllDay, zone: clock, rules: self)
    return set.first(atOrAfter: clock.instant(of: start).adding(seconds: 1))?.reading.date
  }
}
