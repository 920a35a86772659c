import CalendarModel
import CivilTime
import Recurrence

/// The first rows of each day, where some days have too many rows to keep them all, on their way out of the store.
///
/// They are read a few series at a time, as those of an ``AgendaCacheBuilder`` are; after a change the reading begins again.
final class FirstRowsOfDays {
  /// Of which events they are, and of which days.
  let filter: CalendarFilter
  let days: TimeSpan
  private let rule: CrowdedDays
  private let budget = WalkBudget(most: AgendaReader.mostSteps)
  private var lists: [EarliestOccurrences]
  private var keys: SeriesKeysInParts

  /// - Parameters:
  ///   - keys: of the series that can have an occurrence in the spans.
  ///   - spans: of each of them the first ``AgendaReader/mostOfDay`` come.
  ///   - now: of the span that has it the first ``AgendaReader/mostOfToday`` come, so that what runs is among them.
  init(
    _ filter: CalendarFilter, of keys: [Int64], in days: TimeSpan, spans: [TimeSpan],
    now: Timestamp?, zone: ZoneRules
  ) {
    self.filter = filter
    self.days = days
    self.keys = SeriesKeysInParts(keys)
    let rule = CrowdedDays(in: zone, steps: 0)
    self.rule = rule
    lists = spans.map { span in
      let isToday = now.map { span.start <= $0 && $0 < span.end } ?? false
      return EarliestOccurrences(
        in: span, limit: isToday ? AgendaReader.mostOfToday : AgendaReader.mostOfDay, days: rule)
    }
  }

  /// Whether all have been read.
  var isRead: Bool { keys.areTaken }
  /// The instances that were walked over.
  var steps: Int { rule.steps + budget.steps }

  /// The keys of those that are read next.
  func nextKeys() -> ArraySlice<Int64> { keys.next(after: steps) }

  /// Adds the first of a series. After so many steps there are none more of those that may crowd a day, and then of none
  /// that recur.
  func add(_ series: PlacedSeries, where isWanted: (Occurrence) -> Bool) {
    if series.canCrowd, rule.steps > AgendaReader.mostSteps { return }
    for index in lists.indices { lists[index].add(series, budget: budget, where: isWanted) }
  }

  /// Returns what was found; nothing is added after that.
  func rows() -> Set<Occurrence> {
    lists.reduce(into: Set()) { $0.formUnion($1.sorted()) }
  }
}

/// The keys of series that are read a few at a time.
struct SeriesKeysInParts {
  private let keys: [Int64]
  private var place = 0
  /// How many are read at once: few at first, since nothing is known of them.
  private var atOnce = 1
  private var stepsBefore = 0

  /// A hundred microseconds of reading: the clock is looked at after that.
  private static let mostAtOnce = 32
  /// So many steps take as long.
  private static let dearSteps = 1000

  init(_ keys: [Int64]) { self.keys = keys }

  /// Whether all have been taken.
  var areTaken: Bool { place == keys.count }

  /// - Parameter steps: The instances that were walked over so far.
  mutating func next(after steps: Int) -> ArraySlice<Int64> {
    let isDear = steps - stepsBefore > SeriesKeysInParts.dearSteps
    atOnce = isDear ? 1 : min(2 * atOnce, SeriesKeysInParts.mostAtOnce)
    stepsBefore = steps
    let next = keys[place..<min(place + atOnce, keys.count)]
    place = next.endIndex
    return next
  }
}
