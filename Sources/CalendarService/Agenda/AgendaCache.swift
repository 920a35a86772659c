import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Recurrence

/// The cache of the rows of the days around today, in order.
///
/// A row is an occurrence, or all occurrences of a series on a crowded day (``CrowdedDays``). Most
/// queries are about these days, and without the cache each would expand every endless series. A
/// change of a few events updates the cache; after a large change, or with a new zone or day, the
/// next query builds it again.
final class AgendaCache {
  /// A box for an occurrence, so that inserting one into tens of thousands moves only pointers.
  private final class Kept {
    let occurrence: Occurrence

    init(_ occurrence: Occurrence) { self.occurrence = occurrence }
  }

  /// The span of an occurrence, in seconds from the start of the cache.
  ///
  /// It has half the size of a ``TimeSpan``; times more than 68 years away are clamped.
  private struct Place {
    let start: Int32
    let end: Int32

    init(_ span: TimeSpan, from origin: Timestamp) {
      start = Int32(clamping: span.start.seconds - origin.seconds)
      end = Int32(clamping: span.end.seconds - origin.seconds)
    }

    func span(from origin: Timestamp) -> TimeSpan {
      TimeSpan(
        start: origin.adding(seconds: Int64(start)), end: origin.adding(seconds: Int64(end)))
    }
  }

  /// The span of the cache; nil while it is empty.
  private var span: TimeSpan?
  private var items: [Kept] = []
  /// A small hash of each item's series, to find the items of a series quickly.
  private var numbers: [UInt16] = []
  /// The span of each item; most items are skipped by it alone.
  private var places: [Place] = []
  /// `latestEnds[i]` is the last end among `items[0...i]`, to find long events that began early.
  private var latestEnds: [Int32] = []

  /// How many instances were expanded so far, as a measure of the cost of answers.
  private(set) var walked = 0

  func note(steps: Int) { walked += steps }

  /// The cache that is being built; nil if none is.
  var gathering: AgendaCacheBuilder?
  /// Whether so much was read that memory should be returned to the system.
  var hasReadMany = false

  /// Returns ``hasReadMany``, and resets it.
  func takeHasReadMany() -> Bool {
    defer { hasReadMany = false }
    return hasReadMany
  }

  /// How many rows are in the cache.
  var count: Int { items.count }

  /// The most events in a change that updates the cache; after a larger one it is built again.
  private static let mendingLimit = 100

  /// Whether all rows of a span are in the cache.
  func holds(_ wanted: TimeSpan) -> Bool {
    guard let span else { return false }
    return span.start <= wanted.start && wanted.end <= span.end
  }

  /// Returns the rows that overlap a span and meet a condition, in order; nil if not cached.
  ///
  /// - Parameter limit: the most rows to return.
  func occurrences(
    in wanted: TimeSpan, limit: Int = .max, where isWanted: (Occurrence) -> Bool = { _ in true }
  ) -> [Occurrence]? {
    guard holds(wanted), let origin = span?.start else { return nil }
    let near = Place(wanted, from: origin)
    // Rows that start at the end of the span are outside, unless the span is empty.
    let end = places.partitioningIndex { $0.start > near.end }
    var start = end
    while start > 0, latestEnds[start - 1] >= near.start { start -= 1 }
    var found: [Occurrence] = []
    for place in start..<end where places[place].span(from: origin).overlaps(wanted) {
      if found.count >= limit { break }
      let item = items[place].occurrence
      if isWanted(item) { found.append(item) }
    }
    return found
  }

  /// Whether one of the rows is for a crowded day (``CrowdedDays``).
  private(set) var isCrowded = false

  /// Replaces the cache.
  ///
  /// - Parameter items: all rows of the span, in order.
  func keep(_ items: [Occurrence], of span: TimeSpan) {
    readingFirstRows = nil
    tooFull = nil
    self.span = span
    put(items)
    measure()
  }

  /// Days with too many rows for the cache, and the first rows of each day by filter.
  private var tooFull: (days: TimeSpan, first: [CalendarFilter: Set<Occurrence>])?
  /// How many filters are read in advance; callers may use any number of filters.
  static let mostFilters = 8
  /// The first rows of such days that are being read; nil if none are.
  var readingFirstRows: FirstRowsOfDays?
  /// How often rows were read in vain, mostly because of a change.
  private(set) var begunAnew = 0

  /// Notes that rows must be read again.
  func noteInVain() { begunAnew += 1 }

  /// Whether exactly these days are known to have too many rows.
  func isTooFull(in days: TimeSpan) -> Bool { tooFull?.days == days }

  /// Whether any days are known to have too many rows.
  var hasTooFullDays: Bool { tooFull != nil }

  /// Notes that exactly these days have too many rows.
  func noteTooFull(in days: TimeSpan) {
    gathering = nil
    readingFirstRows = nil
    tooFull = (days, [:])
  }

  /// Notes that other first rows are being read.
  func begin(_ reading: FirstRowsOfDays) {
    if readingFirstRows != nil { begunAnew += 1 }
    readingFirstRows = reading
  }

  /// Returns the first rows of exactly these days; nil if not cached.
  func firstRows(of days: TimeSpan, _ filter: CalendarFilter) -> Set<Occurrence>? {
    isTooFull(in: days) ? tooFull?.first[filter] : nil
  }

  /// Stores the first rows of days that have too many.
  func keep(firstRows: Set<Occurrence>, of days: TimeSpan, _ filter: CalendarFilter) {
    readingFirstRows = nil
    var kept = isTooFull(in: days) ? tooFull?.first ?? [:] : [:]
    if kept.count >= 2 * AgendaCache.mostFilters {
      begunAnew += 1
      kept = [:]
    }
    kept[filter] = firstRows
    tooFull = (days, kept)
  }

  func forget() {
    if gathering != nil || tooFull != nil { begunAnew += 1 }
    gathering = nil
    readingFirstRows = nil
    tooFull = nil
    span = nil
    put([])
    measure()
  }

  /// Updates the cache after a change of events.
  ///
  /// - Parameter rows: returns the present rows of a series in a span.
  func apply(
    _ names: [SeriesName], _ rows: (SeriesName, TimeSpan) throws(CallError) -> [Occurrence]
  ) throws(CallError) {
    if let gathering { gathering.note(names) }
    let isTooMuch = gathering.map { $0.touched.count > AgendaCache.mendingLimit } ?? false
    if tooFull != nil || isTooMuch { begunAnew += 1 }
    readingFirstRows = nil
    tooFull = nil
    if isTooMuch { gathering = nil }
    guard let span else { return }
    guard names.count <= AgendaCache.mendingLimit else { return forget() }
    let touched = Set(names)
    removeAll(of: touched)
    var added: [Occurrence] = []
    for name in touched { added += try rows(name, span) }
    merge(added)
    measure()
  }

  private func put(_ occurrences: [Occurrence]) {
    items = occurrences.map(Kept.init)
    numbers = occurrences.map { AgendaCache.number(of: $0.seriesName) }
  }

  private static let numberCount = 1024
  private static func number(of name: SeriesName) -> UInt16 {
    UInt16(name.hashValue & (numberCount - 1))
  }

  private func removeAll(of touched: Set<SeriesName>) {
    // Most rows are skipped with one lookup in a small table.
    var table = [Bool](repeating: false, count: AgendaCache.numberCount)
    for name in touched { table[Int(AgendaCache.number(of: name))] = true }
    var left = 0
    for place in items.indices {
      if table[Int(numbers[place])], touched.contains(items[place].occurrence.seriesName) {
        continue
      }
      if left < place {
        items.swapAt(left, place)
        numbers.swapAt(left, place)
      }
      left += 1
    }
    items.removeSubrange(left...)
    numbers.removeSubrange(left...)
  }

  /// Inserts rows in order; a few without sorting all again.
  private func merge(_ added: [Occurrence]) {
    guard added.count <= AgendaCache.fewOccurrences else {
      var all = items.map(\.occurrence) + added
      all.putInOrder()
      return put(all)
    }
    for one in added {
      let place = items.partitioningIndex { Occurrence.precedes(one, $0.occurrence) }
      items.insert(Kept(one), at: place)
      numbers.insert(AgendaCache.number(of: one.seriesName), at: place)
    }
  }

  private static let fewOccurrences = 500

  private func measure() {
    let origin = span?.start ?? .earliest
    isCrowded = items.contains { $0.occurrence.count != 1 }
    var latest = Int32.min
    places = items.map { Place($0.occurrence.span, from: origin) }
    latestEnds = places.map { place in
      latest = max(latest, place.end)
      return latest
    }
  }
}

extension Occurrence {
  fileprivate var seriesName: SeriesName { SeriesName(calendar: calendar, uid: uid) }
}
