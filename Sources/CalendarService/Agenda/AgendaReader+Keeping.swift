import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform
import Recurrence

// How the cache of the days around today is read, in batches if need be, and updated.

extension AgendaReader {
  /// Caches the rows of a span, of every calendar; false if there are too many.
  func keep(_ span: TimeSpan) throws(CallError) -> Bool {
    _ = try gather(span, nanoseconds: nil)
    return cache.holds(span)
  }

  /// The state after a batch of ``keep(_:)``.
  enum Gathered: Equatable {
    /// Another batch is needed.
    case more
    /// All rows are cached.
    ///
    /// - Parameter isMany: whether this batch cached many rows, which takes as long as a batch.
    case kept(isMany: Bool)
    /// There are too many rows for the cache.
    case tooFull
  }

  /// Does a batch of ``keep(_:)``, so that other callers need not wait for all of it.
  ///
  /// - Parameter nanoseconds: how long the batch takes, about; nil does all.
  func gather(_ span: TimeSpan, nanoseconds: Int64?) throws(CallError) -> Gathered {
    if cache.holds(span) { return .kept(isMany: false) }
    if cache.isTooFull(in: span) { return .tooFull }
    let gathering: AgendaCacheBuilder
    if let begun = cache.gathering, begun.span == span {
      gathering = begun
    } else {
      gathering = AgendaCacheBuilder(
        of: try translated { () throws(StoreError) in try store.seriesKeys(touching: span) },
        in: span, zone: zones.local)
      cache.gathering = gathering
    }
    let (begin, walkedBefore) = (SystemCalls.monotonicNanoseconds(), gathering.steps)
    defer { cache.note(steps: gathering.steps - walkedBefore) }
    while !gathering.isRead {
      do throws(CallError) {
        try translated { () throws(StoreError) in
          try store.forEachSeries(withKeys: gathering.nextKeys()) { series in
            guard !gathering.isTooFull else { return }
            if let placed = prepared(series.brief(sharing: &gathering.rules)) {
              gathering.add(placed)
            }
          }
        }
      } catch {
        // Without that batch it is incomplete.
        cache.gathering = nil
        throw error
      }
      if gathering.isTooFull {
        cache.noteTooFull(in: span)
        return .tooFull
      }
      guard let nanoseconds else { continue }
      // Sorting many rows is a batch of its own.
      let rest = gathering.isRead && gathering.isMany ? 0 : nanoseconds
      if SystemCalls.monotonicNanoseconds() - begin > rest { return .more }
    }
    cache.gathering = nil
    let isMany = gathering.isMany
    cache.keep(gathering.inOrder(), of: span)
    // Series that have changed meanwhile are read again.
    do throws(CallError) {
      if !gathering.touched.isEmpty { try mend(Array(gathering.touched)) }
    } catch {
      cache.forget()
      throw error
    }
    if isMany { cache.hasReadMany = true }
    guard cache.holds(span) else {
      // A change that is too large for an update came while they were read.
      cache.noteInVain()
      return nanoseconds == nil ? try gather(span, nanoseconds: nil) : .more
    }
    return .kept(isMany: isMany)
  }

  /// Updates the cache after a change.
  func mend(_ changes: ChangeSet) throws(CallError) { try mend(changes.names) }

  private func mend(_ names: [SeriesName]) throws(CallError) {
    var isTooMuch = false
    let days = CrowdedDays(in: zones.local)
    let budget = WalkBudget(most: AgendaReader.mostSteps)
    defer { cache.note(steps: days.steps + budget.steps) }
    try cache.apply(names) { (name, span) throws(CallError) in
      let changed = try translated { () throws(StoreError) in
        try store.series(name.uid, in: name.calendar)
      }
      guard let changed else { return [] }
      // Expanding that many would delay other calls: the whole cache is read again, in batches.
      if changed.overrides.count > AgendaReader.mostExceptionsMended { isTooMuch = true }
      guard !isTooMuch, let placed = prepared(changed.brief) else { return [] }
      var found = EarliestOccurrences(in: span, atMost: AgendaReader.mostKept, days: days)
      found.add(placed, budget: budget) { _ in true }
      if found.isOverfull || budget.isSpent { isTooMuch = true }
      return found.sorted()
    }
    if isTooMuch || cache.count > AgendaReader.mostKept { cache.forget() }
  }
}
