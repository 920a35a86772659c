/// A clock that knows the instant and can wake its owner at one.
///
/// What a caller may rely on: everything happens on one thread; `wake` runs
/// from the event loop, never from inside ``arm(at:)``; after a jump of the
/// clock (set by hand, resume from suspend) it runs at once, since what was
/// armed may have passed.
package protocol WallClock: AnyObject {
  /// The present instant, whole seconds, rounded down.
  var now: Timestamp { get }

  /// Seconds since some instant before the program began, those of suspend among them: to set the
  /// clock does not change them.
  var uptimeSeconds: Int64 { get }

  /// Asks for one call of ``wake`` at `instant`, or as soon as possible if it
  /// has passed. It replaces what was asked for before; nil asks for none, but
  /// jumps are still told.
  func arm(at instant: Timestamp?)

  /// What to run when the armed instant came, or the clock jumped.
  var wake: ((WakeReason) -> Void)? { get set }
}

/// Why a clock woke its owner.
package enum WakeReason: Equatable, Sendable {
  /// The armed instant came.
  case due
  /// The clock was set.
  case jumped
  /// The machine came back from suspend; the clock may have been set, too.
  case resumed
}
