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
  private let budget = WalkBudget(most: .max)
  private var found: EarliestOccurrences
  /// The events that were changed since it began.
  private(set) var touched: Set<SeriesName> = []

  /// The rules of what was found.
  var rules = SharedRules()

  private let keys: [Int64]
  private var place = 0
  /// A hundred microseconds of reading: the clock is looked at after that.
  private static let mostAtOnce = 32

  /// - Parameter keys: of the series that can have an occurrence in the span.
  init(of keys: [Int64], in span: TimeSpan, zone: ZoneRules) {
    self.keys = keys
    self.span = span
    days = CrowdedDays(in: zone)
    found = EarliestOccurrences(in: span, atMost: AgendaReader.mostKept, days: days)
  }

  /// The instances that were walked over.
  var steps: Int { days.steps + budget.steps }

  /// Whether all have been read.
  var isRead: Bool { place == keys.count }

  /// Whether there are too many.
  var isTooFull: Bool { found.isOverfull }

  /// Whether there are so many that what was read for them takes megabytes.
  var isMany: Bool { found.count >= AgendaReader.many }

  /// Returns what was found in order, and lets go of it.
  func inOrder() -> [Occurrence] {
    let rows = found
    found = EarliestOccurrences(in: span, atMost: 0)
    return rows.sorted()
  }

  /// The keys of those that are read next.
  func nextKeys() -> ArraySlice<Int64> {
    let next = keys[place..<min(place + Self.mostAtOnce, keys.count)]
    place = next.endIndex
    return next
  }

  func add(_ series: PlacedSeries) { found.add(series, budget: budget) { _ in true } }

  func note(_ names: [SeriesName]) { touched.formUnion(names) }
}
