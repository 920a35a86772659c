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
    addedIndex = added.partitioningIndex { $0.instant >= from }
    for index in iterators.indices { heads.append(iterators[index].next()) }
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
