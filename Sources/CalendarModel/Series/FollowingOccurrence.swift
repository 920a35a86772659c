import CivilTime
import Recurrence

/// Finds the occurrence at or after an instant: the one that an absolute alarm belongs to.
///
/// Overrides and RDATE periods are placed and sorted once, for many instants.
struct FollowingOccurrence {
  private let expansion: SeriesExpansion
  private let stretches: [SeriesStretch]
  /// In the order of ``Occurrence/precedes(_:_:)``.
  private let placed: [Occurrence]
  /// For each of them, the last instant at which it or an earlier one still runs.
  private let lastInstants: [Timestamp]
  /// The instance that was found last, with its instant.
  ///
  /// It stays right for later instants until it ends, which avoids walking thousands of replaced
  /// instances again.
  private var known: (occurrence: Occurrence, moment: Timestamp)?
  /// The first occurrence of the series; nil if there is none.
  private let first: Occurrence?

  /// - Parameter periods: ``SeriesExpansion/periodInstances``.
  init(
    _ expansion: SeriesExpansion, _ stretches: [SeriesStretch], _ periods: [RecurrenceInstance]
  ) {
    self.expansion = expansion
    self.stretches = stretches
    let fixed =
      expansion.overrides.map(expansion.place)
      + periods.map { expansion.occurrence(of: $0, in: stretches[0]) }
    placed = fixed.sorted(by: Occurrence.precedes)
    var last = Timestamp.earliest
    lastInstants = placed.map { occurrence in
      // An occurrence without duration counts at its instant.
      last = max(last, max(occurrence.span.start, occurrence.span.end.adding(seconds: -1)))
      return last
    }
    first = expansion.occurrences(in: .always, limit: 1).first
  }

  /// Returns the first occurrence that ends after `moment` or begins then or later.
  ///
  /// If there is none, the first of all; nil if the series is empty.
  mutating func occurrence(at moment: Timestamp) -> Occurrence? {
    guard first != nil, moment < TimeSpan.always.end else { return first }
    let following = TimeSpan(start: moment, end: TimeSpan.always.end)
    let next = lastInstants.partitioningIndex { $0 >= moment }
    var found = next < placed.count ? placed[next] : nil
    let instance = instance(at: moment, following)
    if let instance, found.map({ Occurrence.precedes(instance, $0) }) ?? true { found = instance }
    return found ?? first
  }

  private mutating func instance(at moment: Timestamp, _ following: TimeSpan) -> Occurrence? {
    if let known, known.moment <= moment, known.occurrence.span.overlaps(following) {
      return known.occurrence
    }
    var found: Occurrence?
    for stretch in stretches {
      let from = Timestamp(
        seconds: max(moment.seconds - stretch.endDistance.highest, Timestamp.earliest.seconds))
      expansion.forEachInstance(of: stretch, from: from) { instance in
        guard expansion.span(of: instance, in: stretch).overlaps(following) else { return true }
        found = expansion.occurrence(of: instance, in: stretch)
        return false
      }
      if found != nil { break }
    }
    known = found.map { ($0, moment) }
    return found
  }
}
