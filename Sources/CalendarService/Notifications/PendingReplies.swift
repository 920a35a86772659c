/// The calls to the notification server without a reply, to notice a server that hangs.
///
/// The calls have no timeout. Any reply shows that the server works: with thousands to show, the
/// last reply may take long. Calls to a server that was replaced do not count.
final class PendingReplies {
  /// Whether there are calls, but no reply for too long.
  private(set) var isOverdue = false
  /// Whether there are calls without a reply.
  var areAwaited: Bool { count > 0 }
  let patienceMilliseconds: Int
  private let onOverdue: () -> Void
  private let later: Later
  /// The number of the present server.
  private(set) var server = 0
  private var count = 0
  private var cancel: (() -> Void)?

  /// Runs a function after some milliseconds, and returns a function that cancels it.
  typealias Later = (_ milliseconds: Int, _ body: @escaping () -> Void) -> (() -> Void)

  /// - Parameter onOverdue: called each time that ``isOverdue`` becomes true.
  init(patienceMilliseconds: Int, later: @escaping Later, onOverdue: @escaping () -> Void) {
    self.patienceMilliseconds = patienceMilliseconds
    self.later = later
    self.onOverdue = onOverdue
  }

  /// Records a call to ``server``.
  func asked() {
    count += 1
    if count == 1 { wait() }
  }

  /// Records a reply, or that there will be none.
  ///
  /// - Parameter asked: the ``server`` at the call; a reply of a replaced server is ignored.
  func answered(by asked: Int) {
    guard asked == server else { return }
    count -= 1
    stopWaiting()
    if count > 0 { wait() }
  }

  /// Records that calls go to another server from now on.
  func serverChanged() {
    server += 1
    count = 0
    stopWaiting()
  }

  private func stopWaiting() {
    isOverdue = false
    cancel?()
    // An idle agent must not wake up for a reply that came.
    cancel = nil
  }

  private func wait() {
    cancel = later(patienceMilliseconds) { [weak self] in
      guard let self else { return }
      cancel = nil
      isOverdue = true
      onOverdue()
    }
  }
}
