import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform

/// Makes readers of the agenda from the store, and updates their cache.
final class AgendaSource {
  let context: AgentContext
  let storage: Storage
  let cache: AgendaCache
  /// The series with invalid times that were reported already.
  private var badSeries: Set<EventUID> = []

  init(_ context: AgentContext, storage: Storage, cache: AgendaCache) {
    self.context = context
    self.storage = storage
    self.cache = cache
  }

  var revision: UInt64 { storage.current?.revision ?? 0 }

  /// Returns a reader of the present store.
  ///
  /// - Parameter isCall: whether it is for a call. After a failed write, a call tries to write
  ///   again; the agent's own queries do not, since a small test write may succeed too early.
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  func reader(isCall: Bool = true) throws(CallError) -> AgendaReader {
    let store: EventStore
    if !isCall, let current = storage.current {
      store = current
    } else {
      store = try storage.store()
    }
    let calendars = try translated { () throws(StoreError) in try store.calendars() }
    return AgendaReader(
      store: store, calendars: calendars, zones: context.zoneContext, cache: cache
    ) { [unowned self] in reportBad($0, $1) }
  }

  func mend(_ changes: ChangeSet) {
    do {
      let reader = try reader()
      try reader.mend(changes)
    } catch {
      // The next query reads the store, and reports its problem.
      cache.forget()
    }
  }

  func reportBad(_ series: EventSeries, _ error: CivilTimeError) {
    guard badSeries.insert(series.uid).inserted else { return }
    context.log.warning(
      localized(
        "the event {uid} has invalid times and is not shown: {reason}",
        ["uid": series.uid.text, "reason": error.text]))
  }
}
