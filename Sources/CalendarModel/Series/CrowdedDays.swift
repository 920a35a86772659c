package import CivilTime
import Recurrence

/// Combines the occurrences of a day into one row if a series has more than 96 of them.
///
/// So an event that recurs each second, by mistake or malice, does not hide others. The row is an
/// ``Occurrence`` with a ``Occurrence/count`` other than 1. It has the texts of the first
/// occurrence and lasts from the first start to the last end, at most to the end of the next day.
/// An occurrence belongs to the day on which it begins.
///
/// Occurrences are counted only if the rules have at most ``mostCounted`` a day. Otherwise the walk
/// of a day ends after 97, and the last occurrence is searched. A plain rule is not even walked so
/// far: FREQ=SECONDLY takes six steps a day instead of 86,400.
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
    var crowd = Crowd()
    for override in series.overrides where day.contains(override.span.start) {
      crowd.add(series.place(override))
    }
    let overrides = crowd
    if series.mostByRules <= CrowdedDays.mostCounted, !counting.isSpent {
      let most = CrowdedDays.mostCounted
      if !count(series, on: day, from: day.start, most: most, in: &crowd), !crowd.isEmpty {
        crowd.leaveUncounted(until: last(of: series, on: day, from: crowd.lastStart).end)
      }
      return crowd
    }
    // There may be too many to count, so stop after 97.
    guard let first = first(of: series, on: day) else { return crowd }
    let start = first.span.start
    if isDense(series, on: day, from: start) {
      crowd.add(first)
    } else if count(series, on: day, from: start, most: CrowdedDays.mostRows, in: &crowd) {
      return crowd
    }
    let last = last(of: series, on: day, from: crowd.lastStart)
    if last.start.seconds - start.seconds < CrowdedDays.mostCounted {
      // The rules begin or end on this day; at one a second there are few enough to count.
      crowd = overrides
      if count(series, on: day, from: start, most: CrowdedDays.mostCounted, in: &crowd) {
        return crowd
      }
    }
    // Counted or not, a row must have the same end: a cursor contains it.
    crowd.leaveUncounted(until: last.end)
    return crowd
  }

  /// Adds the occurrences of a day that are no overrides, until there are more than `most`.
  ///
  /// - Returns: Whether there are no more.
  private func count(
    _ series: SeriesExpansion, on day: TimeSpan, from start: Timestamp, most: Int,
    in crowd: inout Crowd
  ) -> Bool {
    // Excluded instances take steps, too.
    let own = WalkBudget(most: 2 * most + 200)
    let last = day.end.adding(seconds: -1)
    series.forEachOccurrence(in: day, startingFrom: start, through: last, budget: own) {
      // Overrides come first and take no steps.
      if own.steps > 0, $0.span.start < day.end { crowd.add($0) }
      return crowd.total <= most ? last : CrowdedDays.noMore
    }
    (most > CrowdedDays.mostRows ? counting : sampling).take(own.steps)
    return !own.isSpent && crowd.total <= most
  }

  /// Returns the first occurrence of a day that is no override.
  private func first(of series: SeriesExpansion, on day: TimeSpan) -> Occurrence? {
    var (before, from) = (day.start, day.start)
    while from < day.end {
      switch search(series, from: from, before: day.end, ordinary: true) {
      case .found(let found) where from == day.start: return found
      case .found(let found): return first(of: series, after: before, or: found)
      case .none: return nil
      case .unknown:
        // An EXRULE may exclude the first hours of the day.
        if searching.isSpent { return nil }
        (before, from) = (from, from.adding(seconds: 3600))
      }
    }
    return nil
  }

  /// Whether a plain rule has more than ``mostRows`` occurrences from `start` on.
  ///
  /// One search instead of 97 steps.
  private func isDense(
    _ series: SeriesExpansion, on day: TimeSpan, from start: Timestamp
  ) -> Bool {
    guard let step = series.evenStep(after: start) else { return false }
    let end = start.adding(seconds: step * Int64(CrowdedDays.mostRows))
    guard end < day.end else { return false }
    if case .found = search(series, from: end, before: end.adding(seconds: 1)) { return true }
    return false
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
  /// It is the longest of those that begin at the same time.
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
      let span = $0.span
      if span.start < end, own.steps > 0 || !isOrdinary,
        found.map({ (span.start, $0.span.end) < ($0.span.start, span.end) }) ?? true
      {
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

  /// Returns the time of the last occurrence that begins on a day.
  ///
  /// It is searched backwards from the end of the day, then by bisection.
  ///
  /// - Parameter start: The start of some occurrence of the day.
  private func last(
    of series: SeriesExpansion, on day: TimeSpan, from start: Timestamp
  ) -> TimeSpan {
    // The search finds it again, so as to return its end.
    var last = TimeSpan(start: start.adding(seconds: -1), end: start)
    var (end, back) = (day.end, Int64(1))
    while end.seconds - last.start.seconds > 1 {
      let half = last.start.adding(seconds: (end.seconds - last.start.seconds) / 2)
      let middle = max(half, end.adding(seconds: -back))
      if case .found(let later) = search(series, from: middle, before: end) {
        (last, back) = (later.span, 86_400)
      } else {
        (end, back) = (middle, back * 2)
      }
    }
    return last
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
  private(set) var total = 0
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
  /// The latest start of the occurrences that were added.
  private(set) var lastStart = Timestamp.earliest

  mutating func add(_ occurrence: Occurrence) {
    total += 1
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
