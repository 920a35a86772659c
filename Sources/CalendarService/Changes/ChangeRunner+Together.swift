import CalendarBus
import CalendarStore
import CivilTime
import DBus
import Platform

/// Changes that were made, but are not durable yet.
struct UnsettledChanges {
  var changes: [ChangeSet] = []
  /// Whether there was something to undo, and to redo, before the first change.
  var steps = (canUndo: false, canRedo: false)
  /// Whether a change has failed already, or the store could not be read since.
  var isRefused = false
}

/// Changes of the calls in one round of the loop, which become durable together.
///
/// Each change alone would wait some milliseconds for the disk, and all callers with it. The
/// changes of one round wait once. Answers and announcements are sent when all changes are durable.
/// If the disk fails, no answer is sent: the calls are handled again, one by one.
extension ChangeRunner {
  /// Makes a change that becomes durable, and is announced, together with others.
  ///
  /// - Throws: ``CallError`` of `body`, or of the kinds `busy` and `storageFailed`.
  func changeTogether(
    _ body: (StoreChange) throws(CallError) -> Void
  ) throws(CallError) -> ChangeSet {
    let store = try storage.store()
    try refuseWhileStaging(store)
    // After a failure changes are made one by one.
    guard storage.failure == nil,
      connection.holdAnswers(until: { [unowned self] in settleChanges() })
    else {
      return try change(origin: .local, body)
    }
    guard !unsettled.isRefused else {
      // The call is handled again anyway.
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

  /// Notes the failure of a call, which may mean that earlier changes of this round are lost.
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
  /// - Returns: whether they are durable.
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
    // The cache has changes that were never stored.
    agenda.cache.forget()
    return false
  }
}
