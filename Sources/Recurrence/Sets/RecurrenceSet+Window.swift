package import CivilTime

extension RecurrenceSet {
  /// Hands over the instances at or after an instant, ascending, each once,
  /// until `body` returns false or there are no more.
  ///
  /// - Complexity: The first costs the same wherever it lies; COUNT was counted
  ///   when the set was made. A rule that never matches ends at the year 9999, and
  ///   the set ends where ``longestExclusion`` instances in a row are excluded.
  ///
  /// - Parameters:
  ///   - until: The last instant of interest: nothing is walked past behind it,
  ///     excluded or not.
  ///   - budget: Pays for what is excluded; the walk ends where it is spent. What is
  ///     handed over is paid for by who gets it.
  package func forEachInstance(
    from: Timestamp, until: Timestamp = Timestamp(seconds: .max), budget: WalkBudget? = nil,
    _ body: (RecurrenceInstance) -> Bool
  ) {
    let isPlain = excludedInstants.isEmpty && excludedDays.isEmpty && exclusionPlans.isEmpty
    if plans.count == 1, added.isEmpty, isPlain {
      var iterator = InstanceIterator(plans[0], zone: zone, from: from, until: until)
      while let instance = iterator.next() {
        if instance.instant.seconds < from.seconds { continue }
        if instance.instant.seconds > until.seconds || !body(instance) { return }
      }
      return
    }
    var from = from
    var union = UnionIterator(self, from: from, until: until)
    var exclusions = ExclusionCursor(self, from: from, until: until)
    var excludedInARow = 0
    while let instance = union.next() {
      if instance.instant < from { continue }
      if instance.instant > until { return }
      guard isExcluded(instance) || exclusions.contains(instance.instant) else {
        excludedInARow = 0
        if !body(instance) { return }
        continue
      }
      if let budget, !budget.take() { return }
      excludedInARow += 1
      if excludedInARow == RecurrenceSet.longestExclusion { return }
      if excludedInARow.isMultiple(of: 50), let end = endOfExcludedDay(instance) {
        // A rule of seconds would be walked through to the end of the day.
        from = end
        union = UnionIterator(self, from: from, until: until)
        exclusions = ExclusionCursor(self, from: from, until: until)
      }
    }
  }

  /// No walk of seconds finds out before the year 9999 that an EXRULE leaves
  /// nothing. So many minutes are three months and so many days 400 years.
  static let longestExclusion = 150_000

  private func endOfExcludedDay(_ instance: RecurrenceInstance) -> Timestamp? {
    let day = instance.reading.date
    guard RecurrenceSet.contains(day, in: excludedDays), let next = day.adding(days: 1) else {
      return nil
    }
    let end = zone.startOfDay(next)
    return end > instance.instant ? end : nil
  }

  /// Returns the instances that begin in a span, ascending, at most `limit`.
  package func instances(in span: TimeSpan, limit: Int = .max) -> [RecurrenceInstance] {
    var found: [RecurrenceInstance] = []
    guard limit > 0 else { return found }
    forEachInstance(from: span.start, until: span.end) { instance in
      guard instance.instant < span.end else { return false }
      found.append(instance)
      return found.count < limit
    }
    return found
  }

  /// Returns the first instance at or after an instant; nil if there is none.
  ///
  /// - Parameter until: The last instant of interest.
  package func first(
    atOrAfter instant: Timestamp, until: Timestamp = Timestamp(seconds: .max)
  ) -> RecurrenceInstance? {
    var found: RecurrenceInstance?
    forEachInstance(from: instant, until: until) {
      found = $0
      return false
    }
    return found
  }

  /// Returns whether something happens at exactly this instant.
  package func contains(_ instant: Timestamp) -> Bool {
    first(atOrAfter: instant, until: instant) != nil
  }

  /// Returns the last instance before an instant; nil if there is none.
  ///
  /// Looks into a window before the instant, widens it until something is in it,
  /// and halves it from there: a rule by the second is not walked through.
  package func last(before instant: Timestamp) -> RecurrenceInstance? {
    guard let earliest = firstPossible, earliest < instant else { return nil }
    // Beyond the last reading of a rule nothing is looked for.
    let end = min(instant, lastPossible.adding(seconds: 1))
    var width = shortestStep
    while true {
      let start = max(earliest, end.adding(seconds: -width))
      if let found = last(from: start, before: end) { return found }
      if start == earliest { return nil }
      width *= 4
    }
  }

  private func last(from start: Timestamp, before end: Timestamp) -> RecurrenceInstance? {
    guard var found = first(atOrAfter: start, until: end), found.instant < end else { return nil }
    var limit = end.seconds
    while limit - found.instant.seconds > 1 {
      let middle = found.instant.seconds + (limit - found.instant.seconds) / 2
      if let later = first(atOrAfter: Timestamp(seconds: middle), until: end), later.instant < end {
        found = later
      } else {
        limit = middle
      }
    }
    return found
  }

  /// Returns the last instance of all; nil if a rule goes on for ever, or if
  /// there is none.
  package func lastInstance() -> RecurrenceInstance? {
    isBounded ? last(before: lastPossible.adding(seconds: 1)) : nil
  }

  /// Whether a walk may pass by many instances that an EXRULE takes away.
  package var hasExclusionRules: Bool { !exclusionPlans.isEmpty }

  /// Whether a walk may end among instances that EXDATEs take away.
  package var hasExcludedDates: Bool { !excludedInstants.isEmpty || !excludedDays.isEmpty }

  /// An instant before which nothing happens; nil if nothing ever does.
  package var firstPossible: Timestamp? {
    let starts = plans.filter { $0.shape != .nothing || $0.includesStart }
      .map { Timestamp(seconds: $0.start - 26 * 3600) }
    return (starts + added.prefix(1).map(\.instant)).min()
  }

  /// An instant after which nothing happens.
  package var lastPossible: Timestamp {
    let ends = plans.map { plan in
      // The start may be the one instance of a rule that matches nothing.
      Timestamp(seconds: max(plan.shape == .nothing ? .min : plan.last, plan.start) + 26 * 3600)
    }
    return (ends + added.suffix(1).map(\.instant)).max() ?? .earliest
  }

  /// About how many seconds lie between two instances.
  private var shortestStep: Int64 {
    let steps = plans.map { plan -> Int64 in
      switch plan.shape {
      case .pattern, .clock: Int64(plan.step)
      case .days, .weeks: Int64(plan.step) * 86_400
      case .months: Int64(plan.step) * 31 * 86_400
      case .years: Int64(plan.step) * 366 * 86_400
      case .nothing: 86_400
      }
    }
    return 2 * (steps.min() ?? 86_400)
  }
}
