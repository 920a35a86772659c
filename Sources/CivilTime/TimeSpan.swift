/// A half-open range of instants, `[start, end)`.
///
/// An empty span is one instant: an event without duration.
package struct TimeSpan: Hashable, Sendable {
  package let start: Timestamp
  package let end: Timestamp

  /// Everything from year 1 to year 9999.
  package static let always = TimeSpan(
    start: .earliest, end: Timestamp.latest.adding(seconds: 1))

  /// - Precondition: `start <= end`.
  @inlinable
  package init(start: Timestamp, end: Timestamp) {
    precondition(start <= end, "a span ends at its start or later")
    self.start = start
    self.end = end
  }

  /// Returns the span between two instants, limited to the years 1 to 9999 of UTC.
  ///
  /// A span outside of them, such as the first day east of Greenwich, becomes the nearest instant.
  ///
  /// - Precondition: `start <= end`.
  package static func clamped(from start: Timestamp, to end: Timestamp) -> TimeSpan {
    TimeSpan(start: start.clamped, end: end.clamped)
  }

  /// Returns the shortest span that contains both.
  package func union(_ other: TimeSpan) -> TimeSpan {
    TimeSpan(start: min(start, other.start), end: max(end, other.end))
  }

  /// The exact duration in seconds.
  package var seconds: Int64 { end.seconds - start.seconds }

  /// Returns whether the span contains an instant; the end is excluded.
  @inlinable
  package func contains(_ instant: Timestamp) -> Bool {
    start <= instant && instant < end
  }

  /// Returns whether two spans have an instant in common.
  ///
  /// An empty span overlaps a span that contains it or begins there:
  ///
  ///     [9,10) and [10,11)   no
  ///     [9,9)  and [9,10)    yes
  ///     [9,9)  and [8,9)     no
  @inlinable
  package func overlaps(_ other: TimeSpan) -> Bool {
    if start == end { return other.contains(start) || other.start == start }
    if other.start == other.end { return contains(other.start) }
    return start < other.end && other.start < end
  }
}
