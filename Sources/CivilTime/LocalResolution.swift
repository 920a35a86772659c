/// The instants that a reading of the wall clock stands for.
///
/// Readings become instants only through this type, so that no caller forgets gaps and folds.
package enum LocalResolution: Hashable, Sendable {
  /// The reading happens once.
  case unique(Timestamp)
  /// The clock skips the reading.
  ///
  /// `before` uses the offset before the gap, so the clock shows a later time then; `after` uses
  /// the offset after it.
  case gap(before: Timestamp, after: Timestamp)
  /// The reading happens twice.
  case fold(first: Timestamp, second: Timestamp)

  /// The instant by iCalendar's rule: the first of two; in a gap, by the offset before it.
  ///
  ///     2007-11-04 01:30 New York -> 2007-11-04T05:30:00Z  first of two
  ///     2007-03-11 02:30 New York -> 2007-03-11T07:30:00Z  shown as 03:30
  ///
  /// Source: RFC 5545 section 3.3.5.
  @inlinable
  package var instant: Timestamp {
    switch self {
    case .unique(let instant): instant
    case .gap(let before, _): before
    case .fold(let first, _): first
    }
  }
}
