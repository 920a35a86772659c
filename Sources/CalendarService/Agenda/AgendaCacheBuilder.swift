import CalendarModel
import CalendarStore
import CivilTime
import Recurrence

/// Reads the rows for the cache from the store, a few series at a time.
///
/// Calls are answered in between, and may change events that were read already.
final class AgendaCacheBuilder {
  let span: TimeSpan
  /// The rule that makes a series one row on a crowded day.
  private let days: CrowdedDays
  private let budget = WalkBudget(most: AgendaReader.mostSteps)
  private var found: EarliestOccurrences
  /// The series that were changed since it began.
  private(set) var touched: Set<SeriesName> = []

  /// The recurrence rules that were read.
  var rules = SharedRules()

  private var keys: SeriesKeysInParts

  /// - Parameter keys: the keys of the series that can have an occurrence in the span.
  init(of keys: [Int64], in span: TimeSpan, zone: ZoneRules) {
    self.keys = SeriesKeysInParts(keys)
    self.span = span
    days = CrowdedDays(in: zone)
    found = EarliestOccurrences(in: span, atMost: AgendaReader.mostKept, days: days)
  }

  /// How many instances were expanded.
  var steps: Int { days.steps + budget.steps }

  /// Whether all series have been read.
  var isRead: Bool { keys.areTaken }

  /// Whether there are too many rows, or finding them takes too long.
  var isTooFull: Bool { found.isOverfull || budget.isSpent }

  /// Whether reading so many rows takes megabytes of memory.
  var isMany: Bool { found.count >= AgendaReader.many }

  /// Removes and returns the rows, in order.
  func inOrder() -> [Occurrence] {
    let rows = found
    found = EarliestOccurrences(in: span, atMost: 0)
    return rows.sorted()
  }

  /// Returns the keys of the series to read next.
  func nextKeys() -> ArraySlice<Int64> { keys.next(after: steps) }

  func add(_ series: PlacedSeries) { found.add(series, budget: budget) { _ in true } }

  func note(_ names: [SeriesName]) { touched.formUnion(names) }
}
