internal import CLinux
internal import Glibc

/// Moves the machine's clock forward by a microsecond, which nobody notices but those who want to know
/// when it is set. It needs CAP_SYS_TIME.
package enum ClockNudge {
  /// Moves the clock; false without the right to.
  package static func nudge() -> Bool {
    var change = timex()
    change.modes = UInt32(ADJ_SETOFFSET | ADJ_NANO)
    change.time.tv_usec = 1000
    return clock_adjtime(CLOCK_REALTIME, &change) >= 0
  }

  package static let isAllowed = nudge()
}
