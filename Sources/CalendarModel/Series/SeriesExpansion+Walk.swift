import CivilTime
import Recurrence

extension SeriesExpansion {
  /// Two days: all-day sets are in UTC, and the agent's zone may differ by a day either way.
  private static let dayDrift: Int64 = 2 * 86_400
  /// What clock changes can add to a shift.
  private static let clockDrift: Int64 = 7200

  /// The most seconds between an occurrence's start and its instance in the set.
  ///
  /// It is 0 for a timed series without a THISANDFUTURE override: a rule that fires each second has
  /// as many instances as the margin has seconds. With such an override, this comes on top of its
  /// shift.
  private var drift: Int64 {
    let placesDays =
      master?.shared.event.start.isDate == true
      || futures.contains { $0.placement.shared.event.start.isDate }
    if placesDays { return SeriesExpansion.dayDrift }
    return futures.isEmpty ? 0 : SeriesExpansion.clockDrift
  }

  /// The longest time before `instant` at which an instance that still runs then may have begun.
  ///
  /// RDATE periods are not included. ``Placement/longestSeconds`` has a day to spare, which would
  /// be too many instances for a rule that fires each second.
  private func longest(_ placement: Placement, before instant: Timestamp) -> Int64 {
    guard case .nominal(let duration) = placement.length else { return placement.longestSeconds }
    let nominal = max(0, duration.approximateSeconds)
    return nominal
      + placement.zone.spread(
        from: instant.adding(seconds: -nominal - 2 * 86_400),
        through: instant.adding(seconds: 2 * 86_400))
  }

  /// Calls `body` with the occurrences that overlap `span`.
  ///
  /// Overrides come first, in no order, then the instances in the order of the set.
  ///
  /// - Parameters:
  ///   - earliest: Occurrences that start earlier are not needed.
  ///   - latest: Occurrences that start later are not needed; `body` returns its next value.
  ///   - budget: Is charged for each instance of a recurring series.
  func forEachOccurrence(
    in span: TimeSpan, startingFrom earliest: Timestamp, through latest: Timestamp,
    budget: WalkBudget?, _ body: (Occurrence) -> Timestamp
  ) {
    var latest = latest
    for index in overrides.indices {
      let place = overrides[index].span
      guard place.overlaps(span), place.start >= earliest else { continue }
      latest = body(self.place(overrides[index]))
    }
    guard let master else { return }
    let drift = drift
    let until = span.end.seconds + drift
    /// - Parameters:
    ///   - shift: How far the occurrences of these instances are moved.
    ///   - bounds: The range of the instants.
    func walk(
      _ placement: Placement, _ shift: Int64?, _ bounds: (from: Timestamp, until: Timestamp)
    ) {
      let longest = longest(placement, before: span.start)
      let from = max(span.start.seconds - longest, earliest.seconds) - drift
      let first = max(Timestamp(seconds: from - (shift ?? 0)), bounds.from)
      let last = min(Timestamp(seconds: until - (shift ?? 0)), bounds.until)
      // A long RDATE period may begin a million instances before the span.
      if shift == nil, !periods.isEmpty {
        let periods = periodInstances(before: first, runningAt: span.start, startingFrom: earliest)
        for instance in periods {
          if let budget, !budget.take() { return }
          let occurrence = place(instance, of: master)
          guard occurrence.span.overlaps(span), occurrence.span.start >= earliest else { continue }
          latest = body(occurrence)
        }
      }
      guard first <= last else { return }
      forEachInstance(from: first, until: last, budget: budget) { instant, place in
        guard instant <= last, instant.seconds + (shift ?? 0) - drift <= latest.seconds else {
          return false
        }
        let occurrence = place()
        if occurrence.span.overlaps(span), occurrence.span.start >= earliest {
          latest = body(occurrence)
        }
        return true
      }
    }
    if futures.isEmpty || set == nil {
      return walk(master, nil, (EarliestOccurrences.anyStart, Timestamp(seconds: .max)))
    }
    // Search near the shifted place only: a shift may be two thousand years.
    for stretch in stretches {
      walk(
        stretch.placement, stretch.shiftSeconds,
        (
          stretch.shiftSeconds == nil ? EarliestOccurrences.anyStart : stretch.from,
          stretch.until.adding(seconds: -1)
        ))
    }
  }

  /// Returns the RDATE periods that begin before `limit` and may run at `moment`, in order.
  private func periodInstances(
    before limit: Timestamp, runningAt moment: Timestamp, startingFrom earliest: Timestamp
  ) -> [RecurrenceInstance] {
    periodInstances { instant, length in
      instant < limit && instant.seconds + Placement.bound(length) + drift >= moment.seconds
        && instant.seconds >= earliest.seconds - drift
    }.sorted { $0.instant < $1.instant }
  }

  /// Returns the occurrences that overlap `span`, in order.
  ///
  /// - Parameter limit: The most occurrences to return; the earliest come first.
  func occurrences(in span: TimeSpan, limit: Int) -> [Occurrence] {
    var found = EarliestOccurrences(in: span, limit: limit)
    found.add(self, budget: nil) { _ in true }
    return found.sorted()
  }
}
