import CalendarModel
package import CivilTime

/// An undo or redo of a large step in batches, between which other requests are answered.
///
/// Others see changes to existing events after each batch, and the rest at the end.
///
///     begin  -> check, check …  -> turn, turn …  -> finish      one revision
///                                                -> discard     as if nothing had happened
///
/// A batch restores some events and stores their state before as images, as
/// ``StoreChange/turn(_:imagesThrough:hasAdded:)`` does for a whole step. If the process is killed,
/// the next to open the file finds ``UndoCheckpoint`` and puts the events back as the step had left
/// them. As with a ``StagedChange``, a revision then names them.
package final class BatchedUndo {
  private let store: EventStore
  private var step: UndoRows.Step
  /// The steps to try next while the conflicts of refused steps last.
  private var others: ArraySlice<UndoRows.Step>
  /// The conflict of the first step that was skipped.
  private var skippedConflict: UndoError?
  /// Alarms before it are past.
  private let now: Timestamp
  /// The last image that the step had at the beginning; later ones are made by the batches.
  ///
  /// It is the last of this step, not of all: the key of a deleted last image is used again.
  private var lastImage: Int64
  /// The progress of checking for conflicts.
  private var look = UndoRows.Look()
  /// The last image that a batch has handled.
  private var turned: Int64 = 0
  /// Whether none of the events last looked at could be restored in a batch.
  private var areGone = false
  private static let lookedAtWhereGone = 1000
  /// The last image that was checked to be put back.
  private var putBack: Int64 = 0
  private(set) var done = BatchSummary()
  private var isOver = false

  fileprivate init(
    _ store: EventStore, _ step: UndoRows.Step, or others: ArraySlice<UndoRows.Step>,
    lastImage: Int64, now: Timestamp
  ) {
    self.store = store
    self.step = step
    self.others = others
    self.lastImage = lastImage
    self.now = now
  }

  /// Checks some events of the step for conflicts; false when all are checked.
  ///
  /// A step that was refused before, and still has a conflict, is skipped for the next one.
  ///
  /// - Throws: ``UndoError``, also for a conflict; then the step can only be discarded, and the
  ///   next call skips it.
  package func check(limit: Int = 1000) throws(UndoError) -> Bool {
    precondition(!isOver, "a step is over when it was finished or discarded")
    var isChecked = false
    let conflict = try asUndoError { () throws(StoreError) -> UndoError? in
      isChecked = try !store.undoRows.look(&look, at: step, limit: limit)
      if let changed = look.changed { return .changedSince(changed) }
      return isChecked ? try store.calendarConflict(of: step, look) : nil
    }
    guard let conflict else { return !isChecked }
    guard step.isRefused else {
      try store.refuse(step)
      throw conflict
    }
    guard let next = others.popFirst() else { throw skippedConflict ?? conflict }
    skippedConflict = skippedConflict ?? conflict
    lastImage = try asUndoError { () throws(StoreError) in try store.mark(next, at: now) }
    (step, look) = (next, UndoRows.Look())
    return true
  }

  /// Restores some events in a batch; nil once the rest is left for ``finish(uids:)``.
  ///
  /// - Parameters:
  ///   - limit: the most events.
  ///   - isLate: called after each event; returns whether to end the batch.
  /// - Returns: what happened to events and reminders; the revision is still the one before.
  /// - Throws: ``StoreError``; then the step can only be discarded.
  package func turn(
    limit: Int, isLate: () -> Bool = { false }
  ) throws(StoreError) -> ChangeSet? {
    precondition(!isOver, "a step is over when it was finished or discarded")
    let none = ChangeSet(revision: store.revision, origin: .undo)
    guard try !store.settleJournal() else { return none }
    // If no event could be restored last time, look at more: skipping is cheap.
    let looked = areGone ? BatchedUndo.lookedAtWhereGone : limit
    let next = try store.undoRows.images(ofChanges: step.key, after: turned, limit: looked)
      .filter { $0.key <= lastImage }
    guard var last = next.last?.key else { return nil }
    var images: [UndoRows.Image] = []
    for image in next where try isTurnedInPart(image.name) {
      images.append(image)
      guard images.count == limit else { continue }
      last = image.key
      break
    }
    areGone = images.isEmpty
    guard !areGone else {
      turned = last
      return none
    }
    let change = store.makeChange(origin: .undo, now: now)
    defer { change.close() }
    var part = none
    do throws(StoreError) {
      try store.database.stagedPart { () throws(StoreError) in
        let count = try change.turnPart(of: step, images, isLate)
        if count < images.count { last = images[count - 1].key }
        part = try change.finishPart().changes
        try store.seriesRows.keepLatestThrough()
        try store.seriesRows.words.finish()
      }
      // As in a staged change, the commit does not wait for the disk.
      try store.database.endPart()
    } catch {
      store.seriesRows.rolledBack()
      throw error
    }
    turned = last
    done.add(part, octets: change.octets)
    return part
  }

  /// Whether an event exists, and was not moved, so that a batch can restore it.
  private func isTurnedInPart(_ name: SeriesName) throws(StoreError) -> Bool {
    guard let calendar = store.calendarRows[name.calendar],
      try store.seriesRows.find(name.uid, in: calendar.key) != nil
    else { return false }
    for other in look.broughtTo where other != name.calendar {
      let brought = SeriesName(calendar: other, uid: name.uid)
      if try store.log.touches(brought, by: step.revision) { return false }
    }
    return true
  }

  /// Does the rest of the step, and ends it.
  ///
  /// - Parameter uids: the most events that the entry names.
  /// - Throws: ``UndoError``; then the only thing left is ``discard(limit:isLate:tell:)``.
  package func finish(uids: Int) throws(UndoError) -> (HistoryEntry, ChangeSet) {
    if let failure = store.database.partFailure { throw .store(failure) }
    let done: (HistoryEntry, ChangeSet)
    do throws(UndoError) { done = try end(uids) } catch {
      // A conflict that the check did not find must not block earlier steps forever.
      if error.isConflict { try store.refuse(step) }
      throw error
    }
    isOver = true
    store.isTurning = false
    return done
  }

  private func end(_ uids: Int) throws(UndoError) -> (HistoryEntry, ChangeSet) {
    try store.change(origin: .undo, now: now, wrapping: UndoError.store) {
      change throws(UndoError) in
      change.take(self)
      return try asUndoError { () throws(StoreError) in
        let names = try store.log.touched(by: step.revision, limit: uids)
        let count = try store.log.count(of: step.revision, isMove: step.action == .move)
        try change.turn(step, imagesThrough: lastImage, hasAdded: !look.broughtTo.isEmpty)
        try UndoCheckpoint(store.database).clear()
        return HistoryEntry(
          action: step.action, uids: names.uids, events: count, time: step.time,
          isUndone: !step.isUndone, revision: change.revision, title: nil)
      }
    }
  }

  /// Puts some events back as the step had left them; false once nothing is left.
  ///
  /// - Parameters:
  ///   - limit: the most events.
  ///   - isLate: called after each event; returns whether to end the batch.
  ///   - tell: called with what was put back; at the end, if there was anything, with all of it and
  ///     its revision.
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func discard(
    limit: Int = 200, isLate: () -> Bool = { false }, tell: (ChangeSet) -> Void = { _ in }
  ) throws(StoreError) -> Bool {
    isOver = true
    guard try !store.settleJournal() else { return true }
    let former = store.revision
    let goesOn = try store.discardTurned(
      after: &putBack, limit: limit, isLate: isLate, tell: tell)
    if goesOn { return true }
    store.isTurning = false
    if store.revision > former { tell(done.changes(store.revision, origin: .undo)) }
    return false
  }
}

extension EventStore {
  /// The least number of changed events from which a step is undone or redone in batches.
  package static let leastTurnedInParts = 200

  /// Whether ``turnInParts(redo:now:)`` would return an undo in batches.
  ///
  /// - Throws: ``UndoError`` when the step cannot be undone or redone.
  package func isTurnedInParts(redo: Bool) throws(UndoError) -> Bool {
    try !stepsInParts(redo: redo).isEmpty
  }

  /// Begins to undo the user's last change, or to redo the last undone one, in batches.
  ///
  /// - Returns: nil if it changed few events, so that ``undo(now:)`` or ``redo(now:)`` is fast
  ///   enough.
  /// - Precondition: No change is staged.
  /// - Throws: ``UndoError`` when the step cannot be undone or redone.
  package func turnInParts(redo: Bool, now: Timestamp) throws(UndoError) -> BatchedUndo? {
    precondition(!isStaging, "one change is staged at a time")
    var steps = try stepsInParts(redo: redo)
    guard let step = steps.popFirst() else { return nil }
    return try asUndoError { () throws(StoreError) in
      database.partFailure = nil
      let last = try mark(step, at: now)
      database.keepsJournal = true
      isTurning = true
      return BatchedUndo(self, step, or: steps, lastImage: last, now: now)
    }
  }

  /// Returns the steps to try, of which the first without a conflict is undone or redone.
  ///
  /// These are the refused ones and the one after them; none if all of them changed few events.
  private func stepsInParts(redo: Bool) throws(UndoError) -> ArraySlice<UndoRows.Step> {
    try asUndoError { () throws(StoreError) in
      let all = try undoRows.upcoming(redo: redo)
      let steps = all.prefix { $0.isRefused } + all.drop { $0.isRefused }.prefix(1)
      for step in steps {
        let images = try undoRows.images(
          ofChanges: step.key, limit: EventStore.leastTurnedInParts)
        if images.count == EventStore.leastTurnedInParts { return steps }
      }
      return []
    }
  }

  /// Records that a step is being undone or redone, and returns its last image.
  fileprivate func mark(_ step: UndoRows.Step, at now: Timestamp) throws(StoreError) -> Int64 {
    try database.transaction { () throws(StoreError) in
      try UndoCheckpoint(database).write(step.key, at: now)
      return try undoRows.lastImage(of: step.key)
    }
  }

  /// Puts back a batch of an unfinished undo or redo; false once nothing is left.
  ///
  /// - Parameters:
  ///   - last: the last image that was checked; 0 at first.
  ///   - limit: the most events.
  ///   - isLate: see ``BatchedUndo/discard(limit:isLate:tell:)``.
  ///   - tell: called with each batch, but not at the end.
  func discardTurned(
    after last: inout Int64, limit: Int, isLate: () -> Bool = { false },
    tell: (ChangeSet) -> Void = { _ in }
  ) throws(StoreError) -> Bool {
    let mark = UndoCheckpoint(database)
    guard let turned = try mark.read() else { return false }
    // The images that no batch has reached come before the others.
    let images = try undoRows.images(ofChanges: turned.step, after: last, limit: limit)
    let put = images.filter { $0.revision == revision + 1 }
    if put.isEmpty, let end = images.last {
      last = end.key
      return true
    }
    do throws(StoreError) {
      if let step = try undoRows.step(turned.step), !put.isEmpty {
        let change = makeChange(origin: .undo, now: turned.time, revision: revisionTakingBack)
        defer { change.close() }
        let changes = try database.transaction { () throws(StoreError) in
          let changes = try change.putBack(put, of: step, isLate)
          try seriesRows.keepLatestThrough()
          try seriesRows.words.finish()
          return changes
        }
        last = put[changes.updated - 1].key
        tell(changes)
        return true
      }
      let told = try database.transaction { () throws(StoreError) -> Int? in
        guard try log.forgetSome(of: revision + 1) else { return nil }
        try mark.clear()
        return try endTakingBack()
      }
      guard let events = told else { return true }
      if events > 0 { log.committed(revisionTakingBack) }
      undoRows.committed()
      return false
    } catch {
      forgetUndone()
      throw error
    }
  }
}

extension StoreChange {
  /// Takes over what the batches did; this change is their end.
  func take(_ turned: BatchedUndo) {
    turned.done.add(to: &changes)
    octets = turned.done.octets
  }

  /// Restores some existing events from images of a step, and returns how many.
  func turnPart(
    of step: UndoRows.Step, _ images: [UndoRows.Image], _ isLate: () -> Bool
  ) throws(StoreError) -> Int {
    joinTurn(of: step)
    var count = 0
    for image in images {
      try restore(image, as: image.name, content: image.content, awaySince: since(step))
      try undo.forget(image.key)
      count += 1
      if isLate() { break }
    }
    return count
  }

  /// Puts events back as a step had left them, before batches undid or redid some of it.
  ///
  /// - Parameter images: the state in which it had left them.
  func putBack(
    _ images: [UndoRows.Image], of step: UndoRows.Step, _ isLate: () -> Bool
  ) throws(StoreError) -> ChangeSet {
    joinTurn(of: step, keptFor: step.revision)
    for image in images {
      try restore(image, as: image.name, content: image.content, ringsAgain: true, awaySince: nil)
      try log.move(image.name, from: image.revision, to: revision)
      try undo.forget(image.key)
      changes.names.append(image.name)
      changes.updated += 1
      if isLate() { break }
    }
    return changes
  }
}

/// The step that is being undone or redone in batches, in `meta`.
struct UndoCheckpoint {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// Returns the step's key, and when its undo or redo began; nil if there is none.
  func read() throws(StoreError) -> (step: Int64, time: Timestamp)? {
    let row = try database.statement(
      """
      SELECT step.value, time.value FROM meta AS step JOIN meta AS time ON time.name = 'turned_at'
      WHERE step.name = 'turned_step'
      """)
    defer { row.reset() }
    return try row.step() ? (row.integer(0), Timestamp(seconds: row.integer(1))) : nil
  }

  func write(_ step: Int64, at now: Timestamp) throws(StoreError) {
    let row = try database.statement(
      "INSERT OR REPLACE INTO meta (name, value) VALUES ('turned_step', ?1), ('turned_at', ?2)")
    row.bind(1, step)
    row.bind(2, now.seconds)
    try row.run()
  }

  func clear() throws(StoreError) {
    try database.statement("DELETE FROM meta WHERE name IN ('turned_step', 'turned_at')").run()
  }
}
