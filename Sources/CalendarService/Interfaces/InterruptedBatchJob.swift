import CalendarBus
import CalendarModel
import CalendarStore

/// Takes back, in slices between which others are answered, a change of many events that an agent has left which was
/// killed in the middle of it.
///
/// Until its end changes are refused as busy, as they were in the middle of it; where the disk takes nothing, State and
/// StateReason say that, and what writes later has it tried again.
final class InterruptedBatchJob {
  private weak var agent: CalendarAgent?
  private let store: EventStore
  private let unfinished: InterruptedBatch
  /// What could be taken back and done again before.
  private let couldBe: (Bool, Bool)
  /// The most events of a part; to put one back takes as long as to take out several.
  private static let partCount = 250

  /// - Parameter unfinished: of the store.
  init(_ unfinished: InterruptedBatch, of store: EventStore, agent: CalendarAgent) {
    self.unfinished = unfinished
    self.store = store
    self.agent = agent
    couldBe = (store.canUndo, store.canRedo)
  }

  func begin() {
    agent?.whenIdle { self.step() }
  }

  private func step() {
    // The agent may have ended.
    guard let agent, agent.storage.current === store else { return }
    let taken = agent.takeBackSome("what was left of a change could not be taken back") {
      (isLate, tell) throws(StoreError) in
      try unfinished.discard(limit: InterruptedBatchJob.partCount, isLate: isLate, tell: tell)
    }
    switch taken {
    case .goesOn: begin()
    case .isOver:
      agent.storage.wrote()
      agent.tellSteps(store, before: couldBe)
      agent.clearAway(store)
      agent.whenIdle { [store] in store.tidyJournal() }
      agent.staging.end()
    case .fails(let failure):
      agent.staging.interrupt(.batch(self))
      agent.staging.end(failure)
    }
  }
}
