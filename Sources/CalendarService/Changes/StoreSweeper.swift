import CalendarStore
import CivilTime
import Platform

/// Deletes expired data of the store in batches.
final class StoreSweeper {
  private let context: AgentContext
  private let storage: Storage
  /// Whether a batch is scheduled.
  private var isClearing = false

  init(_ context: AgentContext, storage: Storage) {
    self.context = context
    self.storage = storage
  }

  /// Deletes events that have been in the trash for 30 days.
  func passTime(_ store: EventStore) {
    do throws(StoreError) {
      try storage.noting { () throws(StoreError) in try store.passTime(now: context.clock.now) }
    } catch {
      context.log.error(localized("cannot empty the trash: {reason}", ["reason": error.text]))
    }
    clearAway(store)
  }

  /// Deletes expired data, a batch in each round of the loop, between which calls are answered.
  func clearAway(_ store: EventStore) {
    guard store.hasGarbage, !isClearing else { return }
    isClearing = true
    context.whenIdle { [weak self, weak store] in
      guard let self else { return }
      isClearing = false
      guard let store, storage.current === store else { return }
      do throws(StoreError) {
        try storage.noting { () throws(StoreError) in try store.sweep() }
      } catch {
        // The next change tries again.
        context.log.error(
          localized("cannot delete expired data: {reason}", ["reason": error.text]))
        return
      }
      clearAway(store)
    }
  }
}
