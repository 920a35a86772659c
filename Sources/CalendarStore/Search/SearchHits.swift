import CivilTime

/// The components that match a query, best first, read only as far as needed.
///
/// A few hits are all ranked by FTS5. With many hits the words are common, and only their position
/// counts: first all words whole in the summary, then all words or their beginnings there, then the
/// rest; newer ones first. The first hundred of 73,000 such hits take 12 ms, ranking all takes 95.
package final class SearchHits {
  private let index: SearchIndex
  /// The hits so far, in order.
  private var found: [SearchHit]
  private var isFound: Set<Int64> = []

  /// The queries from the best position to any; empty if all hits are in ``found``.
  private let tiers: [String]
  private var tier = 0
  /// The last component read in the current tier.
  private var last = Int64.max
  private var chunk = SearchHits.firstChunk

  /// The newest components that match anywhere; empty if all hits are in ``found``.
  private let newest: [Int64]
  /// All matching components, once needed.
  private var all: Set<Int64>?

  /// The most components that are ranked, at about 1.3 µs each.
  static let mostRanked = 5_000
  /// The components read first in a tier; each further read takes four times as many.
  private static let firstChunk = 1_000

  /// Runs a query.
  ///
  /// - Parameter mostRanked: see ``SearchHits/mostRanked``.
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

  /// Returns the hit at an index from 0; nil past the last one.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func hit(at place: Int) throws(StoreError) -> SearchHit? {
    while place >= found.count {
      guard try readOn() else { return nil }
    }
    return found[place]
  }

  /// Returns all hits.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func list() throws(StoreError) -> [SearchHit] {
    while try readOn() {}
    return found
  }

  /// Reads more hits; false if there are no more.
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

  /// Whether a component matches the query.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func contains(_ component: Int64) throws(StoreError) -> Bool {
    if let all { return all.contains(component) }
    if let oldest = newest.last, component >= oldest {
      // Sorted by descending key.
      let index = newest.partitioningIndex { $0 <= component }
      return index < newest.count && newest[index] == component
    }
    let whole = Set(try index.newest(tiers[tiers.count - 1], limit: .max))
    all = whole
    return whole.contains(component)
  }

  /// Returns the index after a hit that was seen earlier.
  ///
  /// After a write, ranks differ a little but the order hardly. If the component is gone, or its
  /// rank has changed much because its words have, the index is after its former rank.
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

  /// The largest relative change of rank caused by other components.
  ///
  /// A word that moves from the summary to the description halves the rank.
  private static let mostDrift = 0.1
}

/// A component that matches a query.
package struct SearchHit: Equatable, Sendable {
  /// Its key in `components`.
  package let component: Int64
  /// Lower is better.
  package let rank: Double
}
