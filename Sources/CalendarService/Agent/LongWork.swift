import Platform

/// Runs long work in batches, between which calls are answered and reminders delivered.
///
/// Callers take turns, a batch each; works of one caller run one after the other. Each uses memory,
/// so their number is limited: see ``hasRoom(for:)``.
final class LongWork {
  private typealias Step = () -> Bool

  private let loop: EventLoop
  /// The works of each caller; no list is empty.
  private var works: [String: [Step]] = [:]
  /// The callers in the order of their turns, each once.
  private var turns: [String] = []
  private var isPlanned = false
  private var isWorking = false
  private let pieceNanoseconds: Int64

  /// The most works of one caller, running or waiting.
  static let maximumOfOneCaller = 2
  /// The most works of all callers.
  static let maximum = 16

  /// - Parameter pieceNanoseconds: how long a batch may take; a single step may take longer.
  init(loop: EventLoop, pieceNanoseconds: Int64 = 5_000_000) {
    self.loop = loop
    self.pieceNanoseconds = pieceNanoseconds
  }

  /// Whether a caller may start more work.
  func hasRoom(for caller: String) -> Bool {
    works[caller]?.count ?? 0 < LongWork.maximumOfOneCaller
      && works.values.reduce(0) { $0 + $1.count } < LongWork.maximum
  }

  /// Runs `step` until it returns false.
  ///
  /// If no other work is running, the first batch runs at once, so that short work is done when
  /// this returns.
  func run(for caller: String, _ step: @escaping () -> Bool) {
    if works[caller] == nil { turns.append(caller) }
    works[caller, default: []].append(step)
    if !isPlanned, !isWorking { goOn() }
  }

  private func goOn() {
    isWorking = true
    defer { isWorking = false }
    let end = SystemCalls.monotonicNanoseconds() + pieceNanoseconds
    while let caller = turns.first, let step = works[caller]?.first {
      let goesOn = step()
      let isOver = SystemCalls.monotonicNanoseconds() >= end
      if !goesOn { works[caller]?.removeFirst() }
      if works[caller]?.isEmpty == true { works[caller] = nil }
      if !goesOn || isOver {
        turns.removeFirst()
        if works[caller] != nil { turns.append(caller) }
      }
      if isOver { break }
    }
    guard !turns.isEmpty else { return }
    isPlanned = true
    loop.beforeWaiting { [weak self] in
      self?.isPlanned = false
      self?.goOn()
    }
  }
}

/// The time of a batch of work on the store, during which other callers wait.
struct WorkSlice {
  private let end = SystemCalls.monotonicNanoseconds() + WorkSlice.nanoseconds

  /// How long a batch takes, about.
  static let nanoseconds: Int64 = 10_000_000

  /// Whether its time is over.
  func isOver() -> Bool { SystemCalls.monotonicNanoseconds() >= end }
}
