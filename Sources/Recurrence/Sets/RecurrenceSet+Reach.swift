package import CivilTime

/// The instances of one rule of a set around an instant, ignoring its other parts.
package struct RuleReach: Hashable, Sendable {
  /// Its first instance; nil if it has none.
  package let first: Timestamp?
  /// Its first instance at or after the instant; nil if it has ended before.
  package let next: RecurrenceInstance?
}

extension RecurrenceSet {
  /// Returns what each rule has by itself around an instant, in the order of the rules.
  ///
  /// Other rules, and added and excluded dates, are ignored.
  package func reaches(at instant: Timestamp) -> [RuleReach] {
    plans.map { plan in
      var all = InstanceIterator(plan, zone: zone, from: .earliest)
      var later = InstanceIterator(plan, zone: zone, from: instant)
      var next = later.next()
      while let found = next, found.instant < instant { next = later.next() }
      return RuleReach(first: all.next()?.instant, next: next)
    }
  }

  /// Returns the instances that one rule has by itself, from an instant on.
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

  /// Returns how many readings COUNT has counted before one; nil if more than a hundred thousand.
  ///
  /// - Parameter rule: The index of the rule in the set.
  package func count(ofRule rule: Int, before reading: CivilDateTime) -> Int? {
    var iterator = RuleIterator(plans[rule], from: .min)
    var count = 0
    while let next = iterator.next(), next < reading.linearSeconds {
      count += 1
      if count > 100_000 { return nil }
    }
    return count
  }

  /// Returns the last possible reading of a rule, from COUNT or UNTIL.
  package func lastReading(ofRule rule: Int) -> CivilDateTime {
    CivilDateTime(linearSeconds: plans[rule].last) ?? CivilDateTime(.latest, .midnight)
  }
}
