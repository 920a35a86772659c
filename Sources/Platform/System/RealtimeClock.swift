package import CivilTime

/// ``WallClock`` over one timerfd on CLOCK_REALTIME.
///
/// The timer is always armed, far ahead when nothing is asked for, because only
/// an armed timer tells of a jump: the kernel cancels it when the clock is set
/// and when the machine comes back from suspend. Which of them it was, the clocks tell that
/// stand still in suspend and do not: no other program need be asked, nor be there to ask.
///
/// Source: timerfd_create(2), TFD_TIMER_CANCEL_ON_SET; clock_gettime(2), CLOCK_BOOTTIME.
package final class RealtimeClock: WallClock {
  package var wake: ((WakeReason) -> Void)?

  private let timer: FileDescriptor
  private let loop: EventLoop
  private var watch: DescriptorWatch?
  private var armed: Timestamp?
  private let suspendedNanoseconds: () -> Int64
  /// What ``suspendedNanoseconds`` was when it was looked at last.
  private var suspended: Int64

  /// Two clocks that are read one after the other differ a little; no machine sleeps so briefly.
  private static let shortestSuspend: Int64 = 50_000_000

  /// - Parameter suspendedNanoseconds: how long the machine has been suspended since it booted.
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
      // The clock jumped before this call, and its telling was used up by it; the
      // timer is armed all the same.
      loop.beforeWaiting { [weak self] in self?.tellJump() }
    } catch {
      preconditionFailure("the timer of the clock is ours and the instant in range: \(error)")
    }
  }

  private func setTimer() throws(SystemError) {
    try SystemCalls.setTimer(timer.number, seconds: Self.timerSeconds(for: armed))
  }

  /// Returns what the timer is set to for an instant; nil is none.
  ///
  /// It is never earlier than the instant: a timer that fires before its time is set again and
  /// fires again, without end. The kernel takes what is later than it can count, some day of the
  /// year 2262, for that day, which no clock of it reaches.
  static func timerSeconds(for instant: Timestamp?) -> Int64 {
    // 0 would disarm. An instant that has passed fires at once.
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
      // EAGAIN: what made it ready was replaced by a later instant meanwhile.
      return
    }
    guard let instant = armed, instant <= now else { return rearm() }
    arm(at: nil)
    wake?(.due)
  }
}
