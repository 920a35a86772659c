package import CivilTime

/// Where the instances lie that one rule of a set has by itself.
package struct RuleReach: Hashable, Sendable {
  /// Its first instance; nil if it has none.
  package let first: Timestamp?
  /// Its first instance at or after the instant that was asked for; nil if it
  /// ended before.
  package let next: RecurrenceInstance?
}

extension RecurrenceSet {
  /// Returns for each rule, in their order, what it has by itself around an
  /// instant: whether or not another rule, an added or an excluded date has the
  /// same.
  package func reaches(at instant: Timestamp) -> [RuleReach] {
    plans.map { plan in
      var all = InstanceIterator(plan, zone: zone, from: .earliest)
      var later = InstanceIterator(plan, zone: zone, from: instant)
      var next = later.next()
      while let found = next, found.instant < instant { next = later.next() }
      return RuleReach(first: all.next()?.instant, next: next)
    }
  }
}
