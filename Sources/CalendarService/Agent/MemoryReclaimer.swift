import Platform

/// Gives memory back to the system.
final class MemoryReclaimer {
  private let loop: EventLoop
  private var isReleasing = false

  init(loop: EventLoop) { self.loop = loop }

  /// Gives back the memory that something large has used, after a short delay: the next page would
  /// use it again, and giving it back takes some milliseconds.
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
