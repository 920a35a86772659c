/// The number of reminders in the batch of one tick: as many as take about
/// ``budgetNanoseconds``.
///
/// A tick writes twice to the disk however few they are, so the number follows
/// the time that ticks take: halved after one that took too long, doubled after a
/// full one that took less than half of the budget.
struct TickBatch {
  static let budgetNanoseconds: Int64 = 20_000_000
  private static let most = 500

  private(set) var limit: Int
  private let fewest: Int

  /// - Parameter fewest: never less than this, and not less than 20.
  init(fewest: Int) {
    self.fewest = max(fewest, 20)
    limit = max(self.fewest, 100)
  }

  /// Learns how long a tick took.
  ///
  /// - Parameter isFull: whether it dealt with as many as it might.
  mutating func learn(nanoseconds: Int64, isFull: Bool) {
    if nanoseconds > TickBatch.budgetNanoseconds {
      limit = max(fewest, limit / 2)
    } else if isFull, nanoseconds < TickBatch.budgetNanoseconds / 2 {
      limit = max(limit, min(limit * 2, TickBatch.most))
    }
  }
}
