/// A clock that knows the current instant and can wake its owner at another.
///
/// Everything happens on one thread. `wake` runs from the event loop, never inside ``arm(at:)``.
/// After a jump of the clock (set by hand, or resumed from suspend) it runs at once, since the
/// armed instant may have passed.
package protocol WallClock: AnyObject {
  /// The current instant, rounded down to whole seconds.
  var now: Timestamp { get }

  /// Seconds since some instant before the program began, including suspend.
  ///
  /// Setting the clock does not change it.
  var uptimeSeconds: Int64 { get }

  /// Asks for one call of ``wake`` at `instant`, or as soon as possible if it has passed.
  ///
  /// It replaces the previous request; nil asks for none, but jumps are still reported.
  func arm(at instant: Timestamp?)

  /// Runs at the armed instant, or after a jump of the clock.
  var wake: ((WakeReason) -> Void)? { get set }
}

/// Why a clock woke its owner.
package enum WakeReason: Equatable, Sendable {
  /// The armed instant was reached.
  case due
  /// The clock was set.
  case jumped
  /// The machine resumed from suspend; the clock may have been set, too.
  case resumed
}
