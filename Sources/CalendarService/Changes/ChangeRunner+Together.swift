import CalendarBus
import CalendarStore
import CivilTime
import DBus

/// Changes that have been made and answered, and wait for the disk.
struct UnsettledChanges {
  var changes: [ChangeSet] = []
  /// Whether there was something to take back, and to do again, before the first.
  var steps = (canUndo: false, canRedo: false)
  /// Whether the disk has refused one already, or could not be read since.
  var isRefused = false
}

/// Changes of the calls of one turn, which become durable together.
///
/// Each change alone would wait for the disk, some milliseconds where others write to it as well, and
/// everybody would wait with it. Those of a turn wait once. Their answers, and those of the questions after
/// them, go out when all of them are durable, and so does word of them. Where the disk refuses, no
/// answer goes out: the calls are handled once more, one by one.
extension ChangeRunner {
  /// Makes a change that may become durable together with others, and tells everybody of it then.
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
      throw CallError(.storageFailed, "a change before this call could not be made")
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

  /// Notes what a call failed for: where the store could not be read, what came before in this turn may
  /// be gone.
  func noteFailure(_ error: CallError) {
    guard error.kind == .storageFailed, !unsettled.changes.isEmpty else { return }
    unsettled.isRefused = true
  }

  /// Has the changes that are not durable yet made so, for what looks at more than the store.
  ///
  /// - Throws: ``CallError`` where the disk refuses; nobody gets to see it, since the call is handled
  ///   once more.
  func settle() throws(CallError) {
    guard connection.settleHeld() else {
      throw CallError(.storageFailed, "changes before this call could not be made durable")
    }
  }

  /// Makes the changes durable, and tells everybody of them.
  ///
  /// - Returns: whether they are.
  private func settleChanges() -> Bool {
    let settled = unsettled
    unsettled = UnsettledChanges()
    guard let store = storage.current else { return false }
    do throws(StoreError) {
      if settled.isRefused { store.dropChanges() } else { try store.settleChanges() }
    } catch {
      // Each of the calls gets to know its own reason.
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
    // What it holds of them never was.
    agenda.cache.forget()
    return false
  }
}
