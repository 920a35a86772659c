import CalendarBus
import CalendarModel
import CalendarStore

/// Takes back, in slices between which others are answered, a change of many events that an agent has left which was
/// killed in the middle of it.
///
/// Until its end changes are refused as busy, as they were in the middle of it; where the disk takes nothing, State and
/// StateReason say that, and what writes later has it tried again.
final class InterruptedBatchJob {
  private weak var changes: ChangeRunner?
  private let store: EventStore
  private let unfinished: InterruptedBatch
  /// What could be taken back and done again before.
  private let couldBe: (Bool, Bool)
  /// The most events of a part; to put one back takes as long as to take out several.
  private static let partCount = 250

  /// - Parameter unfinished: of the store.
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
    // The agent may have ended.
    guard let changes, changes.storage.current === store else { return }
    let taken = changes.takeBackSome("what was left of a change could not be taken back") {
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
