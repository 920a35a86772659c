package import CivilTime

/// The range of the instances that one rule of a set has by itself.
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

  /// Returns the instances that one rule has by itself at or after an instant.
  package func instances(
    ofRule rule: Int, from instant: Timestamp, limit: Int
  ) -> [RecurrenceInstance] {
    var iterator = InstanceIterator(plans[rule], zone: zone, from: instant)
    var found: [RecurrenceInstance] = []
    while found.count < limit, let next = iterator.next() {
      if next.instant >= instant { found.append(next) }
    }
    return found
  }

  /// Returns how many readings COUNT has counted before one; nil if there are
  /// more than a hundred thousand.
  ///
  /// - Parameter rule: The place of the rule among those of the set.
  package func count(ofRule rule: Int, before reading: CivilDateTime) -> Int? {
    var iterator = RuleIterator(plans[rule], from: .min)
    var count = 0
    while let next = iterator.next(), next < reading.linearSeconds {
      count += 1
      if count > 100_000 { return nil }
    }
    return count
  }

  /// Returns the last reading that a rule can have, as COUNT or UNTIL ends it.
  package func lastReading(ofRule rule: Int) -> CivilDateTime {
    CivilDateTime(linearSeconds: plans[rule].last) ?? CivilDateTime(.latest, .midnight)
  }
}
