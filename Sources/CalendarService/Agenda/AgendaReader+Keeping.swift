import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform
import Recurrence

// What is kept of the days around today: how it is read, a part at a time if need be, and how it is
// mended after a change.

extension AgendaReader {
  /// Keeps the occurrences of a span at hand, of every calendar; false where they
  /// flood it.
  func keep(_ span: TimeSpan) throws(CallError) -> Bool {
    _ = try gather(span, nanoseconds: nil)
    return cache.holds(span)
  }

  /// What there is after a part of ``keep(_:)``.
  enum Gathered: Equatable {
    /// Another part is left to do.
    case more
    /// All is kept.
    ///
    /// - Parameter isMany: whether this part had many to keep, which takes as long as another one.
    case kept(isMany: Bool)
    /// There are too many to keep them all.
    case flooded
  }

  /// Does a part of what ``keep(_:)`` does.
  ///
  /// Of a hundred thousand events it takes a third of a second, for which nobody is to wait who
  /// asks for something else meanwhile.
  ///
  /// - Parameter nanoseconds: what the part takes, about; nil does all.
  func gather(_ span: TimeSpan, nanoseconds: Int64?) throws(CallError) -> Gathered {
    if cache.holds(span) { return .kept(isMany: false) }
    if cache.isFlooded(in: span) { return .flooded }
    let gathering: AgendaCacheBuilder
    if let begun = cache.gathering, begun.span == span {
      gathering = begun
    } else {
      gathering = AgendaCacheBuilder(
        of: try translated { () throws(StoreError) in try store.seriesKeys(touching: span) },
        in: span)
      cache.gathering = gathering
    }
    let (begin, trial) = (SystemCalls.monotonicNanoseconds(), gathering.trial)
    let walkedBefore = trial.steps
    defer { cache.note(steps: trial.steps - walkedBefore) }
    while !gathering.isRead {
      do throws(CallError) {
        try translated { () throws(StoreError) in
          try store.forEachSeries(withKeys: gathering.nextKeys()) { series in
            guard !gathering.isFlooded else { return }
            gathering.add(few(of: series.brief(sharing: &gathering.rules), in: span, trial))
          }
        }
      } catch {
        // Without that part it is nothing to go on with.
        cache.gathering = nil
        throw error
      }
      if gathering.isFlooded {
        cache.noteFlooded(in: span)
        return .flooded
      }
      guard let nanoseconds else { continue }
      // To put many in order is a part of its own.
      let rest = gathering.isRead && gathering.isMany ? 0 : nanoseconds
      if SystemCalls.monotonicNanoseconds() - begin > rest { return .more }
    }
    cache.gathering = nil
    let isMany = gathering.isMany
    cache.keep(gathering.inOrder(), of: span)
    // What has changed meanwhile is read once more.
    do throws(CallError) {
      if !gathering.touched.isEmpty { try mend(Array(gathering.touched)) }
    } catch {
      cache.forget()
      throw error
    }
    if isMany { cache.hasReadMany = true }
    guard cache.holds(span) else {
      // A change that is too much to be mended came while they were read.
      cache.noteInVain()
      return nanoseconds == nil ? try gather(span, nanoseconds: nil) : .more
    }
    return .kept(isMany: isMany)
  }

  /// Mends what is kept after a change.
  func mend(_ changes: ChangeSet) throws(CallError) { try mend(changes.names) }

  private func mend(_ names: [SeriesName]) throws(CallError) {
    var isFlooded = false
    let trial = WalkBudget(most: AgendaReader.mostTried)
    defer { cache.note(trial) }
    try cache.apply(names) { (name, span) throws(CallError) in
      let changed = try translated { () throws(StoreError) in
        try store.series(name.uid, in: name.calendar)
      }
      guard let changed else { return [] }
      // To place so many takes longer than a turn should: they are read with all others again, in parts.
      if changed.overrides.count > AgendaReader.mostExceptionsMended {
        isFlooded = true
        return []
      }
      guard let few = few(of: changed.brief, in: span, trial) else {
        isFlooded = true
        return []
      }
      return few
    }
    if isFlooded || cache.count > AgendaReader.mostKept { cache.forget() }
  }

  /// Returns the occurrences of a series in a span, none of one that cannot be placed; nil if it
  /// floods it.
  ///
  /// - Parameter trial: what may be walked over to find that out; where it is spent,
  ///   every series that recurs counts as a flood.
  private func few(
    of series: EventSeries, in span: TimeSpan, _ trial: WalkBudget
  ) -> [Occurrence]? {
    guard let placed = prepared(series) else { return [] }
    return few(of: series, placed, in: span, trial)
  }

  /// The same of a series that is made ready.
  func few(
    of series: EventSeries, _ placed: PlacedSeries, in span: TimeSpan, _ trial: WalkBudget
  ) -> [Occurrence]? {
    if let single = placed.single { return single.span.overlaps(span) ? [single] : [] }
    guard series.isRecurring else {
      var found = EarliestOccurrences(in: span, limit: .max)
      found.add(placed, budget: nil) { _ in true }
      return found.sorted()
    }
    if trial.isSpent || series.master?.recurrence.isTooDenseToRing ?? false { return nil }
    var found = EarliestOccurrences(in: span, atMost: AgendaReader.flood - 1)
    found.add(placed, budget: trial) { _ in true }
    return found.isOverfull || trial.isSpent ? nil : found.sorted()
  }
}
