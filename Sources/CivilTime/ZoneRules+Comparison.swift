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
}
