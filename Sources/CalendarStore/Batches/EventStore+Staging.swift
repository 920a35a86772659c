package import CalendarModel
package import CivilTime

extension EventStore {
  /// Whether a change, undo or redo is running in batches; no other change may run then.
  package var isStaging: Bool { isTurning || seriesRows.shownThrough != .max }

  /// Begins a change that is written in batches.
  ///
  /// - Precondition: No other is in progress.
  /// - Parameters:
  ///   - id: the calendar to which most events are added.
  ///   - now: alarms before it are past.
  ///   - octets: the bytes of the text that they come from, which sets the memory for the indexes.
  /// - Throws: ``StoreError/unknownCalendar(_:)``, or another ``StoreError`` when writing fails.
  package func stage(
    in id: CalendarID, origin: ChangeOrigin, now: Timestamp, octets: Int = .max
  ) throws(StoreError) -> StagedChange {
    precondition(!isStaging, "one change is staged at a time")
    guard calendarRows[id] != nil else { throw StoreError.unknownCalendar(id) }
    database.partFailure = nil
    // A transaction of its own, which first makes shared changes durable.
    let last = try database.transaction { () throws(StoreError) in
      let last = try database.integer("SELECT max(key) FROM series")
      try StagingCheckpoint(database).write(
        last, calendars: try database.integer("SELECT max(key) FROM calendars"))
      return last
    }
    // The indexes are written at random positions, so a larger cache helps.
    let cache = min(max(octets / 512, DatabaseFile.cacheKiB), EventStore.stagingCacheKiB)
    try database.execute("PRAGMA cache_size = -\(cache)")
    seriesRows.shownThrough = last
    // The end of a batch must not also wait for a checkpoint.
    database.keepsJournal = true
    return StagedChange(self, origin: origin, now: now)
  }

  /// The largest cache; otherwise it is twice the size of the text.
  private static let stagingCacheKiB = 24_576

  /// Writes a long journal back into the file after a batched change.
  ///
  /// The change did not wait for that: what is in the journal is durable.
  package func tidyJournal() {
    guard !isStaging else { return }
    database.keepsJournal = false
    if database.journalPages >= Database.usualJournalPages { database.writeBack() }
  }

  func endStaging() throws(StoreError) {
    try database.execute("PRAGMA cache_size = -\(DatabaseFile.cacheKiB); PRAGMA shrink_memory")
  }

  /// Undoes a batch of an unfinished staged change; false once nothing is left.
  ///
  /// - Parameters: as for ``StagedChange/discard(limit:isLate:tell:)``; `tell` is not called at the
  ///   end.
  func discardStaged(
    limit: Int = 1000, isLate: () -> Bool = { false }, tell: (ChangeSet) -> Void = { _ in }
  ) throws(StoreError) -> Bool {
    let mark = StagingCheckpoint(database)
    guard let last = try mark.read() else { return false }
    let step = try undoRows.unfinishedStep()
    let cost = EventStore.takingBackCost
    if let step, try takeBack(step, max(1, limit / cost), isLate, tell) { return true }
    do throws(StoreError) {
      let goesOn = try database.transaction { () throws(StoreError) in
        let keys = try mark.keys(after: last, limit: limit)
        for key in keys {
          try seriesRows.remove(key)
          if isLate() { break }
        }
        try seriesRows.words.finish()
        guard keys.isEmpty else { return true }
        // The log may name every event of the change.
        guard try log.forgetSome(of: revision + 1) else { return true }
        try undoRows.dropWaiting()
        try mark.clearUnfinished()
        if let step {
          // All its events are restored by now.
          try undoRows.delete(step.key)
          try endTakingBack()
        }
        return false
      }
      if goesOn { return true }
      if step != nil { log.committed(revisionTakingBack) }
      try undoRows.lookAhead()
      undoRows.committed()
      return false
    } catch {
      forgetUndone()
      throw error
    }
  }

  /// The revision that announces that an unfinished change was undone.
  ///
  /// It is not the change's own revision: clients may have read an event with that revision, and
  /// must see that it has changed since.
  var revisionTakingBack: UInt64 { revision + 2 }

  /// How many times longer it takes to restore an event than to remove an added one.
  private static let takingBackCost = 5

  /// Restores some events to their state before an unfinished change; false if none is left.
  private func takeBack(
    _ step: (key: Int64, time: Timestamp), _ limit: Int, _ isLate: () -> Bool,
    _ tell: (ChangeSet) -> Void
  ) throws(StoreError) -> Bool {
    // The time when the change began.
    let change = makeChange(origin: .import, now: step.time, revision: revisionTakingBack)
    defer { change.close() }
    do throws(StoreError) {
      let changes = try database.transaction { () throws(StoreError) in
        let changes = try change.takeBackPart(of: step.key, limit: limit, isLate)
        try seriesRows.keepLatestThrough()
        try seriesRows.words.finish()
        return changes
      }
      guard let changes else { return false }
      tell(changes)
      return true
    } catch {
      seriesRows.rolledBack()
      throw error
    }
  }

  /// Writes the revision that announces restored events, and returns how many there are.
  @discardableResult
  func endTakingBack() throws(StoreError) -> Int {
    // The log has their names already.
    let events = try log.count(of: revisionTakingBack)
    guard events > 0 else { return 0 }
    if try log.write(revision: revisionTakingBack, events: events) { undoRows.nextGarbage = true }
    return events
  }

  /// Syncs a long journal to disk, or else writes it back; returns whether it was long.
  ///
  /// Each takes about as long as a batch.
  func settleJournal() throws(StoreError) -> Bool {
    guard database.journalPages >= StagedChange.journalPages, !database.isJournalDoubtful
    else { return false }
    if try !database.syncJournal() { database.writeBack() }
    return true
  }

  /// Creates the write access for a change.
  ///
  /// - Parameter revision: nil for the next one.
  func makeChange(
    origin: ChangeOrigin, now: Timestamp, revision: UInt64? = nil
  ) -> StoreChange {
    StoreChange(
      rows: seriesRows, undo: undoRows, log: log, reminders: ledger, origin: origin, now: now,
      revision: revision ?? log.revision + 1)
  }
}
