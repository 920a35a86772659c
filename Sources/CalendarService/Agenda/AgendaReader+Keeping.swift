import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform
import Recurrence

// What is kept of the days around today: how it is read, a part at a time if need be, and how it is
// mended after a change.

extension AgendaReader {
  /// Keeps the rows of a span at hand, of every calendar; false where there are too many.
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
    case tooFull
  }

  /// Does a part of what ``keep(_:)`` does.
  ///
  /// Of a hundred thousand events it takes a third of a second, for which nobody is to wait who
  /// asks for something else meanwhile.
  ///
  /// - Parameter nanoseconds: what the part takes, about; nil does all.
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
        // Without that part it is nothing to go on with.
        cache.gathering = nil
        throw error
      }
      if gathering.isTooFull {
        cache.noteTooFull(in: span)
        return .tooFull
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
    var isTooMuch = false
    let days = CrowdedDays(in: zones.local)
    let budget = WalkBudget(most: AgendaReader.mostSteps)
    defer { cache.note(steps: days.steps + budget.steps) }
    try cache.apply(names) { (name, span) throws(CallError) in
      let changed = try translated { () throws(StoreError) in
        try store.series(name.uid, in: name.calendar)
      }
      guard let changed else { return [] }
      // To place so many takes longer than a turn should: they are read with all others again, in parts.
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
