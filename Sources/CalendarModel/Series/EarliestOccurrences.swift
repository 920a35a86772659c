package import CivilTime
package import Recurrence

/// A series prepared for several queries.
package struct PlacedSeries {
  fileprivate enum Form {
    /// An event that happens once, as most do.
    case single(Occurrence)
    case many(SeriesExpansion)
  }

  fileprivate let form: Form

  /// The occurrence of an event that happens once; nil for every other series.
  package var single: Occurrence? {
    if case .single(let occurrence) = form { occurrence } else { nil }
  }

  /// Whether a day may have too many occurrences to list; see ``CrowdedDays``.
  package var canCrowd: Bool {
    if case .many(let expansion) = form { expansion.canCrowd } else { false }
  }

  /// Returns the occurrence with this identifier; see ``EventSeries/occurrence(_:context:)``.
  package func occurrence(_ id: RecurrenceID?) -> Occurrence? {
    switch form {
    case .single(let occurrence): id == nil ? occurrence : nil
    case .many(let expansion): expansion.occurrence(id)
    }
  }

  /// Prepares a series; nil for a component that is no event.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package init?(_ series: EventSeries, context: ZoneContext) throws(CivilTimeError) {
    guard series.kind == .event else { return nil }
    form =
      if let single = try series.singleOccurrence(context: context) {
        .single(single)
      } else {
        .many(try SeriesExpansion(series, context: context))
      }
  }
}

/// Collects the earliest occurrences of many series in a span.
///
/// Each series is only walked as far as its occurrences could still be among the earliest. Time and
/// memory depend on the limit, plus a few steps a series.
package struct EarliestOccurrences {
  private let span: TimeSpan
  private let days: CrowdedDays?
  private let earliestStart: Timestamp
  private let limit: Int
  private let isCutting: Bool
  private var found: [Occurrence] = []
  /// Occurrences that start later are not needed.
  private var latestStart = TimeSpan.always.end
  /// The last occurrence that the last cut left.
  private var worst: Occurrence?
  /// The number of occurrences at which the latest are dropped.
  private var nextCut: Int
  /// Whether there are more than `atMost` allows.
  package private(set) var isOverfull = false

  /// An instant before every start, in any zone.
  package static let anyStart = Timestamp.earliest.adding(seconds: -2 * 86_400)

  /// Collects the earliest occurrences of a span.
  ///
  /// - Parameters:
  ///   - span: Each occurrence overlaps it.
  ///   - earliest: No occurrence starts before it.
  ///   - limit: The number of occurrences wanted.
  ///   - days: Combines the occurrences of crowded days; nil lists all of them.
  package init(
    in span: TimeSpan, startingFrom earliest: Timestamp = anyStart, limit: Int,
    days: CrowdedDays? = nil
  ) {
    self.span = span
    self.days = days
    earliestStart = earliest
    self.limit = limit
    isCutting = true
    nextCut = limit
  }

  /// Collects all occurrences of a span, and stops as soon as there are more than the limit.
  package init(in span: TimeSpan, atMost limit: Int, days: CrowdedDays? = nil) {
    self.span = span
    self.days = days
    earliestStart = EarliestOccurrences.anyStart
    self.limit = limit
    isCutting = false
    nextCut = limit + 1
  }

  /// The number of instances that ``CrowdedDays`` walked.
  package var stepsOfDays: Int { days?.steps ?? 0 }

  /// How many are held; some may not be among the earliest.
  package var count: Int { found.count }

  /// Adds the occurrences of a series.
  ///
  /// - Parameter budget: The steps allowed; once it is spent, occurrences may be missing.
  package mutating func add(
    _ series: PlacedSeries, budget: WalkBudget?, where isWanted: (Occurrence) -> Bool
  ) {
    switch series.form {
    case .single(let occurrence): add(occurrence, where: isWanted)
    case .many(let expansion): add(expansion, budget: budget, where: isWanted)
    }
  }

  private mutating func add(_ occurrence: Occurrence, where isWanted: (Occurrence) -> Bool) {
    let place = occurrence.span
    guard limit > 0, place.overlaps(span), place.start >= earliestStart, place.start <= latestStart,
      isWanted(occurrence)
    else { return }
    keep(occurrence)
  }

  mutating func add(
    _ expansion: SeriesExpansion, budget: WalkBudget?, where isWanted: (Occurrence) -> Bool
  ) {
    guard limit > 0 else { return }
    if let days, expansion.canCrowd {
      // Give up on rejected days before the year 9999.
      var unwanted = 0
      return days.forEachRow(
        of: expansion, in: span, startingFrom: earliestStart, through: latestStart, budget: budget
      ) { row in
        let place = row.span
        if place.overlaps(span), place.start >= earliestStart, place.start <= latestStart,
          isWanted(row)
        {
          keep(row)
          unwanted = 0
        } else {
          unwanted += 1
        }
        return unwanted > CrowdedDays.mostUnwanted ? CrowdedDays.noMore : latestStart
      }
    }
    expansion.forEachOccurrence(
      in: span, startingFrom: earliestStart, through: latestStart, budget: budget
    ) { occurrence in
      if occurrence.span.start <= latestStart, isWanted(occurrence) { keep(occurrence) }
      return latestStart
    }
  }

  private mutating func keep(_ occurrence: Occurrence) {
    // Thousands may begin at the same instant as the last one.
    if let worst, !Occurrence.precedes(occurrence, worst) { return }
    found.append(occurrence)
    // Occurrences of one series arrive in order, so cut as soon as there are enough, later rarely.
    guard found.count >= nextCut else { return }
    if isCutting {
      cut()
      nextCut = limit + max(limit, 16)
    } else {
      isOverfull = true
      latestStart = CrowdedDays.noMore
    }
  }

  private mutating func cut() {
    found.putInOrder()
    guard found.count >= limit else { return }
    found.removeSubrange(limit...)
    worst = found[limit - 1]
    latestStart = found[limit - 1].span.start
  }

  /// Returns the occurrences in the order of ``Occurrence/precedes(_:_:)``.
  package consuming func sorted() -> [Occurrence] {
    cut()
    return found
  }
}
