package import CivilTime

/// One instance of a recurrence set.
package struct RecurrenceInstance: Hashable, Sendable {
  /// The reading, as ``CivilDateTime/linearSeconds``.
  let linear: Int64
  /// The instant of the instance.
  package let instant: Timestamp

  package init(reading: CivilDateTime, instant: Timestamp) {
    linear = reading.linearSeconds
    self.instant = instant
  }

  /// - Precondition: `linear` is in the years 1 to 9999, as all readings of rules are.
  @inline(__always)
  init(linear: Int64, instant: Int64) {
    self.linear = linear
    self.instant = Timestamp(seconds: instant)
  }

  /// The reading of the rule, before a gap of the clock moves it.
  ///
  /// It is computed on demand; many callers only need the instant.
  package var reading: CivilDateTime {
    CivilDateTime(linearSeconds: linear) ?? CivilDateTime(.latest, .midnight)
  }
}
