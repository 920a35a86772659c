package import CivilTime
import Recurrence

/// Combines the occurrences of a day into one row if a series has more than 96 of them.
///
/// So an event that recurs each second, by mistake or malice, does not hide others. The row is an
/// ``Occurrence`` with a ``Occurrence/count`` other than 1. It has the texts of the first
/// occurrence and lasts from the first start to the last end, at most to the end of the next day.
/// An occurrence belongs to the day on which it begins.
///
/// Occurrences are counted only if the rules have at most ``mostCounted`` a day. Otherwise only the
/// first and the last occurrence of a day are searched: six steps for FREQ=SECONDLY instead of
/// 86,400.
///
/// Every view uses this; reminders and busy times do not.
package struct CrowdedDays {
  /// The most occurrences of a series that are shown as rows of a day: one each quarter of an hour.
  package static let mostRows = 96
  /// The most occurrences that are counted: one a minute.
  package static let mostCounted = 1440
  /// The most instances that one view walks to count rows: about 60 milliseconds.
  ///
  /// It is enough for seven rules with one instance a minute in the days of the snapshot.
  package static let mostSteps = 600_000

  private let zone: ZoneRules
  private let counting: WalkBudget
  /// For days whose first instances are excluded.
  private let searching = WalkBudget(most: 100_000)
  private let sampling = WalkBudget(most: .max)

  /// - Parameters:
  ///   - zone: The zone of the days.
  ///   - steps: The most instances to count, of all series together; later rows have no count.
  package init(in zone: ZoneRules, steps: Int = mostSteps) {
    self.zone = zone
    counting = WalkBudget(most: steps)
  }

  /// The number of instances that were walked.
  package var steps: Int { counting.steps + searching.steps + sampling.steps }

  /// An instant before every start.
  static let noMore = Timestamp(seconds: .min)
  /// The most rows of a series that may be rejected in a row.
  static let mostUnwanted = 4000
  /// How long a dense rule's occurrences are shown: 31 days, since each day before costs steps.
  private static let mostSecondsBefore: Int64 = 31 * 86_400

  /// Calls `body` with the rows of a series that may overlap `span`, day by day.
  ///
  /// - Parameters:
  ///   - earliest: Rows that start earlier are not needed.
  ///   - latest: Rows that start later are not needed; `body` returns its next value.
  ///   - budget: Is charged for the instances of a series whose rules alone cannot crowd a day.
  func forEachRow(
    of series: SeriesExpansion, in span: TimeSpan, startingFrom earliest: Timestamp,
    through latest: Timestamp, budget: WalkBudget?, _ body: (Occurrence) -> Timestamp
  ) {
    // An occurrence of the day before may still be running.
    let from = max(span.start, earliest, .earliest)
    let today = zone.reading(at: from).date
    let first = earliest < span.start ? today.adding(days: -1) ?? today : today
    if series.mostByRules > CrowdedDays.mostRows {
      // The few of a day that is not crowded are shown until they end.
      let longest = min(series.longestSeconds, CrowdedDays.mostSecondsBefore)
      let longAgo = zone.reading(at: max(earliest, from.adding(seconds: -longest))).date
      forEachDay(
        of: series, from: min(first, longAgo), until: span.end, through: latest, body)
    } else {
      forEachStretch(
        of: series, in: span, startingFrom: earliest, from: first, through: latest, budget: budget,
        body)
    }
  }

  /// Handles a series whose rules may crowd every day.
  private func forEachDay(
    of series: SeriesExpansion, from first: CivilDate, until end: Timestamp,
    through latest: Timestamp, _ body: (Occurrence) -> Timestamp
  ) {
    var (date, latest) = (first, latest)
    while true {
      let day = day(date)
      guard day.start < end, day.start <= latest else { return }
      let crowd = crowd(of: series, on: day)
      for row in crowd.rows(within: dayAfter(date)) { latest = body(row) }
      guard let tomorrow = date.adding(days: 1) else { return }
      date = tomorrow
      if crowd.isEmpty {
        switch search(series, from: day.end, before: end) {
        case .none: return
        case .unknown: if searching.isSpent { return }
        case .found(let next): date = max(date, zone.reading(at: next.span.start).date)
        }
      }
    }
  }

  /// Handles a series that only dates and overrides may crowd: groups a range of days by day.
  private func forEachStretch(
    of series: SeriesExpansion, in span: TimeSpan, startingFrom earliest: Timestamp,
    from first: CivilDate, through latest: Timestamp, budget: WalkBudget?,
    _ body: (Occurrence) -> Timestamp
  ) {
    var (date, days, latest) = (first, 32, latest)
    // The first range includes occurrences that began long before.
    var from = earliest < span.start ? EarliestOccurrences.anyStart : zone.startOfDay(first)
    let lastDay = zone.reading(at: min(max(span.start, span.end.adding(seconds: -1)), .latest)).date
    while true {
      let next = date.adding(days: days)
      let start = zone.startOfDay(date)
      guard start < span.end, start <= latest else { return }
      let end = min(next.map(zone.startOfDay) ?? TimeSpan.always.end, day(lastDay).end)
      // A day is grouped as a whole: a cut of the list must not make it look less crowded.
      let last = day(zone.reading(at: latest).date).end.adding(seconds: -1)
      var groups: [CivilDate: Crowd] = [:]
      series.forEachOccurrence(
        in: TimeSpan(start: start, end: max(start, end)), startingFrom: from, through: last,
        budget: budget
      ) { occurrence in
        if occurrence.span.start < end {
          groups[zone.reading(at: occurrence.span.start).date, default: Crowd()].add(occurrence)
        }
        return last
      }
      for (date, group) in groups.sorted(by: { $0.key < $1.key }) {
        for row in group.rows(within: dayAfter(date)) { latest = body(row) }
      }
      guard let next, budget.map({ !$0.isSpent }) ?? true else { return }
      (date, from, days) = (next, end, min(days * 4, 3660))
    }
  }

  // MARK: One day

  private func crowd(of series: SeriesExpansion, on day: TimeSpan) -> Crowd {
    if series.mostByRules <= CrowdedDays.mostCounted, !counting.isSpent {
      return counted(series, on: day, from: day.start)
    }
    // There may be too many to count, so only look at both ends of the day.
    var (crowd, hasOrdinary) = beginning(of: series, on: day)
    guard hasOrdinary else { return crowd }
    let last = last(of: series, on: day, from: crowd.lastStart)
    guard last.start.seconds - crowd.firstStart.seconds >= CrowdedDays.mostCounted else {
      // The rules begin or end on this day; at one a second there are few enough to count.
      return counted(series, on: day, from: crowd.firstStart)
    }
    crowd.leaveUncounted(until: last.end)
    return crowd
  }

  private func counted(
    _ series: SeriesExpansion, on day: TimeSpan, from start: Timestamp
  ) -> Crowd {
    // Excluded instances take steps, too.
    let own = WalkBudget(most: 2 * CrowdedDays.mostCounted)
    var crowd = Crowd()
    let last = day.end.adding(seconds: -1)
    series.forEachOccurrence(in: day, startingFrom: start, through: last, budget: own) {
      if $0.span.start < day.end { crowd.add($0) }
      return crowd.isCounted ? last : CrowdedDays.noMore
    }
    counting.take(own.steps)
    if own.isSpent || !crowd.isCounted, !crowd.isEmpty {
      // Counted or not, a row must have the same end: a cursor contains it.
      crowd.leaveUncounted(until: self.last(of: series, on: day, from: crowd.lastStart).end)
    }
    return crowd
  }

  /// Returns the overrides of a day, its first other occurrence, and whether there is one.
  private func beginning(
    of series: SeriesExpansion, on day: TimeSpan
  ) -> (Crowd, hasOrdinary: Bool) {
    let own = WalkBudget(most: CrowdedDays.mostTried)
    var (crowd, hasOrdinary) = (Crowd(), false)
    let last = day.end.adding(seconds: -1)
    series.forEachOccurrence(in: day, startingFrom: day.start, through: last, budget: own) {
      guard $0.span.start < day.end else { return last }
      crowd.add($0)
      // Overrides come first and take no steps.
      if own.steps > 0 { hasOrdinary = true }
      return hasOrdinary ? CrowdedDays.noMore : last
    }
    let isUnknown = own.isSpent && !hasOrdinary
    (isUnknown ? searching : sampling).take(own.steps)
    guard isUnknown else { return (crowd, hasOrdinary) }
    // An EXRULE may exclude the first hours of the day.
    var hour = day.start
    while !searching.isSpent {
      let hourBefore = hour
      hour = hour.adding(seconds: 3600)
      if case .found(let found) = search(series, from: hour, before: day.end, ordinary: true) {
        crowd.add(first(of: series, after: hourBefore, or: found))
        return (crowd, true)
      }
      if hour >= day.end { break }
    }
    return (crowd, false)
  }

  // MARK: Searching

  private enum Search {
    case found(Occurrence)
    case none
    /// Given up: too many instances are excluded.
    case unknown
  }

  /// The most instances that one search skips: a minute of them, and some replaced by overrides.
  private static let mostTried = 64

  /// Finds the first occurrence that begins at `from` or later and before `end`.
  ///
  /// - Parameter isOrdinary: Whether overrides are skipped.
  private func search(
    _ series: SeriesExpansion, from: Timestamp, before end: Timestamp,
    ordinary isOrdinary: Bool = false
  ) -> Search {
    guard from < end else { return .none }
    let own = WalkBudget(most: CrowdedDays.mostTried)
    let last = end.adding(seconds: -1)
    var found: Occurrence?
    series.forEachOccurrence(
      in: TimeSpan(start: from, end: end), startingFrom: from, through: last, budget: own
    ) {
      let start = $0.span.start
      if start < end, own.steps > 0 || !isOrdinary, found.map({ start < $0.span.start }) ?? true {
        found = $0
      }
      return found?.span.start ?? last
    }
    let isUnknown = own.isSpent && found == nil
    (isUnknown ? searching : sampling).take(own.steps)
    return found.map(Search.found) ?? (isUnknown ? .unknown : .none)
  }

  /// Returns the first occurrence after `instant` that is no override, by bisection up to `found`.
  private func first(
    of series: SeriesExpansion, after instant: Timestamp, or found: Occurrence
  ) -> Occurrence {
    var (low, first) = (instant, found)
    while first.span.start.seconds - low.seconds > 1 {
      let middle = low.adding(seconds: (first.span.start.seconds - low.seconds) / 2)
      let earlier = search(series, from: middle, before: first.span.start, ordinary: true)
      if case .found(let earlier) = earlier { first = earlier } else { low = middle }
    }
    return first
  }

  /// Returns the start of the last occurrence that begins on a day, and when it ends.
  ///
  /// It is searched backwards from the end of the day, then by bisection.
  ///
  /// - Parameter start: The start of some occurrence of the day.
  private func last(
    of series: SeriesExpansion, on day: TimeSpan, from start: Timestamp
  ) -> (start: Timestamp, end: Timestamp) {
    var (last, end, back) = (start, day.end, Int64(1))
    while end.seconds - last.seconds > 1 {
      let half = last.adding(seconds: (end.seconds - last.seconds) / 2)
      let middle = max(half, end.adding(seconds: -back))
      if case .found(let later) = search(series, from: middle, before: end) {
        (last, back) = (later.span.start, 86_400)
      } else {
        (end, back) = (middle, back * 2)
      }
    }
    var latest = last
    series.forEachOccurrence(
      in: TimeSpan(start: last, end: last.adding(seconds: 1)), startingFrom: last, through: last,
      budget: sampling
    ) {
      latest = max(latest, $0.span.end)
      return last
    }
    return (last, latest)
  }

  private func day(_ date: CivilDate) -> TimeSpan {
    let start = zone.startOfDay(date)
    let end = date.adding(days: 1).map(zone.startOfDay) ?? TimeSpan.always.end
    return TimeSpan(start: start, end: max(start, end))
  }

  /// Returns the end of the next day.
  private func dayAfter(_ date: CivilDate) -> Timestamp {
    date.adding(days: 2).map(zone.startOfDay) ?? TimeSpan.always.end
  }
}

/// The occurrences of a series on one day: a list while they are few, then only their summary.
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
      // The master's text, unless all are overrides.
      guard let known = first else { return first = occurrence }
      let (isOther, wasOther) = (occurrence.isException, known.isException)
      if isOther == wasOther ? Occurrence.precedes(occurrence, known) : wasOther {
        first = occurrence
      }
    }
  }

  var isEmpty: Bool { total == 0 }
  private var isCrowd: Bool { !isWhole || total > CrowdedDays.mostRows }
  /// Whether there are few enough to count.
  var isCounted: Bool { total <= CrowdedDays.mostCounted }
  /// The starts of the occurrences that were added.
  private(set) var (firstStart, lastStart) = (Timestamp.latest, Timestamp.earliest)

  mutating func add(_ occurrence: Occurrence) {
    total += 1
    firstStart = min(firstStart, occurrence.span.start)
    lastStart = max(lastStart, occurrence.span.start)
    if isCrowd { few = [] } else { few.append(occurrence) }
    if occurrence.status == .cancelled { cancelled.add(occurrence) } else { taking.add(occurrence) }
  }

  /// Marks the row as not counted, with the end of its last occurrence.
  mutating func leaveUncounted(until end: Timestamp) {
    isWhole = false
    taking.end = max(taking.end, end)
    cancelled.end = max(cancelled.end, end)
  }

  /// Returns the rows of the day.
  ///
  /// - Parameter latest: A combined row ends no later.
  func rows(within latest: Timestamp) -> [Occurrence] {
    guard isCrowd else { return few }
    // Cancelled occurrences are left out if others take place.
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
  /// The most instances that the rules have on a day of their own clock.
  fileprivate var mostByRules: Int {
    master?.shared.event.recurrence.rules.reduce(0) { $0 + $1.mostInstancesADay } ?? 0
  }

  /// Whether a day may have more than ``CrowdedDays/mostRows`` occurrences.
  ///
  /// Two days of the rule's clock may fall on one day; each THISANDFUTURE override may move more to
  /// it.
  var canCrowd: Bool {
    let dates = (master?.shared.event.recurrence.added.count ?? 0) + overrides.count
    return 2 * mostByRules * (1 + futures.count) + dates > CrowdedDays.mostRows
  }
}
