/// The state of the store in memory besides caches, as of the last durable change.
struct DurableState {
  let calendars: [CalendarRows.Row]
  let log: ChangeLog.State
  let undo: UndoRows.State
}

/// Changes of several callers that become durable together. The disk is waited for once for all of
/// them, where it would otherwise be for each.
///
/// From the first on, questions are answered as if the changes were there. Who passes such an
/// answer on before ``settleChanges()`` tells of something that may never have been.
extension EventStore {
  /// Runs where a change comes that shares nothing, while others are not durable yet. It calls
  /// ``settleChanges()`` and returns whether that went well.
  package var onMustSettle: (() -> Bool)? {
    get { database.endShared }
    set { database.endShared = newValue }
  }

  /// Makes the changes that share a transaction durable.
  ///
  /// - Throws: ``StoreError``; none of them has happened then, and the revision is as before.
  package func settleChanges() throws(StoreError) {
    do throws(StoreError) { try database.commitShared() } catch {
      forgetChanges()
      throw error
    }
    durableState = nil
  }

  /// Undoes the changes that share a transaction, as if none of them had been made.
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
