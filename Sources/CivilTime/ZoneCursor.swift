/// Converts many readings, roughly in order, to instants.
///
/// It remembers the stretch in which one offset applies, so that most need a comparison and a
/// subtraction.
package struct ZoneCursor {
  package let zone: ZoneRules
  /// The linear seconds for which `offset` applies and readings are unique.
  @usableFromInline var low: Int64 = 0
  @usableFromInline var high: Int64 = 0
  @usableFromInline var offset: Int64 = 0

  package init(_ zone: ZoneRules) {
    self.zone = zone
  }

  /// Returns the instant of a reading far from clock changes; nil for others.
  ///
  /// ``ZoneRules/resolve(_:)`` handles those.
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
  /// Returns a lower bound, in linear seconds, of readings that mean `instant` or later.
  ///
  /// Away from clock changes it is exactly the reading at that instant.
  package func earliestLinear(ofInstancesFrom instant: Timestamp) -> Int64 {
    // Clamped to the supported years, so that sums do not overflow.
    let seconds = min(
      max(instant.seconds, Timestamp.earliest.seconds - 100_000), Timestamp.latest.seconds + 100_000
    )
    // A gap moves a reading by less than twice the widest offset.
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
