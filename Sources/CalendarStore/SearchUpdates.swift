import CalendarModel

/// Keeps the words in step with the components, in an order that FTS5 likes.
///
/// It gathers rows in memory as long as their keys grow, and writes out what it has
/// when one goes back. A series that is written anew would make it do so twice: its
/// old components are taken out, which have low keys, and the new ones filed. So
/// once something was taken out in a transaction, what is to be filed waits for its end.
/// An import that changes 10,000 events takes a third less time for it.
final class SearchUpdates {
  private let index: SearchIndex
  /// In the order in which they were written; some have been removed since.
  private var waiting: [Int64] = []
  private var isWaiting: Set<Int64> = []
  /// Whether anything was taken out in this transaction.
  private var hasRemoved = false

  init(_ index: SearchIndex) {
    self.index = index
  }

  /// To be called when a component has been written, which then has the last key.
  func wrote(_ component: PreparedComponent, series: Int64) throws(StoreError) {
    guard let words = component.words else { return }
    guard hasRemoved else { return try index.insert(words, component: index.database.lastKey) }
    keepWaiting(series)
  }

  /// To be called when all components of a series have been copied in one go. They wait in
  /// any case: the statement that copies them may write several rows, and so SQLite makes a
  /// savepoint for the next one, at which FTS5 would write out what it has gathered.
  func wrote(series: Int64) {
    keepWaiting(series)
  }

  private func keepWaiting(_ series: Int64) {
    if isWaiting.insert(series).inserted { waiting.append(series) }
  }

  /// To be called before the components of a series are deleted.
  func willDelete(series: Int64) throws(StoreError) {
    if isWaiting.remove(series) != nil { return }
    hasRemoved = true
    try index.remove(series: series)
  }

  /// Files what waits; to be called before the transaction is committed.
  func finish() throws(StoreError) {
    for series in waiting where isWaiting.remove(series) != nil {
      try index.insert(series: series)
    }
    forget()
  }

  /// Forgets what waits, as after a transaction that was undone.
  func forget() {
    waiting = []
    isWaiting = []
    hasRemoved = false
  }
}
