package import CivilTime

extension [RecurrenceRule] {
  /// Returns the first day of these rules from a start on, where that itself is on no day of theirs; nil where it is
  /// on one, and where they have none.
  ///
  /// Such a start is one more occurrence: RFC 5545 section 3.8.5.3 leaves it undefined. "Every Tuesday" from a Monday on
  /// is that Monday and all Tuesdays.
  ///
  /// - Parameter zone: the clock of the start.
  package func firstDay(
    insteadOf start: CivilDateTime, isAllDay: Bool, in zone: ZoneRules
  ) -> CivilDate? {
    guard !isEmpty else { return nil }
    for rule in self {
      // A rule without one can be on any day.
      guard let days = RuleDays(rule, start: start, isAllDay: isAllDay) else { return nil }
      if days.contains(dayNumber: Int(start.date.dayNumber)) { return nil }
    }
    let clock = isAllDay ? ZoneRules.utc : zone
    let set = RecurrenceSet(start: start, isAllDay: isAllDay, zone: clock, rules: self)
    return set.first(atOrAfter: clock.instant(of: start).adding(seconds: 1))?.reading.date
  }
}
