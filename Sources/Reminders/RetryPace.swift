package import CivilTime

/// The delay before a failed operation is tried again.
///
/// 5 seconds, then twice as long each time, up to 5 minutes.
package struct RetryPace {
  /// Whether the current attempt has failed.
  package var hasFailed = false
  /// When to try again; nil while all is well.
  package private(set) var instant: Timestamp?
  private var delaySeconds: Int64 = 0

  package init() {}

  /// Begins an attempt.
  package mutating func begin() {
    hasFailed = false
  }

  /// Ends an attempt, and sets ``instant`` according to ``hasFailed``.
  package mutating func end(at now: Timestamp) {
    delaySeconds = hasFailed ? min(max(5, delaySeconds * 2), 300) : 0
    instant = hasFailed ? now.adding(seconds: delaySeconds) : nil
  }
}
