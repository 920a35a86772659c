/// Turns many readings, in about their order, into instants.
///
/// It remembers the stretch in which readings happen once and by one offset, so
/// that most cost a comparison and a subtraction.
package struct ZoneCursor {
  package let zone: ZoneRules
  /// Linear seconds for which `offset` is right and the reading unique.
  @usableFromInline var low: Int64 = 0
  @usableFromInline var high: Int64 = 0
  @usableFromInline var offset: Int64 = 0

  package init(_ zone: ZoneRules) {
    self.zone = zone
  }

  /// Returns the instant of a reading that no change of the clock is near;
  /// nil where ``ZoneRules/resolve(_:)`` must decide.
  ///
  /// - Parameter local: The reading as ``CivilDateTime/linearSeconds``.
  @inlinable @inline(__always)
  package mutating func uniqueInstant(ofLinear local: Int64) -> Int64? {
    if local >= low, local < high { return local &- offset }
    return search(local)
  }

  @usableFromInline @inline(never)
  mutating func search(_ local: Int64) -> Int64? {
    let span = zone.span(at: Timestamp(seconds: local))
    guard span.keepsUnique(local) else { return nil }
    low = span.start == .min ? .min : span.start + ZoneRules.widestOffset
    high = span.end == .max ? .max : span.end - ZoneRules.widestOffset
    offset = Int64(span.offset.seconds)
    return local - offset
  }
}

extension ZoneRules {
  /// Returns linear seconds such that every reading that means an instant
  /// at or after `instant` has as many or more.
  ///
  /// Away from changes of the clock it is exactly the reading shown then.
  package func earliestLinear(ofInstancesFrom instant: Timestamp) -> Int64 {
    // Beyond the years there are none; clamped, so that sums stay small.
    let seconds = min(
      max(instant.seconds, Timestamp.earliest.seconds - 100_000), Timestamp.latest.seconds + 100_000
    )
    // A gap moves a reading by less than two of the widest offsets.
    let reach = 2 * ZoneRules.widestOffset
    var span = span(at: Timestamp(seconds: seconds - reach))
    var least = span.offset.seconds
    while span.end <= seconds + reach {
      span = self.span(at: Timestamp(seconds: span.end))
      least = min(least, span.offset.seconds)
    }
    return seconds + Int64(least)
  }
}
