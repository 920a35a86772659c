package import CivilTime

/// ``WallClock`` over one timerfd on CLOCK_REALTIME.
///
/// The timer is always armed, if need be far ahead, because only an armed timer reports a jump: the
/// kernel cancels it when the clock is set and after a suspend. To tell the two apart it compares
/// the clocks that do and do not count suspend, without asking another program.
///
/// Source: timerfd_create(2), TFD_TIMER_CANCEL_ON_SET; clock_gettime(2), CLOCK_BOOTTIME.
package final class RealtimeClock: WallClock {
  package var wake: ((WakeReason) -> Void)?

  private let timer: FileDescriptor
  private let loop: EventLoop
  private var watch: DescriptorWatch?
  private var armed: Timestamp?
  private let suspendedNanoseconds: () -> Int64
  /// The last value of ``suspendedNanoseconds``.
  private var suspended: Int64

  /// Shorter than any real suspend; two clocks read one after the other differ a little.
  private static let shortestSuspend: Int64 = 50_000_000

  /// - Parameter suspendedNanoseconds: Returns how long the machine was suspended since it booted.
  /// - Throws: ``SystemError`` if there are too many descriptors.
  package init(
    loop: EventLoop,
    suspendedNanoseconds: @escaping () -> Int64 = SystemCalls.suspendedNanoseconds
  ) throws(SystemError) {
    self.loop = loop
    self.suspendedNanoseconds = suspendedNanoseconds
    suspended = suspendedNanoseconds()
    timer = FileDescriptor(owning: try SystemCalls.makeTimer())
    try setTimer()
    watch = try loop.watch(timer.number, for: .read) { [weak self] _ in self?.timerFired() }
  }

  deinit {
    if let watch { loop.cancel(watch) }
  }

  package var now: Timestamp { Timestamp(seconds: SystemCalls.realtimeSeconds()) }

  package var uptimeSeconds: Int64 { SystemCalls.uptimeSeconds() }

  package func arm(at instant: Timestamp?) {
    armed = instant
    rearm()
  }

  private func rearm() {
    do {
      try setTimer()
    } catch  where error.code == .canceled {
      // The clock jumped before this call, which consumed the report. The timer is armed all the
      // same.
      loop.beforeWaiting { [weak self] in self?.tellJump() }
    } catch {
      preconditionFailure("the timer of the clock is ours and the instant in range: \(error)")
    }
  }

  private func setTimer() throws(SystemError) {
    try SystemCalls.setTimer(timer.number, seconds: Self.timerSeconds(for: armed))
  }

  /// Returns the seconds to set the timer to; nil arms it far ahead.
  ///
  /// Never earlier than the instant: a timer that fires too early is set again and fires again
  /// without end. The kernel limits later times to a day in 2262.
  static func timerSeconds(for instant: Timestamp?) -> Int64 {
    // 0 would disarm the timer. A past instant fires at once.
    max(instant ?? .latest, Timestamp(seconds: 1)).seconds
  }

  private func tellJump() {
    let before = suspended
    suspended = suspendedNanoseconds()
    wake?(suspended - before >= RealtimeClock.shortestSuspend ? .resumed : .jumped)
  }

  private func timerFired() {
    var expirations: UInt64 = 0
    do {
      _ = try withUnsafeMutableBytes(of: &expirations) { (buffer) throws(SystemError) in
        try SystemCalls.read(timer.number, into: buffer)
      }
    } catch  where error.code == .canceled {
      rearm()
      tellJump()
      return
    } catch {
      // EAGAIN: the timer was set to a later time meanwhile.
      return
    }
    guard let instant = armed, instant <= now else { return rearm() }
    arm(at: nil)
    wake?(.due)
  }
}
