import Platform

/// Returns free memory to the system.
final class MemoryReclaimer {
  private let loop: EventLoop
  private var isReleasing = false

  init(loop: EventLoop) { self.loop = loop }

  /// Returns free memory after a short delay, since the next page of an answer would use it again.
  func releaseSoon() {
    guard !isReleasing else { return }
    isReleasing = true
    loop.after(milliseconds: MemoryReclaimer.releaseMilliseconds) { [weak self] in
      self?.isReleasing = false
      SystemCalls.releaseFreeMemory()
    }
  }

  private static let releaseMilliseconds = 100
}
