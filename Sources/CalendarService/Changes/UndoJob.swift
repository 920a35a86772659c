import CalendarBus
import CalendarModel
import CalendarStore
import DBus
import Platform

/// Undoes or redoes a step with many events, in batches between which other calls are answered.
final class UndoJob {
  private weak var changes: ChangeRunner?
  private weak var longWork: LongWork?
  private let caller: String
  private let answer: MethodAnswer
  private let store: EventStore
  private let turned: BatchedUndo
  /// Whether there was something to undo, and to redo, before.
  private let couldBe: (Bool, Bool)
  private var isChecked = false
  /// The error that it is rolled back for; nil once the caller has the answer.
  private var failure: CallError?
  private var isDiscarding = false

  /// The most events of a batch; a slow batch ends sooner, after a limited time.
  static let partCount = 50

  /// - Parameter turned: an undo or redo that has just begun.
  init(
    _ turned: BatchedUndo, of store: EventStore, changes: ChangeRunner, longWork: LongWork,
    caller: String,
    _ answer: @escaping MethodAnswer
  ) {
    self.turned = turned
    self.store = store
    self.changes = changes
    self.longWork = longWork
    self.caller = caller
    self.answer = answer
    couldBe = (store.canUndo, store.canRedo)
  }

  /// Runs the batches, the first one at once.
  func begin() {
    longWork?.run(for: caller) { self.step() }
  }

  /// Continues a rollback that has failed.
  func resume() {
    changes?.context.whenIdle { self.begin() }
  }

  /// Does a batch; false if nothing is left to do, or nothing can be done for now.
  private func step() -> Bool {
    guard let changes else { return false }
    guard changes.storage.current === store else {
      answer(
        .failure(
          changes.storage.failure
            ?? CallError(.storageFailed, localized("the database was closed"))))
      return false
    }
    if isDiscarding { return discardMore(changes) }
    do throws(CallError) { return try turnMore(changes) } catch {
      changes.storage.couldNotWrite(error)
      failure = error
      isDiscarding = true
      return true
    }
  }

  private func turnMore(_ runner: ChangeRunner) throws(CallError) -> Bool {
    if !isChecked {
      do throws(UndoError) { isChecked = try !turned.check() } catch { throw CallError(error) }
      return true
    }
    let part = try translated { () throws(StoreError) in
      try turned.turn(limit: UndoJob.partCount, isLate: WorkSlice().isOver)
    }
    if let part {
      runner.tookPart(part)
      return true
    }
    var entry: HistoryEntry?
    let changes = try runner.change(staged: true) { _ throws(CallError) in
      do throws(UndoError) {
        let (done, changes) = try turned.finish(uids: Contract.maximumRows)
        entry = done
        return changes
      } catch { throw CallError(error) }
    }
    answer(.success(entry.values(changes)))
    end(runner)
    return false
  }

  private func discardMore(_ runner: ChangeRunner) -> Bool {
    let taken = runner.takeBackSome(localized("an incomplete undo could not be rolled back")) {
      (isLate, tell) throws(StoreError) in
      try turned.discard(limit: UndoJob.partCount, isLate: isLate, tell: tell)
    }
    switch taken {
    case .goesOn: return true
    case .isOver:
      // A conflict is stored with the step, which may no longer be undone.
      runner.bus.tellSteps(store, before: couldBe)
      tellFailure()
      end(runner)
    case .fails(let failure):
      tellFailure()
      runner.staging.interrupt(.undo(self))
      runner.staging.end(failure)
    }
    return false
  }

  private func tellFailure() {
    guard let error = failure.take() else { return }
    answer(.failure(error))
  }

  private func end(_ runner: ChangeRunner) {
    runner.sweeper.clearAway(store)
    runner.context.whenIdle { [store] in store.tidyJournal() }
    runner.staging.end()
  }
}
