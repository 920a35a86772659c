package import CivilTime

extension EventStore {
  /// Returns the net change of each event since a revision, in the order of their last changes.
  ///
  /// - Parameter limit: the most that are returned.
  /// - Returns: nil if the log does not reach back that far, if there are more than `limit`, or if
  ///   the revision is from another database. The caller then reloads everything.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func changes(
    since seen: UInt64, limit: Int
  ) throws(StoreError) -> [LoggedChange]? {
    try log.changes(since: seen, limit: limit)
  }

  /// Makes a change in one transaction: everything that `body` does, or nothing.
  ///
  /// The revision grows by one, or not at all if nothing differs from before.
  ///
  /// - Parameters:
  ///   - now: alarms before it are past; see ``StoreChange/put(_:partOf:)``.
  ///   - isShared: whether the change shares its transaction with other such changes, and becomes
  ///     durable with ``settleChanges()``.
  ///   - wrapping: converts a store error to the body's error type.
  /// - Returns: what `body` returned, and what it changed.
  /// - Throws: what `body` throws, or a wrapped ``StoreError`` when the database cannot be written.
  @discardableResult
  package func change<T, E: Error>(
    origin: ChangeOrigin, now: Timestamp, isShared: Bool = false, wrapping: (StoreError) -> E,
    _ body: (StoreChange) throws(E) -> T
  ) throws(E) -> (T, ChangeSet) {
    if isShared, !database.isShared { keepDurableState() }
    let change = makeChange(origin: origin, now: now)
    let calendars = calendarRows.all
    var isCommitted = false
    defer {
      change.close()
      if !isCommitted {
        forgetUndone()
        calendarRows.rolledBack(to: calendars)
      }
    }
    let run = { [seriesRows] () throws(E) -> (T, ChangeSet) in
      let value = try body(change)
      let changes: ChangeSet
      do throws(StoreError) {
        changes = try change.finish()
        try seriesRows.keepLatestThrough()
        try seriesRows.words.finish()
      } catch { throw wrapping(error) }
      return (value, changes)
    }
    let (value, changes) =
      isShared
      ? try database.part(wrapping: wrapping, run)
      : try database.transaction(wrapping: wrapping, run)
    isCommitted = true
    if !changes.isEmpty {
      log.committed(changes.revision)
      undoRows.committed()
    }
    return (value, changes)
  }

  /// Makes a change in one transaction; see ``change(origin:now:isShared:wrapping:_:)``.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  @discardableResult
  package func change<T>(
    origin: ChangeOrigin, now: Timestamp, _ body: (StoreChange) throws(StoreError) -> T
  ) throws(StoreError) -> (T, ChangeSet) {
    try change(origin: origin, now: now, wrapping: { $0 }, body)
  }
}

extension EventStore {
  /// Whether ``sweep(_:)`` has work to do.
  package var hasGarbage: Bool { undoRows.hasGarbage || retention.isAtWork }

  /// Deletes a batch of what is no longer needed.
  ///
  /// That is expired undo steps, trash and log rows, and reminders that ended more than a year ago.
  /// Call it with pauses until ``hasGarbage`` is false, so that nobody waits long.
  ///
  /// - Parameter limit: the most events to clear, at about 20 µs each.
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func sweep(_ limit: Int = 500) throws(StoreError) {
    try clearing { () throws(StoreError) in
      if undoRows.hasGarbage {
        try undoRows.sweep(limit, passed: undoRows.passedTime.seconds(), counts: true)
      }
      try retention.sweep(limit)
    }
  }

  /// Updates the clock by which the trash is emptied and the ledger is trimmed.
  ///
  /// Call it at the start and on each new day; see ``RetentionClock`` and ``LedgerRetention``.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func passTime(now: Timestamp) throws(StoreError) {
    try clearing { () throws(StoreError) in
      let passed = try undoRows.passedTime.look(at: now)
      try undoRows.sweep(1, passed: passed)
      try retention.begin(passed: passed, now: now)
    }
  }

  /// Forgets the cached effects of a transaction that was rolled back.
  func forgetUndone() {
    seriesRows.rolledBack()
    undoRows.rolledBack()
    log.rolledBack()
  }

  private func clearing(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    do throws(StoreError) { try database.transaction(body) } catch {
      undoRows.rolledBack()
      throw error
    }
    try undoRows.lookAhead()
    undoRows.committed()
  }
}
