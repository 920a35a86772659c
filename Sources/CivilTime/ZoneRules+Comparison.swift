extension ZoneRules {
  /// Where every clock has come to go on by its rule alone, so that two which
  /// have agreed for years go on agreeing: the beginning of 2110.
  private static let settled: Int64 = 4_417_977_600

  /// Whether two clocks show the same at every instant: what an update of the zone
  /// data left as it was, or two names of one zone.
  ///
  /// - Complexity: O(n) in the changes of both clocks.
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

  /// Returns by how many seconds the offsets of a time differ at most; of a time with
  /// more changes than in some years what they can differ by at all.
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
