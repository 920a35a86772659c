import Platform

/// Work that would keep others waiting: it is done piece by piece, and between two pieces
/// the loop turns once, so that callers are answered and reminders told.
///
/// One piece of work comes after the other, in the order in which they were asked for: so
/// thousands of them hold one table each and no more.
final class LongWork {
  private let loop: EventLoop
  private var steps: [() -> Bool] = []
  private var isPlanned = false

  /// How long one piece may take, as far as steps can be told apart.
  private static let pieceNanoseconds: Int64 = 5_000_000

  init(loop: EventLoop) {
    self.loop = loop
  }

  /// Runs `step` until it returns false; the first piece at once, where nothing else is
  /// under way. So what is small is done when this returns.
  func run(_ step: @escaping () -> Bool) {
    steps.append(step)
    if steps.count == 1 { goOn() }
  }

  private func goOn() {
    let end = SystemCalls.monotonicNanoseconds() + LongWork.pieceNanoseconds
    while let step = steps.first {
      if !step() { steps.removeFirst() }
      if SystemCalls.monotonicNanoseconds() > end { break }
    }
    guard !steps.isEmpty, !isPlanned else { return }
    isPlanned = true
    loop.beforeWaiting { [weak self] in
      self?.isPlanned = false
      self?.goOn()
    }
  }
}
