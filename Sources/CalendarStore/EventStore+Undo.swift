package import CalendarModel
package import CivilTime

/// Why a step was not taken back or done again, or an event not restored.
package enum UndoError: Error, Equatable, Sendable {
  /// There is no step to take back.
  case nothingToUndo
  /// There is none to do again.
  case nothingToRedo
  /// An event of the step was changed by sync, or in a file, since.
  case changedSince(EventUID)
  /// The trash has no such event.
  case notInTrash(EventUID)
  /// The event of the trash is in a calendar again.
  case presentAgain(EventUID, CalendarID)
  case store(StoreError)
}

extension UndoError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .nothingToUndo: "there is nothing to undo"
    case .nothingToRedo: "there is nothing to redo: nothing was undone, or something changed since"
    case .changedSince(let uid):
      "the event \"\(uid)\" was changed by sync since then, and what came is not overwritten; "
        + "change it by hand"
    case .notInTrash(let uid):
      "uid: the trash has no event \"\(uid)\"; it keeps what was removed for 30 days"
    case .presentAgain(let uid, let calendar):
      "uid: the event \"\(uid)\" is in the calendar \(calendar) again"
    case .store(let error): error.description
    }
  }
}

/// A change of the user's, as the history lists it.
package struct HistoryEntry: Equatable, Sendable {
  package let action: UndoAction
  /// The events that it touched, each once; in the history the first ones.
  package let uids: [EventUID]
  /// How many there are.
  package let events: Int
  /// When it was made.
  package let time: Timestamp
  package let isUndone: Bool
}

extension EventStore {
  /// Whether ``undo(now:)`` finds a step.
  package var canUndo: Bool { undoRows.canUndo }
  /// Whether ``redo(now:)`` finds a step.
  package var canRedo: Bool { undoRows.canRedo }

  /// Takes back the last change of the user's (origin local or import) that has not
  /// been taken back: calendars and events are as they were before it.
  ///
  /// Alarms that passed while an event was away do not ring, those to come do, and
  /// reminders that were closed with it are pending again.
  ///
  /// - Throws: ``UndoError``; nothing has changed then, and the step stays.
  package func undo(now: Timestamp) throws(UndoError) -> (HistoryEntry, ChangeSet) {
    try turn(redo: false, now: now)
  }

  /// Does again what was taken back last. Any other change of the user's in between
  /// leaves nothing to be done again.
  ///
  /// - Throws: ``UndoError``.
  package func redo(now: Timestamp) throws(UndoError) -> (HistoryEntry, ChangeSet) {
    try turn(redo: true, now: now)
  }

  private func turn(
    redo: Bool, now: Timestamp
  ) throws(UndoError) -> (HistoryEntry, ChangeSet) {
    try change(origin: .undo, now: now, wrapping: UndoError.store) { change throws(UndoError) in
      let (step, names, others) = try asUndoError { () throws(StoreError) in
        let step = try undoRows.next(redo: redo)
        return (
          step,
          try step.map { step throws(StoreError) in try log.touched(by: step.revision) } ?? [],
          try step.map { step throws(StoreError) in
            try log.touchedByOthers(since: step.revision)
          } ?? []
        )
      }
      guard let step else { throw redo ? .nothingToRedo : .nothingToUndo }
      if let changed = names.first(where: others.contains) { throw .changedSince(changed.uid) }
      try asUndoError { () throws(StoreError) in try change.turn(step, names) }
      return HistoryEntry(
        action: step.action, uids: names.uids, events: names.count, time: step.time,
        isUndone: !step.isUndone)
    }
  }

  /// Returns the latest changes that can be taken back or done again, the newest
  /// first.
  ///
  /// - Parameter uids: how many events of each are named at most.
  package func history(limit: Int, uids: Int = 100) throws(StoreError) -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    for step in try undoRows.steps(limit: limit) {
      entries.append(
        HistoryEntry(
          action: step.action, uids: try log.touched(by: step.revision, limit: uids).uids,
          events: try log.count(of: step.revision), time: step.time, isUndone: step.isUndone))
    }
    return entries
  }
}

extension [SeriesName] {
  /// Each uid once, in order.
  fileprivate var uids: [EventUID] {
    var seen: Set<EventUID> = []
    return map(\.uid).filter { seen.insert($0).inserted }
  }
}

/// Runs a question to the database; its errors become those of undo.
func asUndoError<Answer>(
  _ body: () throws(StoreError) -> Answer
) throws(UndoError) -> Answer {
  do throws(StoreError) { return try body() } catch { throw .store(error) }
}
