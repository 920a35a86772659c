package import CivilTime

/// A clock that moves when a test tells it to.
///
/// It keeps the promise of ``WallClock``: `wake` runs from ``advance(to:)``,
/// ``set(to:)`` and ``deliver()``, which stand for the event loop, and never from
/// inside ``arm(at:)``.
package final class ManualClock: WallClock {
  package private(set) var now: Timestamp
  /// How long the clock has gone on, also in suspend.
  package private(set) var uptimeSeconds: Int64 = 0
  package var wake: ((WakeReason) -> Void)?

  /// What was asked for last; nil if nothing is.
  package private(set) var armed: Timestamp?

  /// A clock that stands at an instant.
  package init(now: Timestamp) {
    self.now = now
  }

  /// A clock that stands at an instant such as "2026-11-21T09:00:00Z".
  ///
  /// - Throws: ``CivilTimeError`` if the text is none.
  package convenience init(_ text: String) throws(CivilTimeError) {
    self.init(now: try Timestamp(text: text))
  }

  package func arm(at instant: Timestamp?) {
    armed = instant
  }

  /// Lets time pass. On the way each armed instant stops the clock for a moment
  /// and wakes, also those that are armed meanwhile.
  ///
  /// - Precondition: `instant` is not in the past; that would be a jump.
  package func advance(to instant: Timestamp) {
    precondition(instant >= now, "time passes forwards; set(to:) jumps")
    while let next = armed, next <= instant {
      pass(until: max(now, next))
      armed = nil
      wake?(.due)
    }
    pass(until: instant)
  }

  private func pass(until instant: Timestamp) {
    uptimeSeconds += instant.seconds - now.seconds
    now = instant
  }

  /// Lets so many seconds pass.
  package func advance(seconds: Int64) {
    advance(to: now.adding(seconds: seconds))
  }

  /// Makes the clock jump, as when it is set by hand: one wake for the jump, then those that
  /// have become due.
  package func set(to instant: Timestamp) {
    now = instant
    tell(.jumped)
  }

  /// Lets the machine come back from suspend at an instant; wakes as ``set(to:)`` does.
  package func resume(at instant: Timestamp) {
    pass(until: instant)
    tell(.resumed)
  }

  private func tell(_ reason: WakeReason) {
    wake?(reason)
    deliver()
  }

  /// Wakes for what was armed at a past instant; time stands still.
  package func deliver() {
    advance(to: now)
  }
}
