package import CivilTime

extension RecurrenceSet {
  /// Calls `body` with the instances from an instant on, ascending, until it returns false.
  ///
  /// A rule that never matches ends at the year 9999, and the set ends after ``longestExclusion``
  /// excluded instances in a row.
  ///
  /// - Parameters:
  ///   - until: The last instant needed; the walk goes no further.
  ///   - budget: Is charged for excluded instances; the walk ends when it is spent. The caller
  ///     charges for the others.
  /// - Complexity: The first instance takes the same time wherever it is.
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
        // Otherwise a secondly rule would be walked to the end of the day.
        from = end
        union = UnionIterator(self, from: from, until: until)
        exclusions = ExclusionCursor(self, from: from, until: until)
      }
    }
  }

  /// The most excluded instances in a row, for an EXRULE that leaves nothing.
  ///
  /// 150,000 minutes are three months, and as many days 400 years.
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
  /// - Parameter until: The last instant needed.
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

  /// Returns whether there is an instance at exactly this instant.
  package func contains(_ instant: Timestamp) -> Bool {
    first(atOrAfter: instant, until: instant) != nil
  }

  /// Returns the last instance before an instant; nil if there is none.
  ///
  /// It searches a window before the instant, widens it until it contains an instance, then bisects
  /// it. So a secondly rule is not walked.
  package func last(before instant: Timestamp) -> RecurrenceInstance? {
    guard let earliest = firstPossible, earliest < instant else { return nil }
    // No rule has an instance after its last reading.
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

  /// Returns the last instance; nil if a rule has no end or there are no instances.
  package func lastInstance() -> RecurrenceInstance? {
    isBounded ? last(before: lastPossible.adding(seconds: 1)) : nil
  }

  /// Whether an EXRULE may exclude many instances that must be walked.
  package var hasExclusionRules: Bool { !exclusionPlans.isEmpty }

  /// Whether EXDATEs may exclude so many instances that a walk ends among them.
  package var hasExcludedDates: Bool { !excludedInstants.isEmpty || !excludedDays.isEmpty }

  /// An instant before which there are no instances; nil if there are none at all.
  package var firstPossible: Timestamp? {
    let starts = plans.filter { $0.shape != .nothing || $0.includesStart }
      .map { Timestamp(seconds: $0.start - 26 * 3600) }
    return (starts + added.prefix(1).map(\.instant)).min()
  }

  /// An instant after which there are no instances.
  package var lastPossible: Timestamp {
    let ends = plans.map { plan in
      // The start may be the only instance of a rule.
      Timestamp(seconds: max(plan.shape == .nothing ? .min : plan.last, plan.start) + 26 * 3600)
    }
    return (ends + added.suffix(1).map(\.instant)).max() ?? .earliest
  }

  /// Twice the shortest period of a rule, in seconds.
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
