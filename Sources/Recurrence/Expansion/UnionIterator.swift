internal import CivilTime

/// Merges the instances of all rules and the added ones, ascending, each instant once.
struct UnionIterator {
  private var iterators: [InstanceIterator]
  /// The next instance of each iterator; nil at its end.
  private var heads: [RecurrenceInstance?]
  private let added: [RecurrenceInstance]
  private var addedIndex: Int
  private var emitted: Timestamp?

  /// - Parameter until: The last instant needed; some later ones may be returned.
  init(_ set: RecurrenceSet, from: Timestamp, until: Timestamp) {
    iterators = set.plans.map { InstanceIterator($0, zone: set.zone, from: from, until: until) }
    heads = []
    added = set.added
    addedIndex = UnionIterator.index(of: from, in: added)
    for index in iterators.indices { heads.append(iterators[index].next()) }
  }

  /// The index of the first instance at or after an instant; there may be ten thousand.
  private static func index(of from: Timestamp, in added: [RecurrenceInstance]) -> Int {
    var (low, high) = (0, added.count)
    while low < high {
      let middle = (low + high) / 2
      if added[middle].instant < from { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func next() -> RecurrenceInstance? {
    while true {
      var least = addedIndex < added.count ? added[addedIndex] : nil
      var source = -1
      for index in heads.indices {
        guard let head = heads[index] else { continue }
        if least.map({ head.instant < $0.instant }) ?? true { (least, source) = (head, index) }
      }
      guard let instance = least else { return nil }
      if source < 0 { addedIndex += 1 } else { heads[source] = iterators[source].next() }
      if instance.instant != emitted {
        emitted = instance.instant
        return instance
      }
    }
  }
}

/// Tells for ascending instants whether an EXRULE excludes them.
struct ExclusionCursor {
  private var iterators: [InstanceIterator]
  private var heads: [RecurrenceInstance?]

  /// - Parameter until: The last instant that will be asked for.
  init(_ set: RecurrenceSet, from: Timestamp, until: Timestamp) {
    iterators = set.exclusionPlans.map {
      InstanceIterator($0, zone: set.zone, from: from, until: until)
    }
    heads = []
    for index in iterators.indices { heads.append(iterators[index].next()) }
  }

  mutating func contains(_ instant: Timestamp) -> Bool {
    var isFound = false
    for index in heads.indices {
      while let head = heads[index], head.instant < instant {
        heads[index] = iterators[index].next()
      }
      if heads[index]?.instant == instant { isFound = true }
    }
    return isFound
  }
}
