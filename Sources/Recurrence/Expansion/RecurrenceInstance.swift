package import CivilTime

/// One member of a recurrence set.
package struct RecurrenceInstance: Hashable, Sendable {
  /// The reading, as ``CivilDateTime/linearSeconds``.
  let linear: Int64
  /// When it happens.
  package let instant: Timestamp

  package init(reading: CivilDateTime, instant: Timestamp) {
    linear = reading.linearSeconds
    self.instant = instant
  }

  /// - Precondition: `linear` lies in the years 1 to 9999, as all readings of
  ///   rules do.
  @inline(__always)
  init(linear: Int64, instant: Int64) {
    self.linear = linear
    self.instant = Timestamp(seconds: instant)
  }

  /// What the rule says, before a gap of the clock moves it.
  ///
  /// It is worked out when asked for; many ask for the instant alone.
  package var reading: CivilDateTime {
    CivilDateTime(linearSeconds: linear) ?? CivilDateTime(.latest, .midnight)
  }
}
