/// A half-open range of instants, `[start, end)`.
///
/// An empty span is one instant: an event without duration still happens.
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

  /// Returns the part of what lies between two instants that is in the years 1 to 9999 of UTC; of
  /// what is wholly outside them, as a first day east of Greenwich can be, the nearest moment.
  ///
  /// - Precondition: `start <= end`.
  package static func clamped(from start: Timestamp, to end: Timestamp) -> TimeSpan {
    TimeSpan(start: start.clamped, end: end.clamped)
  }

  /// Returns the shortest span that holds both.
  package func union(_ other: TimeSpan) -> TimeSpan {
    TimeSpan(start: min(start, other.start), end: max(end, other.end))
  }

  /// Exact length in seconds.
  package var seconds: Int64 { end.seconds - start.seconds }

  /// Returns whether an instant lies in the span; the end does not.
  @inlinable
  package func contains(_ instant: Timestamp) -> Bool {
    start <= instant && instant < end
  }

  /// Returns whether two spans have an instant in common. A moment (an empty
  /// span) is met by a span that contains it, and by one that begins there.
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
