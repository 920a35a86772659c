/// Notices that a server does not answer: calls that wait for as long as it takes have no other end.
///
/// What counts is that anything at all comes back. One that has thousands to show may be long about the
/// last of them. What was asked of a server that has been replaced may never be answered, and is not waited
/// for.
final class PendingReplies {
  /// Whether nothing has been answered for so long, though something was asked.
  private(set) var isOverdue = false
  /// Whether something was asked that has not been answered.
  var areAwaited: Bool { count > 0 }
  let patienceMilliseconds: Int
  private let onOverdue: () -> Void
  private let later: Later
  /// The number of the server that is asked.
  private(set) var server = 0
  private var count = 0
  private var cancel: (() -> Void)?

  /// Runs something after so many milliseconds, and returns what ends that.
  typealias Later = (_ milliseconds: Int, _ body: @escaping () -> Void) -> (() -> Void)

  /// - Parameter onOverdue: called each time that ``isOverdue`` becomes true.
  init(patienceMilliseconds: Int, later: @escaping Later, onOverdue: @escaping () -> Void) {
    self.patienceMilliseconds = patienceMilliseconds
    self.later = later
    self.onOverdue = onOverdue
  }

  /// Something was asked of ``server``.
  func asked() {
    count += 1
    if count == 1 { wait() }
  }

  /// Something was answered, or will not be any more.
  ///
  /// - Parameter asked: the ``server`` when it was asked. One that was replaced says nothing of the other.
  func answered(by asked: Int) {
    guard asked == server else { return }
    count -= 1
    stopWaiting()
    if count > 0 { wait() }
  }

  /// Another server is asked from now on.
  func serverChanged() {
    server += 1
    count = 0
    stopWaiting()
  }

  private func stopWaiting() {
    isOverdue = false
    cancel?()
    // An idle agent must not wake up for what has come.
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
