import CalendarModel

/// A change, undo or redo in batches that was interrupted because the process was killed.
///
/// Until it is undone, the events that it added stay hidden. The events that it changed are as its
/// batches left them, and are restored one by one.
package final class InterruptedBatch {
  private unowned let store: EventStore
  /// The last image of a step that was checked.
  private var last: Int64 = 0
  private let origin: ChangeOrigin
  private var done = BatchSummary()

  /// Hides what the change added; nil if there is no interrupted change.
  init?(_ store: EventStore) throws(StoreError) {
    let mark = StagingCheckpoint(store.database)
    let turned = try UndoCheckpoint(store.database).read()
    let staged = try mark.read()
    if staged == nil, turned == nil { return nil }
    self.store = store
    origin = staged == nil ? .undo : .import
    if let staged { store.seriesRows.shownThrough = staged }
    if let calendars = try mark.readCalendars() { store.calendarRows.stage(after: calendars) }
    store.isTurning = turned != nil
    // The end of a batch must not also wait for a checkpoint.
    store.database.keepsJournal = true
  }

  /// Restores a batch of what it changed, or removes a batch of what it added; false when done.
  ///
  /// - Parameters: as for ``StagedChange/discard(limit:isLate:tell:)``.
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func discard(
    limit: Int = 1000, isLate: () -> Bool = { false }, tell: (ChangeSet) -> Void = { _ in }
  ) throws(StoreError) -> Bool {
    if try store.settleJournal() { return true }
    let former = store.revision
    let note = { [self] (part: ChangeSet) in
      done.add(part)
      tell(part)
    }
    if try store.discardStaged(limit: limit, isLate: isLate, tell: note) { return true }
    store.seriesRows.shownThrough = .max
    store.calendarRows.setStaged([])
    if try store.discardTurned(after: &last, limit: limit, isLate: isLate, tell: note) {
      return true
    }
    store.isTurning = false
    store.unfinished = nil
    if store.revision > former { tell(done.changes(store.revision, origin: origin)) }
    return false
  }
}
