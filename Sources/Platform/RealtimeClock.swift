package import CivilTime

/// ``WallClock`` over one timerfd on CLOCK_REALTIME.
///
/// The timer is always armed, far ahead when nothing is asked for, because only
/// an armed timer tells of a jump: the kernel cancels it when the clock is set
/// and when the machine comes back from suspend.
///
/// Source: timerfd_create(2), TFD_TIMER_CANCEL_ON_SET.
package final class RealtimeClock: WallClock {
  package var wake: ((WakeReason) -> Void)?

  private let timer: FileDescriptor
  private let loop: EventLoop
  private var watch: DescriptorWatch?
  private var armed: Timestamp?

  /// The kernel takes instants to about the year 2262.
  private static let farAhead = Timestamp(seconds: 9_000_000_000)

  /// - Throws: ``SystemError`` if there are too many descriptors.
  package init(loop: EventLoop) throws(SystemError) {
    self.loop = loop
    timer = FileDescriptor(owning: try SystemCalls.makeTimer())
    try setTimer()
    watch = try loop.watch(timer.number, for: .read) { [weak self] _ in self?.timerFired() }
  }

  deinit {
    if let watch { loop.cancel(watch) }
  }

  package var now: Timestamp { Timestamp(seconds: SystemCalls.realtimeSeconds()) }

  package func arm(at instant: Timestamp?) {
    armed = instant
    rearm()
  }

  private func rearm() {
    do {
      try setTimer()
    } catch  where error.code == .canceled {
      // The clock jumped before this call, and its telling was used up by it; the
      // timer is armed all the same.
      loop.beforeWaiting { [weak self] in self?.wake?(.jumped) }
    } catch {
      preconditionFailure("the timer of the clock is ours and the instant in range: \(error)")
    }
  }

  private func setTimer() throws(SystemError) {
    // 0 would disarm. An instant that has passed fires at once.
    let instant = min(max(armed ?? Self.farAhead, Timestamp(seconds: 1)), Self.farAhead)
    try SystemCalls.setTimer(timer.number, seconds: instant.seconds)
  }

  private func timerFired() {
    var expirations: UInt64 = 0
    do {
      _ = try withUnsafeMutableBytes(of: &expirations) { (buffer) throws(SystemError) in
        try SystemCalls.read(timer.number, into: buffer)
      }
    } catch  where error.code == .canceled {
      rearm()
      wake?(.jumped)
      return
    } catch {
      // EAGAIN: what made it ready was replaced by a later instant meanwhile.
      return
    }
    guard let instant = armed, instant <= now else { return rearm() }
    arm(at: nil)
    wake?(.due)
  }
}
