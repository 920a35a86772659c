import Platform

/// Gives memory back to the system.
final class MemoryReclaimer {
  private let loop: EventLoop
  private var isReleasing = false

  init(loop: EventLoop) { self.loop = loop }

  /// Gives back what memory something large has used for a while, in a moment: who asks for the
  /// next part of it would use it again, and to give it back takes some milliseconds.
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
