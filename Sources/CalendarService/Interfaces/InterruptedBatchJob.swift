import CalendarBus
import CalendarModel
import CalendarStore
import Platform

/// The undoing of a change of many events during which an earlier agent was killed, in batches
/// between which other calls are answered.
///
/// Until it is done, changes are refused as busy. If the disk cannot be written, State and
/// StateReason say so, and the next successful write starts it again.
final class InterruptedBatchJob {
  private weak var agent: CalendarAgent?
  private let store: EventStore
  private let unfinished: InterruptedBatch
  /// Whether something could be undone and redone before.
  private let couldBe: (Bool, Bool)
  /// The most events of a batch; to restore one takes as long as to remove several.
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
    let taken = agent.takeBackSome(localized("an interrupted change could not be undone")) {
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
      agent.stagingEnded()
    case .fails(let failure):
      agent.resumeStaged = { self.begin() }
      agent.stagingEnded(failure)
    }
  }
}
