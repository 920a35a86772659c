package import CivilTime

extension EventStore {
  /// Returns what became of each event after a revision, in the order in which
  /// they were touched last.
  ///
  /// - Parameter limit: The most that are returned.
  /// - Returns: nil where the log does not reach back so far, where there are more
  ///   than `limit`, or where the revision is of another database: whoever asks
  ///   reads everything again.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func changes(
    since seen: UInt64, limit: Int
  ) throws(StoreError) -> [LoggedChange]? {
    try log.changes(since: seen, limit: limit)
  }

  /// Makes a change in one transaction: all that `body` does happens, or none of
  /// it. The revision grows by one, or not at all if nothing differs from
  /// before.
  ///
  /// - Parameters:
  ///   - now: alarms up to it are past; see ``StoreChange/put(_:partOf:)``.
  ///   - isShared: it shares its transaction with others that do, and is durable after
  ///     ``settleChanges()``.
  ///   - wrapping: makes an error of the body's kind of one of the store's.
  /// - Returns: what `body` returned, and what it changed.
  /// - Throws: what `body` throws, or what writing brings up.
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

  /// Makes a change in one transaction; see ``change(origin:now:wrapping:_:)``.
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
  /// Whether ``sweep(_:)`` has something to do.
  package var hasGarbage: Bool { undoRows.hasGarbage || retention.isAtWork }

  /// Clears away a part of what steps kept that are not kept any more, of what has left the
  /// trash and the log, and of the reminders that have been over for a year. One who calls this until ``hasGarbage`` is false, with
  /// pauses, keeps nobody waiting.
  ///
  /// - Parameter limit: the most events that are dealt with, some 20 µs each.
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func sweep(_ limit: Int = 500) throws(StoreError) {
    try clearing { () throws(StoreError) in
      if undoRows.hasGarbage {
        try undoRows.sweep(limit, passed: undoRows.passedTime.seconds(), counts: true)
      }
      try retention.sweep(limit)
    }
  }

  /// Counts the time that has passed, by which the trash is emptied and the ledger is kept short;
  /// see ``RetentionClock`` and ``LedgerRetention``.
  /// To be called at the start, and on each new day.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func passTime(now: Timestamp) throws(StoreError) {
    try clearing { () throws(StoreError) in
      let passed = try undoRows.passedTime.look(at: now)
      try undoRows.sweep(1, passed: passed)
      try retention.begin(passed: passed, now: now)
    }
  }

  /// Forgets what a transaction did that was undone.
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
