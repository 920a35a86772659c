import CalendarStore
import CivilTime

/// Clears away what the store keeps no longer.
final class StoreSweeper {
  private let context: AgentContext
  private let storage: Storage
  /// Whether a part of it is to be cleared away soon.
  private var isClearing = false

  init(_ context: AgentContext, storage: Storage) {
    self.context = context
    self.storage = storage
  }

  /// Lets go of what has been in the trash for 30 days. Whatever shows days wakes at
  /// midnight, and every change looks as well.
  func passTime(_ store: EventStore) {
    do throws(StoreError) {
      try storage.noting { () throws(StoreError) in try store.passTime(now: context.clock.now) }
    } catch {
      context.log.error("the trash could not be looked at: \(error)")
    }
    clearAway(store)
  }

  /// Clears away what the store keeps no longer, a part in each round of the loop, so that
  /// callers are answered in between.
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
        context.log.error("what is not kept any more could not be cleared away: \(error)")
        return
      }
      clearAway(store)
    }
  }
}
