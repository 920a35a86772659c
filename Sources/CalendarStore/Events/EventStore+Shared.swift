/// The store's state in memory, except caches, after the last durable change.
struct DurableState {
  let calendars: [CalendarRows.Row]
  let log: ChangeLog.State
  let undo: UndoRows.State
}

/// Changes of several callers that become durable together, so that the disk is awaited only once.
///
/// Queries see such a change at once. Do not pass an answer on before ``settleChanges()``: the
/// change may still be rolled back.
extension EventStore {
  /// Called when an unshared change begins while shared changes are not durable yet.
  ///
  /// It must call ``settleChanges()`` and return whether that succeeded.
  package var onMustSettle: (() -> Bool)? {
    get { database.endShared }
    set { database.endShared = newValue }
  }

  /// Makes the changes that share a transaction durable.
  ///
  /// - Throws: ``StoreError``; then all of them are rolled back, and the revision is as before
  ///   them.
  package func settleChanges() throws(StoreError) {
    do throws(StoreError) { try database.commitShared() } catch {
      forgetChanges()
      throw error
    }
    durableState = nil
  }

  /// Rolls back the changes that share a transaction.
  package func dropChanges() {
    database.rollBackShared()
    forgetChanges()
  }

  private func forgetChanges() {
    if let former = durableState {
      calendarRows.rolledBack(to: former.calendars)
      log.rolledBack(to: former.log)
      undoRows.rolledBack(to: former.undo)
    }
    seriesRows.rolledBack()
    durableState = nil
  }

  func keepDurableState() {
    durableState = DurableState(
      calendars: calendarRows.all, log: log.state, undo: undoRows.state)
  }
}
