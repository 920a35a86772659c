import CalendarBus
import CalendarModel
import CalendarStore
import Platform

/// Rolls back a change of many events during which an earlier agent was killed.
///
/// It works in batches between which other calls are answered. Until it is done, changes are
/// refused as busy. If the disk cannot be written, the next successful write starts it again.
final class InterruptedBatchJob {
  private weak var changes: ChangeRunner?
  private let store: EventStore
  private let unfinished: InterruptedBatch
  /// Whether there was something to undo, and to redo, before.
  private let couldBe: (Bool, Bool)
  /// The most events of a batch.
  private static let partCount = 250

  /// - Parameter unfinished: the interrupted change in the store.
  init(_ unfinished: InterruptedBatch, of store: EventStore, changes: ChangeRunner) {
    self.unfinished = unfinished
    self.store = store
    self.changes = changes
    couldBe = (store.canUndo, store.canRedo)
  }

  func begin() {
    changes?.context.whenIdle { self.step() }
  }

  private func step() {
    // The store may have been closed.
    guard let changes, changes.storage.current === store else { return }
    let taken = changes.takeBackSome(localized("an interrupted change could not be undone")) {
      (isLate, tell) throws(StoreError) in
      try unfinished.discard(limit: InterruptedBatchJob.partCount, isLate: isLate, tell: tell)
    }
    switch taken {
    case .goesOn: begin()
    case .isOver:
      changes.storage.wrote()
      changes.bus.tellSteps(store, before: couldBe)
      changes.sweeper.clearAway(store)
      changes.context.whenIdle { [store] in store.tidyJournal() }
      changes.staging.end()
    case .fails(let failure):
      changes.staging.interrupt(.batch(self))
      changes.staging.end(failure)
    }
  }
}
