import CalendarModel
import CivilTime
import Recurrence

/// What a view shows of days that have too many occurrences to keep them all.
enum ShownOfFlood: Hashable {
  /// The first of each day, and all of some of those that flood nothing by themselves.
  case days(CalendarFilter)
  /// The first of those that have an instant in common with a span.
  case running(TimeSpan, CalendarFilter)

  var excerpt: CalendarFilter {
    switch self {
    case .days(let excerpt), .running(_, let excerpt): excerpt
    }
  }
}

/// The occurrences that a view shows of days that are flooded, on their way out of the store.
///
/// They are read a few series at a time, as those of an ``AgendaCacheBuilder`` are; a change has the reading
/// begin anew.
final class OverloadSampling {
  /// Of what it is, and of which days: those that are known to be flooded.
  let shown: ShownOfFlood
  let days: TimeSpan
  /// What may be walked over to find out whether a series floods the days by itself.
  let trial = WalkBudget(most: AgendaReader.mostTried)
  private let budget = WalkBudget(most: AgendaReader.mostSteps)
  /// The first of each of some spans.
  private var lists: [EarliestOccurrences]
  private var whole: Set<Occurrence> = []
  private var keys: SeriesKeysInParts
  /// How many are read at once: few at first, since nothing is known of them.
  private var atOnce = 1
  private var stepsBefore = 0
  private static let dearSteps = 1000

  /// - Parameters:
  ///   - keys: of the series that can have an occurrence in the spans.
  ///   - spans: of each of them the first ``AgendaReader/mostOfDay`` come.
  init(_ shown: ShownOfFlood, of keys: [Int64], in days: TimeSpan, spans: [TimeSpan]) {
    self.shown = shown
    self.days = days
    self.keys = SeriesKeysInParts(keys)
    lists = spans.map { EarliestOccurrences(in: $0, limit: AgendaReader.mostOfDay) }
  }

  /// Whether all have been read.
  var isRead: Bool { keys.areTaken }
  /// The instances that were walked over.
  var steps: Int { trial.steps + budget.steps }

  /// The keys of those that are read next.
  func nextKeys() -> ArraySlice<Int64> {
    // One that fires each second takes as long as a hundred that do not.
    let isDear = steps - stepsBefore > OverloadSampling.dearSteps
    atOnce = isDear ? 1 : min(2 * atOnce, SeriesKeysInParts.mostAtOnce)
    stepsBefore = steps
    return keys.next(atOnce)
  }

  /// Whether there is room for a series whose occurrences all come.
  var hasRoom: Bool {
    if case .days = shown { whole.count < AgendaReader.mostOfFlood } else { false }
  }

  func add(whole occurrences: some Sequence<Occurrence>) { whole.formUnion(occurrences) }

  /// Adds the first of a series.
  func add(_ series: PlacedSeries, where isWanted: (Occurrence) -> Bool) {
    for index in lists.indices { lists[index].add(series, budget: budget, where: isWanted) }
  }

  /// Returns what was found; nothing is added after that.
  func occurrences() -> Set<Occurrence> {
    var found = whole
    for list in lists { found.formUnion(list.sorted()) }
    return found
  }
}

/// The keys of series that are read a few at a time.
struct SeriesKeysInParts {
  private let keys: [Int64]
  private var place = 0

  init(_ keys: [Int64]) { self.keys = keys }

  /// A hundred microseconds of reading: the clock is looked at after that.
  static let mostAtOnce = 32

  /// Whether all have been taken.
  var areTaken: Bool { place == keys.count }

  mutating func next(_ count: Int = mostAtOnce) -> ArraySlice<Int64> {
    let next = keys[place..<min(place + count, keys.count)]
    place = next.endIndex
    return next
  }
}
