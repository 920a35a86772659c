package import CivilTime
import Recurrence

/// The rule of every view: a series with more than 96 occurrences on a day is one row for that day, with their number.
///
/// An event that recurs each second by mistake, or by malice, then hides no other. The row is an ``Occurrence`` whose
/// ``Occurrence/count`` is not 1: it has the texts of the first, and lasts from the first start to the last end, but
/// not beyond the end of the day after. An occurrence is of the day on which it begins.
///
/// Reminders and busy times know nothing of this rule.
package struct CrowdedDays {
  /// So many occurrences of a series are so many rows of a day: one each quarter of an hour.
  package static let mostRows = 96
  /// So many are counted: one a minute.
  package static let mostCounted = 1440

  private let zone: ZoneRules
  private let budget: WalkBudget

  /// - Parameters:
  ///   - zone: In whose days.
  ///   - steps: So many instances are walked over to count them, all series together. What is crowded after that has
  ///     no number.
  package init(in zone: ZoneRules, steps: Int = 600_000) {
    self.zone = zone
    budget = WalkBudget(most: steps)
  }

  /// The instances that were walked over.
  package var steps: Int { budget.steps }

  /// Before whatever starts.
  static let noMore = Timestamp(seconds: .min)
  /// So many rows of one series are looked at in vain.
  static let mostUnwanted = 4000

  /// Calls `body` with the rows of a series that may have an instant in common with `span`, day by day.
  ///
  /// - Parameters:
  ///   - earliest: Those that start before are of no interest.
  ///   - latest: Nor are those that start after; `body` returns what holds from then on.
  func forEachRow(
    of series: SeriesExpansion, in span: TimeSpan, startingFrom earliest: Timestamp,
    through latest: Timestamp, _ body: (Occurrence) -> Timestamp
  ) {
    // What began on the day before may run on.
    let from = max(span.start, earliest, .earliest)
    let today = zone.reading(at: from).date
    let first = earliest < span.start ? today.adding(days: -1) ?? today : today
    if series.isCrowdedByRule {
      forEachDay(of: series, from: first, until: span.end, through: latest, body)
    } else {
      forEachStretch(
        of: series, in: span, startingFrom: earliest, from: first, through: latest, body)
    }
  }

  /// Rules that may fill each day: no more of one is walked over than tells that it is crowded, and how much.
  private func forEachDay(
    of series: SeriesExpansion, from first: CivilDate, until end: Timestamp,
    through latest: Timestamp, _ body: (Occurrence) -> Timestamp
  ) {
    var (date, latest) = (first, latest)
    while true {
      let day = day(date)
      guard day.start < end, day.start <= latest else { return }
      let rows = rows(of: series, on: day, date)
      for row in rows { latest = body(row) }
      guard let tomorrow = date.adding(days: 1) else { return }
      date = tomorrow
      if rows.isEmpty {
        guard let next = series.start(from: day.end, before: end, budget: Self.budgetOfDay) else {
          return
        }
        date = max(date, zone.reading(at: next).date)
      }
    }
  }

  /// Other series, whose dates and exceptions may crowd a day: all of a stretch of days is put under its days.
  private func forEachStretch(
    of series: SeriesExpansion, in span: TimeSpan, startingFrom earliest: Timestamp,
    from first: CivilDate, through latest: Timestamp, _ body: (Occurrence) -> Timestamp
  ) {
    var (date, days, latest) = (first, 32, latest)
    // What began long before belongs to the first stretch.
    var from = earliest < span.start ? EarliestOccurrences.anyStart : zone.startOfDay(first)
    while true {
      let next = date.adding(days: days)
      let start = zone.startOfDay(date)
      let end = next.map(zone.startOfDay) ?? TimeSpan.always.end
      guard start < span.end, start <= latest else { return }
      var groups: [CivilDate: Crowd] = [:]
      series.forEachOccurrence(
        in: TimeSpan(start: start, end: end), startingFrom: from, through: latest, budget: nil
      ) { occurrence in
        if occurrence.span.start < end {
          groups[zone.reading(at: occurrence.span.start).date, default: Crowd()].add(occurrence)
        }
        return latest
      }
      for (date, group) in groups.sorted(by: { $0.key < $1.key }) {
        for row in group.rows(within: dayAfter(date)) { latest = body(row) }
      }
      guard let next else { return }
      (date, from, days) = (next, end, min(days * 4, 3660))
    }
  }

  private func rows(
    of series: SeriesExpansion, on day: TimeSpan, _ date: CivilDate
  ) -> [Occurrence] {
    let own = budget.isSpent ? WalkBudget(most: CrowdedDays.mostRows + 2) : Self.budgetOfDay
    var crowd = Crowd()
    let last = day.end.adding(seconds: -1)
    series.forEachOccurrence(in: day, startingFrom: day.start, through: last, budget: own) {
      if $0.span.start < day.end { crowd.add($0) }
      return crowd.isCounted ? last : CrowdedDays.noMore
    }
    budget.take(own.steps)
    guard crowd.isCrowd else { return crowd.rows(within: dayAfter(date)) }
    if own.isSpent || !crowd.isCounted {
      // Whether or not it is counted it lasts as long: a cursor names its end.
      crowd.leaveUncounted(until: series.lastEnd(on: day, from: crowd.lastStart))
    }
    return crowd.rows(within: dayAfter(date))
  }

  /// Enough to count with, and some more for what is excluded.
  private static var budgetOfDay: WalkBudget { WalkBudget(most: mostCounted + 600) }

  private func day(_ date: CivilDate) -> TimeSpan {
    let start = zone.startOfDay(date)
    let end = date.adding(days: 1).map(zone.startOfDay) ?? TimeSpan.always.end
    return TimeSpan(start: start, end: max(start, end))
  }

  /// The end of the day after one.
  private func dayAfter(_ date: CivilDate) -> Timestamp {
    date.adding(days: 2).map(zone.startOfDay) ?? TimeSpan.always.end
  }
}

/// The occurrences of a series on one day: each by itself while they are few, else what their row has.
private struct Crowd {
  private var few: [Occurrence] = []
  private var (taking, cancelled) = (Part(), Part())
  private var total = 0
  private var isWhole = true

  private struct Part {
    var count = 0
    var first: Occurrence?
    var (start, end) = (Timestamp.latest, Timestamp.earliest)

    mutating func add(_ occurrence: Occurrence) {
      count += 1
      (start, end) = (min(start, occurrence.span.start), max(end, occurrence.span.end))
      // The series itself, where not all are exceptions.
      guard let known = first else { return first = occurrence }
      let (isOther, wasOther) = (occurrence.isException, known.isException)
      if isOther == wasOther ? Occurrence.precedes(occurrence, known) : wasOther {
        first = occurrence
      }
    }
  }

  var isCrowd: Bool { total > CrowdedDays.mostRows }
  /// Whether there are not too many to be counted.
  var isCounted: Bool { total <= CrowdedDays.mostCounted }
  /// The start of the last one that was added.
  private(set) var lastStart = Timestamp.earliest

  mutating func add(_ occurrence: Occurrence) {
    total += 1
    lastStart = max(lastStart, occurrence.span.start)
    if isCrowd { few = [] } else { few.append(occurrence) }
    if occurrence.status == .cancelled { cancelled.add(occurrence) } else { taking.add(occurrence) }
  }

  /// Notes that there are more, the last of which ends at an instant.
  mutating func leaveUncounted(until end: Timestamp) {
    isWhole = false
    taking.end = max(taking.end, end)
    cancelled.end = max(cancelled.end, end)
  }

  /// - Parameter latest: The row of many ends no later.
  func rows(within latest: Timestamp) -> [Occurrence] {
    guard isCrowd else { return few }
    // What was cancelled of a series that takes place is not listed where not all can be.
    let part = taking.count > 0 ? taking : cancelled
    guard let first = part.first else { return [] }
    let span = TimeSpan(start: part.start, end: max(part.start, min(part.end, latest)))
    return [first.row(of: isWhole ? part.count : 0, in: span)]
  }
}

extension Occurrence {
  fileprivate var isException: Bool { event.recurrenceID != nil }
}

extension SeriesExpansion {
  /// The most that its rules have on a day by any clock: twice what they have on one by their own.
  private var mostByRules: Int {
    2 * (master?.shared.event.recurrence.rules.reduce(0) { $0 + $1.mostInstancesADay } ?? 0)
  }

  /// Whether its rules alone may have more on a day than so many rows.
  var isCrowdedByRule: Bool { mostByRules > CrowdedDays.mostRows }

  /// Whether it may have more on a day at all. Each exception may move those after it to the same day.
  var canCrowd: Bool {
    let dates = (master?.shared.event.recurrence.added.count ?? 0) + overrides.count
    return mostByRules * (1 + futures.count) + dates > CrowdedDays.mostRows
  }

  /// Returns the start of an occurrence that begins at `from` or later and before `end`: the first, unless an exception
  /// was moved there; nil where there is none.
  fileprivate func start(from: Timestamp, before end: Timestamp, budget: WalkBudget) -> Timestamp? {
    guard from < end else { return nil }
    var first: Timestamp?
    forEachOccurrence(
      in: TimeSpan(start: from, end: end), startingFrom: from, through: end.adding(seconds: -1),
      budget: budget
    ) {
      let start = $0.span.start
      if start < end { first = min(first ?? start, start) }
      return first ?? end.adding(seconds: -1)
    }
    return first
  }

  /// Returns when the last occurrence ends that begins on a day, found by halves.
  ///
  /// - Parameter start: At which one begins.
  fileprivate func lastEnd(on day: TimeSpan, from start: Timestamp) -> Timestamp {
    var (last, end) = (start, day.end)
    while end.seconds - last.seconds > 1 {
      let middle = last.adding(seconds: (end.seconds - last.seconds) / 2)
      let later = self.start(from: middle, before: end, budget: WalkBudget(most: 100))
      if let later { last = later } else { end = middle }
    }
    var latest = last
    let instant = TimeSpan(start: last, end: last.adding(seconds: 1))
    forEachOccurrence(in: instant, startingFrom: last, through: last, budget: nil) {
      latest = max(latest, $0.span.end)
      return last
    }
    return latest
  }
}
