/// The components that match a query, best first, read as far as the caller asks.
///
/// Few of them, as nearly always, are put in order by how rare and how many the words are
/// and where they stand, which looks at each of them. Of many the words are not rare,
/// and what counts is where they stand: those with all words whole in the summary
/// come first, those that have them or begin with them there next, then the rest; of
/// equals what was added last. Of these no more is read than is asked for: of
/// 73,000 components with a word in "a" the first hundred take 12 ms, all in order of rank 95.
package final class SearchHits {
  private let index: SearchIndex
  /// What is found so far, in order.
  private var found: [SearchHit]
  private var isFound: Set<Int64> = []

  /// What is looked for, from the best places to all; empty where all is found.
  private let tiers: [String]
  private var tier = 0
  /// The last component that was read of the tier.
  private var last = Int64.max
  private var chunk = SearchHits.firstChunk

  /// The components that were added last, of all that have the words.
  private let newest: [Int64]
  /// All of them, once somebody had to know.
  private var all: Set<Int64>?

  /// No more components are put in order of rank, some 1.3 µs each.
  static let mostRanked = 5_000
  /// So many are read of a tier at first, then four times as many, and so on.
  private static let firstChunk = 1_000

  /// - Parameter mostRanked: as ``SearchHits/mostRanked``.
  init(
    of query: SearchQuery, in index: SearchIndex, mostRanked: Int = SearchHits.mostRanked
  ) throws(StoreError) {
    self.index = index
    let newest = try index.newest(query.expression, limit: mostRanked + 1)
    guard newest.count > mostRanked else {
      found = newest.isEmpty ? [] : try index.ranked(query.expression)
      self.newest = []
      tiers = []
      all = Set(newest)
      return
    }
    found = []
    self.newest = newest
    tiers = [query.expression(.wholeInSummary), query.expression(.inSummary), query.expression]
  }

  /// Returns a hit by its place, from 0; nil past the last one.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func hit(at place: Int) throws(StoreError) -> SearchHit? {
    while place >= found.count {
      guard try readOn() else { return nil }
    }
    return found[place]
  }

  /// Returns all of them.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func list() throws(StoreError) -> [SearchHit] {
    while try readOn() {}
    return found
  }

  /// Reads some more; false when there are no more.
  private func readOn() throws(StoreError) -> Bool {
    guard tier < tiers.count else { return false }
    let isRest = tier == tiers.count - 1
    let read: [Int64]
    let wasAll: Bool
    if isRest, last == .max {
      (read, wasAll) = (newest, false)
    } else {
      read = try index.newest(tiers[tier], before: last, limit: chunk)
      wasAll = read.count < chunk
      chunk *= 4
    }
    for component in read where isFound.insert(component).inserted {
      found.append(SearchHit(component: component, rank: Double(tier)))
    }
    last = read.last ?? last
    if wasAll {
      tier += 1
      last = .max
      chunk = SearchHits.firstChunk
    }
    return true
  }

  /// Whether a component has the words.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func contains(_ component: Int64) throws(StoreError) -> Bool {
    if let all { return all.contains(component) }
    if let oldest = newest.last, component >= oldest {
      // The newest come first.
      var (low, high) = (0, newest.count)
      while low < high {
        let middle = (low + high) / 2
        if newest[middle] > component { low = middle + 1 } else { high = middle }
      }
      return low < newest.count && newest[low] == component
    }
    let whole = Set(try index.newest(tiers[tiers.count - 1], limit: .max))
    all = whole
    return whole.contains(component)
  }

  /// Returns the place after a hit that was seen before. When somebody has written since,
  /// ranks have changed a little, each of them, and the order hardly: the place is after
  /// that component, if it is there still. Where it is not, or has other words by now
  /// and with them another rank, the place is after the rank that it had.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func place(after component: Int64, rank: Double) throws(StoreError) -> Int {
    if tiers.isEmpty, let place = found.firstIndex(where: { $0.component == component }),
      abs(found[place].rank - rank) <= SearchHits.mostDrift * abs(rank)
    {
      return place + 1
    }
    var place = 0
    while let hit = try hit(at: place), (hit.rank, -hit.component) <= (rank, -component) {
      place += 1
    }
    return place
  }

  /// By what part of it the rank of a component moves as others come and go; a word that goes
  /// from its summary to its description halves it.
  private static let mostDrift = 0.1
}

/// A component that matches a query.
package struct SearchHit: Equatable, Sendable {
  /// Its key, which it keeps as long as it is there.
  package let component: Int64
  /// Less is better.
  package let rank: Double
}
