import CalendarModel

/// A change, an undo or a redo in batches by a process that was killed before the end.
///
/// Until it is undone nobody sees what it has added, as nobody did before; what it has changed that was there is
/// as its parts left it, and is put back an event at a time.
package final class InterruptedBatch {
  private unowned let store: EventStore
  /// The last image of a step that was looked at.
  private var last: Int64 = 0
  private let origin: ChangeOrigin
  private var done = BatchSummary()

  /// Hides what it has added; nil where there is no such change.
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
    // A part is not to wait for the file as well.
    store.database.keepsJournal = true
  }

  /// Puts back a part of what it has changed, or takes out a part of what it has added; false once nothing is left.
  ///
  /// - Parameters: as of ``StagedChange/discard(limit:isLate:tell:)``.
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
