import DBus

/// How far a run is with the calendar that it is at.
struct SourceProgress: Equatable {
  /// The name of the calendar, for people; empty before the first.
  var calendar = ""
  /// How many items are fetched or sent.
  var done = 0
  /// How many of them there are, as far as is known.
  var total = 0

  /// The arguments of SyncProgress.
  ///
  /// - Parameter source: its ID.
  func arguments(of source: String) -> [Value] {
    [
      .string(source), .string(calendar), .uint32(UInt32(clamping: done)),
      .uint32(UInt32(clamping: total)),
    ]
  }
}
