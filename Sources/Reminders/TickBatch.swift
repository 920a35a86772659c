/// The number of reminders in one tick: as many as take about ``budgetNanoseconds``.
///
/// A tick writes to the disk twice, however few there are, so the number follows the time that
/// ticks take: halved after a slow tick, doubled after a full one under half the budget.
struct TickBatch {
  static let budgetNanoseconds: Int64 = 20_000_000
  private static let most = 500

  private(set) var limit: Int
  private let fewest: Int

  /// - Parameter fewest: The smallest batch; at least 20.
  init(fewest: Int) {
    self.fewest = max(fewest, 20)
    limit = max(self.fewest, 100)
  }

  /// Adjusts the batch to the duration of a tick.
  ///
  /// - Parameter isFull: Whether the tick handled a full batch.
  mutating func learn(nanoseconds: Int64, isFull: Bool) {
    if nanoseconds > TickBatch.budgetNanoseconds {
      limit = max(fewest, limit / 2)
    } else if isFull, nanoseconds < TickBatch.budgetNanoseconds / 2 {
      limit = max(limit, min(limit * 2, TickBatch.most))
    }
  }
}
