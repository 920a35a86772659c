import CalendarModel
import CalendarStore
import CivilTime
import Recurrence

/// The occurrences of the days that are to be kept, on their way out of the store.
///
/// They are read a few series at a time; others are answered meanwhile, and change what has been read.
final class AgendaCacheBuilder {
  let span: TimeSpan
  /// What may be walked over, until what is left counts as a flood.
  let trial = WalkBudget(most: AgendaReader.mostTried)
  /// In no order.
  private var found: [Occurrence] = []
  /// Whether there are too many.
  private(set) var isFlooded = false
  /// The events that were changed since it began.
  private(set) var touched: Set<SeriesName> = []

  /// The rules of what was found.
  var rules = SharedRules()

  private var keys: SeriesKeysInParts

  /// - Parameter keys: of the series that can have an occurrence in the span.
  init(of keys: [Int64], in span: TimeSpan) {
    self.keys = SeriesKeysInParts(keys)
    self.span = span
  }

  /// Whether all have been read.
  var isRead: Bool { keys.areTaken }

  /// Whether there are so many that what was read for them takes megabytes.
  var isMany: Bool { found.count >= AgendaReader.many }

  /// Returns what was found in order, and lets go of it.
  func inOrder() -> [Occurrence] {
    var found: [Occurrence] = []
    swap(&found, &self.found)
    found.putInOrder()
    return found
  }

  /// The keys of those that are read next.
  func nextKeys() -> ArraySlice<Int64> { keys.next() }

  /// - Parameter occurrences: of one series; nil if it floods the span alone.
  func add(_ occurrences: [Occurrence]?) {
    guard let occurrences else { return isFlooded = true }
    found += occurrences
    if found.count > AgendaReader.mostKept { isFlooded = true }
  }

  func note(_ names: [SeriesName]) { touched.formUnion(names) }
}
