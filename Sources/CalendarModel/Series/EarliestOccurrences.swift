package import CivilTime
package import Recurrence

/// A series that is prepared for several queries.
package struct PlacedSeries {
  fileprivate enum Form {
    /// Of an event that happens once, as most do, all that there is to know.
    case single(Occurrence)
    case many(SeriesExpansion)
  }

  fileprivate let form: Form

  /// The occurrence of an event that happens once; nil for every other series.
  package var single: Occurrence? {
    if case .single(let occurrence) = form { occurrence } else { nil }
  }

  /// Whether it may have so many on a day that they are one row (``CrowdedDays``).
  package var canCrowd: Bool {
    if case .many(let expansion) = form { expansion.canCrowd } else { false }
  }

  /// Returns the occurrence with this identifier, nil if there is none; see
  /// ``EventSeries/occurrence(_:context:)``.
  package func occurrence(_ id: RecurrenceID?) -> Occurrence? {
    switch form {
    case .single(let occurrence): id == nil ? occurrence : nil
    case .many(let expansion): expansion.occurrence(id)
    }
  }

  /// Makes it ready; nil for what is no event, and so is in no agenda.
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

/// The earliest occurrences of a span, of many series.
///
/// Each series is walked no further than what is known already leaves room for: of a
/// thousand that fire each second the first gives as many as are wanted, the second
/// half of them, and the last one or two. Work and memory are those of the answer and a
/// few steps a series.
package struct EarliestOccurrences {
  private let span: TimeSpan
  private let days: CrowdedDays?
  private let earliestStart: Timestamp
  private let limit: Int
  private let isCutting: Bool
  private var found: [Occurrence] = []
  /// What starts later is of no interest any more.
  private var latestStart = TimeSpan.always.end
  /// The last of those that were left at the last cut.
  private var worst: Occurrence?
  /// As soon as there are so many, the latest are let go of.
  private var nextCut: Int
  /// Whether there are more than are allowed.
  package private(set) var isOverfull = false

  /// Before whatever starts on the first day of all, in any zone.
  package static let anyStart = Timestamp.earliest.adding(seconds: -2 * 86_400)

  /// - Parameters:
  ///   - span: They have an instant in common with it.
  ///   - earliest: They start no earlier.
  ///   - limit: How many are wanted.
  ///   - days: By what rule a series is one row for a day; nil has each of its occurrences.
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

  /// All of a span, or too many: as soon as there are more, nothing is walked through.
  package init(in span: TimeSpan, atMost limit: Int, days: CrowdedDays? = nil) {
    self.span = span
    self.days = days
    earliestStart = EarliestOccurrences.anyStart
    self.limit = limit
    isCutting = false
    nextCut = limit + 1
  }

  /// The instances that its rule of days walked over.
  package var stepsOfDays: Int { days?.steps ?? 0 }

  /// How many are held, of which some may not be among the earliest.
  package var count: Int { found.count }

  /// Adds those of one series.
  ///
  /// - Parameter budget: What is walked over; where it is spent, some may be missing.
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
      // Days of which none is wanted are not walked through to the end of all years.
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
    // Thousands may begin at the instant of the last one.
    if let worst, !Occurrence.precedes(occurrence, worst) { return }
    found.append(occurrence)
    // Seldom enough, and at first as soon as there are enough: those of one series
    // come in order.
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

  /// Returns them in the order of ``Occurrence/precedes(_:_:)``.
  package consuming func sorted() -> [Occurrence] {
    cut()
    return found
  }
}
