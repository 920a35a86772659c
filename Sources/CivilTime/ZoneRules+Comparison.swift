extension ZoneRules {
  /// The beginning of 2110: every zone follows only its rule then, so equal ones stay equal.
  private static let settled: Int64 = 4_417_977_600

  /// Whether two zones have the same offset at every instant.
  ///
  /// For example after an update of the zone data, or for two names of one zone.
  ///
  /// - Complexity: O(n) in the changes of both zones.
  package func agrees(with other: ZoneRules) -> Bool {
    if self === other { return true }
    var instant = Timestamp.earliest
    while true {
      let (ours, theirs) = (span(at: instant), other.span(at: instant))
      guard ours.offset == theirs.offset else { return false }
      let next = min(ours.end, theirs.end)
      guard next < ZoneRules.settled else { return true }
      instant = Timestamp(seconds: next)
    }
  }

  /// Returns by how many seconds the offsets in a span differ at most.
  ///
  /// With more than 16 changes it is the widest possible difference.
  package func spread(from start: Timestamp, through end: Timestamp) -> Int64 {
    var span = span(at: start)
    var (lowest, highest) = (span.offset.seconds, span.offset.seconds)
    for _ in 0..<16 {
      guard span.end <= end.seconds else { return Int64(highest) - Int64(lowest) }
      span = self.span(at: Timestamp(seconds: span.end))
      lowest = min(lowest, span.offset.seconds)
      highest = max(highest, span.offset.seconds)
    }
    return 2 * ZoneRules.widestOffset
  }
}
