package import CalendarModel
package import CivilTime

extension EventStore {
  /// Whether a change is being written in parts: there must be no other then.
  package var isStaging: Bool { isTurning || seriesRows.shownThrough != .max }

  /// Begins a change that is written in parts.
  ///
  /// - Precondition: None is under way.
  /// - Parameters:
  ///   - id: the calendar that events are added to, most of them.
  ///   - now: alarms before it are past.
  ///   - octets: of the text that they come from, after which the memory is measured that the indexes have.
  /// - Throws: ``StoreError/unknownCalendar(_:)`` and what writing brings up.
  package func stage(
    in id: CalendarID, origin: ChangeOrigin, now: Timestamp, octets: Int = .max
  ) throws(StoreError) -> StagedChange {
    precondition(!isStaging, "one change is staged at a time")
    guard calendarRows[id] != nil else { throw StoreError.unknownCalendar(id) }
    database.partFailure = nil
    // A transaction of its own, so that what others share is durable before.
    let last = try database.transaction { () throws(StoreError) in
      let last = try database.integer("SELECT max(key) FROM series")
      try StagingCheckpoint(database).write(
        last, calendars: try database.integer("SELECT max(key) FROM calendars"))
      return last
    }
    // The indexes are written at places that come in no order.
    let cache = min(max(octets / 512, DatabaseFile.cacheKiB), EventStore.stagingCacheKiB)
    try database.execute("PRAGMA cache_size = -\(cache)")
    seriesRows.shownThrough = last
    // The end of a part is not to wait for the file as well.
    database.keepsJournal = true
    return StagedChange(self, origin: origin, now: now)
  }

  /// At most; and twice the text.
  private static let stagingCacheKiB = 24_576

  /// Writes what the journal holds into the file, where a staged change has left much there. Its
  /// end did not wait for that: what is in the journal is durable.
  package func tidyJournal() {
    guard !isStaging else { return }
    database.keepsJournal = false
    if database.journalPages >= Database.usualJournalPages { database.writeBack() }
  }

  func endStaging() throws(StoreError) {
    try database.execute("PRAGMA cache_size = -\(DatabaseFile.cacheKiB); PRAGMA shrink_memory")
  }

  /// Takes out a part of what a change left that did not come to its end, or puts a part back; false once
  /// nothing is left.
  ///
  /// - Parameters: As of ``StagedChange/discard(limit:isLate:tell:)``, but that of the end it tells nothing.
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
        // It may have as many names as the change had events.
        guard try log.forgetSome(of: revision + 1) else { return true }
        try undoRows.dropWaiting()
        try mark.clearUnfinished()
        if let step {
          // Of which everything is as it was.
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

  /// The revision that tells of a change which did not come to its end. It is not the one which that change
  /// would have been: who has read an event meanwhile was told it as the event's, and is to hear that it
  /// changed since.
  var revisionTakingBack: UInt64 { revision + 2 }

  /// To put an event back takes so many times as long as to take one out.
  private static let takingBackCost = 5

  /// Puts some events back as they were before a change that does not come to its end; false where there are none
  /// left.
  private func takeBack(
    _ step: (key: Int64, time: Timestamp), _ limit: Int, _ isLate: () -> Bool,
    _ tell: (ChangeSet) -> Void
  ) throws(StoreError) -> Bool {
    // As it was when the change began.
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

  /// Writes the revision that tells of what was put back, and returns of how many events that is; none where nothing
  /// was.
  @discardableResult
  func endTakingBack() throws(StoreError) -> Int {
    // The log has their names already.
    let events = try log.count(of: revisionTakingBack)
    guard events > 0 else { return 0 }
    if try log.write(revision: revisionTakingBack, events: events) { undoRows.nextGarbage = true }
    return events
  }

  /// Has a long journal on the disk, or writes it back once it is there; returns whether it was long. Each takes as
  /// long as a part.
  func settleJournal() throws(StoreError) -> Bool {
    guard database.journalPages >= StagedChange.journalPages, !database.isJournalDoubtful
    else { return false }
    if try !database.syncJournal() { database.writeBack() }
    return true
  }

  /// - Parameter revision: nil is the next one.
  func makeChange(
    origin: ChangeOrigin, now: Timestamp, revision: UInt64? = nil
  ) -> StoreChange {
    StoreChange(
      rows: seriesRows, undo: undoRows, log: log, reminders: ledger, origin: origin, now: now,
      revision: revision ?? log.revision + 1)
  }
}
