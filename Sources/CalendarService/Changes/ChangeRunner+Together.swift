import CalendarBus
import CalendarStore
import CivilTime
import DBus
import Platform

/// Changes that were made, and wait for the disk.
struct UnsettledChanges {
  var changes: [ChangeSet] = []
  /// Whether there was something to undo, and to redo, before the first change.
  var steps = (canUndo: false, canRedo: false)
  /// Whether the disk has refused a change already, or could not be read since.
  var isRefused = false
}

/// Changes of the calls of one round of the loop, which become durable together.
///
/// Each change alone would wait for the disk, some milliseconds if others write to it as well, and
/// all callers would wait with it. The changes of one round wait once. Their answers, those of
/// later queries, and their announcements go out when all of them are durable. If the disk refuses,
/// no answer goes out: the calls are handled again, one by one.
extension ChangeRunner {
  /// Makes a change that may become durable together with others, and is announced then.
  ///
  /// - Throws: ``CallError`` of `body`, or of the kinds `busy` and `storageFailed`.
  func changeTogether(
    _ body: (StoreChange) throws(CallError) -> Void
  ) throws(CallError) -> ChangeSet {
    let store = try storage.store()
    try refuseWhileStaging(store)
    // What was refused last is tried alone.
    guard storage.failure == nil,
      connection.holdAnswers(until: { [unowned self] in settleChanges() })
    else {
      return try change(origin: .local, body)
    }
    guard !unsettled.isRefused else {
      // The call is handled once more anyway.
      throw CallError(.storageFailed, localized("a change before this call failed"))
    }
    if unsettled.changes.isEmpty { unsettled.steps = (store.canUndo, store.canRedo) }
    let changes: ChangeSet
    do throws(CallError) {
      changes = try store.change(
        origin: .local, now: context.clock.now, isShared: true, wrapping: CallError.init, body
      ).1
    } catch {
      if error.kind == .storageFailed { unsettled.isRefused = true }
      throw error
    }
    if !changes.isEmpty {
      unsettled.changes.append(changes)
      agenda.mend(changes)
    }
    return changes
  }

  /// Notes the failure of a call: where the store cannot be read, earlier changes of this round may
  /// be lost.
  func noteFailure(_ error: CallError) {
    guard error.kind == .storageFailed, !unsettled.changes.isEmpty else { return }
    unsettled.isRefused = true
  }

  /// Makes the pending changes durable, for callers that need more than the store.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`; no client sees it, since the call is
  ///   handled again.
  func settle() throws(CallError) {
    guard connection.settleHeld() else {
      throw CallError(.storageFailed, localized("changes before this call could not be stored"))
    }
  }

  /// Makes the changes durable, and announces them.
  ///
  /// - Returns: whether they are.
  private func settleChanges() -> Bool {
    let settled = unsettled
    unsettled = UnsettledChanges()
    guard let store = storage.current else { return false }
    do throws(StoreError) {
      if settled.isRefused { store.dropChanges() } else { try store.settleChanges() }
    } catch {
      // Each call gets its own reason.
      return forgetChanges()
    }
    if settled.isRefused { return forgetChanges() }
    guard !settled.changes.isEmpty else { return true }
    storage.wrote()
    tell(settled.changes)
    bus.tellSteps(store, before: settled.steps)
    sweeper.clearAway(store)
    return true
  }

  private func forgetChanges() -> Bool {
    // It holds changes that were never stored.
    agenda.cache.forget()
    return false
  }
}
