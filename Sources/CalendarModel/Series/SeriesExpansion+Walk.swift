import CivilTime
import Recurrence

// The occurrences of one series in a span, without a look at those before and after it.

extension SeriesExpansion {
  /// Two days: the instants of an all-day set are those of UTC, and the agent's
  /// zone may be a day away from it on either side.
  private static let dayDrift: Int64 = 2 * 86_400
  /// What changes of the clock add to a shift.
  private static let clockDrift: Int64 = 7200

  /// No occurrence starts further than this from the instant of its instance in the
  /// set. A timed one that no THISANDFUTURE override moves starts right there: a rule
  /// that fires each second has as many instances in a margin as it has seconds.
  ///
  /// Where there is such an override this is beside its shift.
  private var drift: Int64 {
    let placesDays =
      master?.shared.event.start.isDate == true
      || futures.contains { $0.placement.shared.event.start.isDate }
    if placesDays { return SeriesExpansion.dayDrift }
    return futures.isEmpty ? 0 : SeriesExpansion.clockDrift
  }

  /// No instance of a component that runs at an instant or later started longer before it, but for
  /// those with a length of their own.
  ///
  /// ``Placement/longestSeconds`` has a day to spare for nominal days that a change of the clock
  /// stretches. Of a series by the second that is a day of instances, so it is worked out.
  private func longest(_ placement: Placement, before instant: Timestamp) -> Int64 {
    guard case .nominal(let duration) = placement.length else { return placement.longestSeconds }
    let nominal = max(0, duration.approximateSeconds)
    return nominal
      + placement.zone.spread(
        from: instant.adding(seconds: -nominal - 2 * 86_400),
        through: instant.adding(seconds: 2 * 86_400))
  }

  /// Calls `body` with the occurrences that have an instant in common with `span`:
  /// first the overrides in no order, then the instances by their instants in the set.
  ///
  /// - Parameters:
  ///   - earliest: Those that start before are of no interest.
  ///   - latest: Nor are those that start after; `body` returns what holds from
  ///     then on.
  ///   - budget: Pays for each instance of a series that recurs.
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
    ///   - shift: how far the occurrences of these instances are moved.
    ///   - bounds: of the instants.
    func walk(
      _ placement: Placement, _ shift: Int64?, _ bounds: (from: Timestamp, until: Timestamp)
    ) {
      let longest = longest(placement, before: span.start)
      let from = max(span.start.seconds - longest, earliest.seconds) - drift
      let first = max(Timestamp(seconds: from - (shift ?? 0)), bounds.from)
      let last = min(Timestamp(seconds: until - (shift ?? 0)), bounds.until)
      // A rule may have a million instances between one that runs for years and the span.
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
    // What is moved by two thousand years is looked for there, and not in all the years between.
    for stretch in stretches {
      walk(
        stretch.placement, stretch.shiftSeconds,
        (
          stretch.shiftSeconds == nil ? EarliestOccurrences.anyStart : stretch.from,
          stretch.until.adding(seconds: -1)
        ))
    }
  }

  /// Returns the instances with a length of their own that begin before `limit` and may run at `moment` or
  /// later, in order.
  private func periodInstances(
    before limit: Timestamp, runningAt moment: Timestamp, startingFrom earliest: Timestamp
  ) -> [RecurrenceInstance] {
    periodInstances { instant, length in
      instant < limit && instant.seconds + Placement.bound(length) + drift >= moment.seconds
        && instant.seconds >= earliest.seconds - drift
    }.sorted { $0.instant < $1.instant }
  }

  /// Returns the occurrences that have an instant in common with `span`, in order.
  ///
  /// - Parameter limit: The most that are returned; the earliest are.
  func occurrences(in span: TimeSpan, limit: Int) -> [Occurrence] {
    var found = EarliestOccurrences(in: span, limit: limit)
    found.add(self, budget: nil) { _ in true }
    return found.sorted()
  }
}
