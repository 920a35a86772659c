import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Recurrence

/// The rows of the days around today, placed once and kept in order: occurrences, and one for each day on which a
/// series is crowded (``CrowdedDays``).
///
/// Most questions are about these days, and a series without end is in each of
/// them: without this every answer would expand every such series anew. A change
/// of a few events mends the list; a great one, a new zone or a new day has it
/// made again at the next question.
final class AgendaCache {
  /// An occurrence at a place of its own in memory, so that tens of thousands are moved up for another
  /// without a look at any: an import that changes what is there mends the list a thousand times.
  private final class Kept {
    let occurrence: Occurrence

    init(_ occurrence: Occurrence) { self.occurrence = occurrence }
  }

  /// Where an occurrence lies, in seconds from the start of what is kept: half as long as a
  /// ``TimeSpan``, of which there are tens of thousands. What is decades away is as far as can be said.
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

  /// What is kept; nil until it is asked for.
  private var span: TimeSpan?
  private var items: [Kept] = []
  /// A number of each one's event, by which those of an event are found.
  private var numbers: [UInt16] = []
  /// Where each of them lies, side by side: the most of those that are looked at are passed by.
  private var places: [Place] = []
  /// `latestEnds[i]` is the last end among `items[0...i]`, so that what began
  /// long before a span is found without looking at all that did not.
  private var latestEnds: [Int32] = []

  /// The instances that were walked over, ever, for what was not kept: what answers cost.
  private(set) var walked = 0

  func note(steps: Int) { walked += steps }

  /// What is being read to be kept.
  var gathering: AgendaCacheBuilder?
  /// Whether so much was read to be kept, since somebody asked last, that memory is to be given
  /// back.
  var hasReadMany = false

  /// Returns ``hasReadMany``, which is over then.
  func takeHasReadMany() -> Bool {
    defer { hasReadMany = false }
    return hasReadMany
  }

  /// How many occurrences are kept.
  var count: Int { items.count }

  /// More events than this in one change, and the list is made again.
  private static let mendingLimit = 100

  /// Whether all occurrences of a span are kept.
  func holds(_ wanted: TimeSpan) -> Bool {
    guard let span else { return false }
    return span.start <= wanted.start && wanted.end <= span.end
  }

  /// Returns the occurrences that have an instant in common with `wanted` and meet a
  /// condition, in order; nil where they are not kept.
  ///
  /// - Parameter limit: the first so many.
  func occurrences(
    in wanted: TimeSpan, limit: Int = .max, where isWanted: (Occurrence) -> Bool = { _ in true }
  ) -> [Occurrence]? {
    guard holds(wanted), let origin = span?.start else { return nil }
    let near = Place(wanted, from: origin)
    // Those that start at the end of a span are beyond it, but for one that is
    // a moment itself.
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

  /// Whether one of them is the row of many (``CrowdedDays``).
  private(set) var isCrowded = false

  /// Keeps these from now on.
  ///
  /// - Parameter items: in order; everything that the span holds.
  func keep(_ items: [Occurrence], of span: TimeSpan) {
    readingFirstRows = nil
    tooFull = nil
    self.span = span
    put(items)
    measure()
  }

  /// The days that have too many rows to keep them all, and the first of each day that filters leave of them, until
  /// something changes.
  private var tooFull: (days: TimeSpan, first: [CalendarFilter: Set<Occurrence>])?
  /// A settings file has a few exports; callers may ask for any number of filters.
  static let mostFilters = 8
  /// What is being read of such days.
  var readingFirstRows: FirstRowsOfDays?
  /// How often what had been read was in vain, ever: of a change mostly.
  private(set) var begunAnew = 0

  /// Notes that what has been read is to be read anew.
  func noteInVain() { begunAnew += 1 }

  /// Whether these very days are known to have too many to keep them all.
  func isTooFull(in days: TimeSpan) -> Bool { tooFull?.days == days }

  /// Whether some days are known to have too many.
  var hasTooFullDays: Bool { tooFull != nil }

  /// Notes that these very days have too many to keep them all.
  func noteTooFull(in days: TimeSpan) {
    gathering = nil
    readingFirstRows = nil
    tooFull = (days, [:])
  }

  /// Reads something else of such days from now on.
  func begin(_ reading: FirstRowsOfDays) {
    if readingFirstRows != nil { begunAnew += 1 }
    readingFirstRows = reading
  }

  /// Returns the first rows of each of these very days; nil if they are not kept.
  func firstRows(of days: TimeSpan, _ filter: CalendarFilter) -> Set<Occurrence>? {
    isTooFull(in: days) ? tooFull?.first[filter] : nil
  }

  /// Keeps the first rows of days that have too many.
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

  /// Takes a change of events in.
  ///
  /// - Parameter rows: returns those in a span of what is left of an event in its calendar.
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
    // Most are passed by with one look at a table that the cache of the processor holds.
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

  /// Puts some among the others. A few find their places without all being compared anew.
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

extension RandomAccessCollection where Index == Int {
  /// Returns the first index whose element satisfies a condition that all
  /// elements after it satisfy, too.
  fileprivate func partitioningIndex(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
