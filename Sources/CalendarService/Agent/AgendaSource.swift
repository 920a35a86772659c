import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform

/// Makes readers of the agenda from the store, and says which calendars a caller means.
final class AgendaSource {
  let context: AgentContext
  let storage: Storage
  let cache: AgendaCache
  /// Series that cannot be placed, each reported once.
  private var badSeries: Set<EventUID> = []

  init(_ context: AgentContext, storage: Storage, cache: AgendaCache) {
    self.context = context
    self.storage = storage
    self.cache = cache
  }

  var revision: UInt64 { storage.current?.revision ?? 0 }

  /// - Parameter isCall: whether somebody waits for an answer. A call tries whether the store can
  ///   be written again where it could not; what the agent looks at by itself does not, since what
  ///   little it tries may find room where the change that was refused did not.
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
      // The next question reads the store, and says what is wrong with it.
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
