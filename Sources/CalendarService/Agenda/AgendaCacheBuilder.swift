import CalendarModel
import CalendarStore
import CivilTime
import Recurrence

/// The rows of the days that are to be kept, on their way out of the store.
///
/// They are read a few series at a time; others are answered meanwhile, and change what has been read.
final class AgendaCacheBuilder {
  let span: TimeSpan
  /// By what rule a series is one row for a day.
  private let days: CrowdedDays
  private let budget = WalkBudget(most: AgendaReader.mostSteps)
  private var found: EarliestOccurrences
  /// The events that were changed since it began.
  private(set) var touched: Set<SeriesName> = []

  /// The rules of what was found.
  var rules = SharedRules()

  private var keys: SeriesKeysInParts

  /// - Parameter keys: of the series that can have an occurrence in the span.
  init(of keys: [Int64], in span: TimeSpan, zone: ZoneRules) {
    self.keys = SeriesKeysInParts(keys)
    self.span = span
    days = CrowdedDays(in: zone)
    found = EarliestOccurrences(in: span, atMost: AgendaReader.mostKept, days: days)
  }

  /// The instances that were walked over.
  var steps: Int { days.steps + budget.steps }

  /// Whether all have been read.
  var isRead: Bool { keys.areTaken }

  /// Whether there are too many, or it takes too long to find them.
  var isTooFull: Bool { found.isOverfull || budget.isSpent }

  /// Whether there are so many that what was read for them takes megabytes.
  var isMany: Bool { found.count >= AgendaReader.many }

  /// Returns what was found in order, and lets go of it.
  func inOrder() -> [Occurrence] {
    let rows = found
    found = EarliestOccurrences(in: span, atMost: 0)
    return rows.sorted()
  }

  /// The keys of those that are read next.
  func nextKeys() -> ArraySlice<Int64> { keys.next(after: steps) }

  func add(_ series: PlacedSeries) { found.add(series, budget: budget) { _ in true } }

  func note(_ names: [SeriesName]) { touched.formUnion(names) }
}
