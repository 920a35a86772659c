package import CivilTime

/// One member of a recurrence set.
package struct RecurrenceInstance: Hashable, Sendable {
  /// What the rule says, before a gap of the clock moves it.
  package let reading: CivilDateTime
  /// When it happens.
  package let instant: Timestamp

  package init(reading: CivilDateTime, instant: Timestamp) {
    self.reading = reading
    self.instant = instant
  }

  /// - Precondition: `linear` lies in the years 1 to 9999, as all readings of
  ///   rules do.
  @inline(__always)
  init(linear: Int64, instant: Int64) {
    reading = CivilDateTime(linearSeconds: linear) ?? CivilDateTime(.latest, .midnight)
    self.instant = Timestamp(seconds: instant)
  }
}
