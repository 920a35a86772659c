import CalendarModel
import CivilTime
import Recurrence

/// Reads the first rows of each day from the store, if the days have too many for the cache.
///
/// Like ``AgendaCacheBuilder`` it reads a few series at a time. After a change it starts again.
final class FirstRowsOfDays {
  /// The filter of the events.
  let filter: CalendarFilter
  let days: TimeSpan
  private let rule: CrowdedDays
  private let budget = WalkBudget(most: AgendaReader.mostSteps)
  private var lists: [EarliestOccurrences]
  private var keys: SeriesKeysInParts

  /// - Parameters:
  ///   - keys: the keys of the series that can have an occurrence in the spans.
  ///   - spans: the days, of which the first ``AgendaReader/mostOfDay`` rows are read.
  ///   - now: an instant in a span of which the first ``AgendaReader/mostOfToday`` rows are read,
  ///     so that the running events are among them.
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

  /// Whether all series have been read.
  var isRead: Bool { keys.areTaken }
  /// How many instances were expanded.
  var steps: Int { rule.steps + budget.steps }

  /// Returns the keys of the series to read next.
  func nextKeys() -> ArraySlice<Int64> { keys.next(after: steps) }

  /// Adds the first rows of a series.
  ///
  /// After ``AgendaReader/mostSteps`` steps it ignores series that may crowd a day, and after as
  /// many for the others all that recur.
  func add(_ series: PlacedSeries, where isWanted: (Occurrence) -> Bool) {
    if series.canCrowd, rule.steps > AgendaReader.mostSteps { return }
    for index in lists.indices { lists[index].add(series, budget: budget, where: isWanted) }
  }

  /// Returns the rows; nothing may be added after that.
  func rows() -> Set<Occurrence> {
    lists.reduce(into: Set()) { $0.formUnion($1.sorted()) }
  }
}

/// The keys of series to read, a few at a time.
struct SeriesKeysInParts {
  private let keys: [Int64]
  private var place = 0
  /// How many are read at once: few at first, since their cost is not known.
  private var atOnce = 1
  private var stepsBefore = 0

  /// Reading this many takes some hundred microseconds; then the caller checks the clock.
  private static let mostAtOnce = 32
  /// This many steps take as long.
  private static let dearSteps = 1000

  init(_ keys: [Int64]) { self.keys = keys }

  /// Whether all keys have been returned.
  var areTaken: Bool { place == keys.count }

  /// - Parameter steps: how many instances were expanded so far.
  mutating func next(after steps: Int) -> ArraySlice<Int64> {
    let isDear = steps - stepsBefore > SeriesKeysInParts.dearSteps
    atOnce = isDear ? 1 : min(2 * atOnce, SeriesKeysInParts.mostAtOnce)
    stepsBefore = steps
    let next = keys[place..<min(place + atOnce, keys.count)]
    place = next.endIndex
    return next
  }
}
