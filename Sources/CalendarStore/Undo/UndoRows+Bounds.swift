import CivilTime

// How much is kept, and how it is let go: bit by bit, since one step may hold the events
// of a whole calendar, and nobody is to wait for that.

extension UndoRows {
  /// What the images and names of all steps take up at most, in octets; the oldest steps
  /// go first.
  static let keptOctets: Int64 = 64 << 20
  /// What the newest step takes up at most, which is kept alone if need be. Past it, the
  /// change cannot be taken back.
  static let newestOctets: Int64 = 256 << 20
  /// What the name of an event takes up in the log, about.
  static let nameOctets: Int64 = 120

  /// From how many octets on a step is large: if there is no room for it, it goes alone,
  /// and those before it stay.
  static let largeOctets: Int64 = 16 << 20

  /// Drops steps until the rest are few and small enough: the oldest ones, and such as are
  /// too large for the room that newer ones leave.
  ///
  /// What was changed by a step that is dropped is not overwritten by taking back one
  /// before it: that is a conflict, as with any change that came since.
  ///
  /// - Parameter newest: the step that was made or turned just now, which goes last, with
  ///   what it takes up. It takes no room from others where it is larger than that alone.
  func bound(keeping newest: Int64, _ octets: Int64) throws(StoreError) {
    let totals = try database.statement(
      "SELECT count(*), sum(octets) FROM undo_steps WHERE is_dropped = 0")
    let isWithin =
      try totals.step() && totals.integer(0) <= UndoRows.keptSteps
      && totals.integer(1) <= UndoRows.keptOctets
    totals.reset()
    if isWithin { return }
    var (left, total) = (UndoRows.keptSteps - 1, octets > UndoRows.keptOctets ? 0 : octets)
    var isFull = false
    var dropped: [Int64] = octets > UndoRows.newestOctets ? [newest] : []
    for step in try steps(limit: .max) where step.key != newest {
      left -= 1
      let hasRoom = total + step.octets <= UndoRows.keptOctets
      if !hasRoom, step.octets < UndoRows.largeOctets { isFull = true }
      isFull = isFull || left < 0
      if isFull || !hasRoom { dropped.append(step.key) } else { total += step.octets }
    }
    let row = try database.statement("UPDATE undo_steps SET is_dropped = 1 WHERE key = ?1")
    for key in dropped {
      row.bind(1, key)
      try drop(row)
    }
  }

  // MARK: Clearing away

  /// Lets go of images that no step holds, but for what is in the trash; at most so many.
  ///
  /// - Parameter passed: as ``RetentionClock/seconds()`` says.
  private func purge(
    _ limit: Int, passed: Int64, counts: Bool
  ) throws(StoreError) -> Int {
    let orphans = try database.statement(
      """
      DELETE FROM series_images WHERE key IN (
        SELECT key FROM series_images WHERE step IS NULL AND removed_on IS NULL LIMIT ?1)
      """)
    orphans.bind(1, Int64(limit))
    try orphans.run()
    let cleared = database.changedRows
    let old = try database.statement(
      """
      DELETE FROM series_images WHERE key IN (
        SELECT key FROM series_images WHERE step IS NULL AND removed_on < ?2 LIMIT ?1)
      """)
    old.bind(1, Int64(limit - cleared))
    old.bind(2, passed - UndoRows.trashSeconds)
    try old.run()
    let gone = cleared + database.changedRows
    return gone + (try boundTrash(limit - gone, counts: counts))
  }

  /// Clears away what is not kept any more, at most so many rows.
  ///
  /// - Parameters:
  ///   - limit: the most series, or names of events, that are dealt with.
  ///   - passed: as ``RetentionClock/seconds()`` says.
  ///   - counts: whether the trash may be counted, if need be: no change of the user's waits
  ///     for that.
  func sweep(_ limit: Int, passed: Int64, counts: Bool = false) throws(StoreError) {
    var left = limit - (try purge(limit, passed: passed, counts: counts))
    if left <= 0 { nextGarbage = true }
    guard nextGarbage else { return }
    let first = try database.statement(
      "SELECT key, revision FROM undo_steps WHERE is_dropped = 1 ORDER BY key LIMIT 1")
    while left > 0 {
      let step = try first.step() ? (first.integer(0), first.integer(1)) : nil
      first.reset()
      guard let (key, revision) = step else { break }
      left -= try clear(step: key, revision: UInt64(max(0, revision)), limit: left)
    }
    left -= try log.sweep(max(0, left))
    // A look that finds nothing is the last one.
    let isUncounted = try isTrashToBeCounted()
    nextGarbage = left < limit || isUncounted
  }

  /// Clears away what a dropped step kept; what is in the trash stays there alone.
  private func clear(step: Int64, revision: UInt64, limit: Int) throws(StoreError) -> Int {
    var left = limit
    let changed = try database.statement(
      """
      DELETE FROM series_images WHERE key IN (
        SELECT key FROM series_images WHERE step = ?1 AND removed_on IS NULL LIMIT ?2)
      """)
    let removed = try database.statement(
      """
      UPDATE series_images SET step = NULL WHERE key IN (
        SELECT key FROM series_images WHERE step = ?1 LIMIT ?2)
      """)
    for row in [changed, removed] where left > 0 {
      row.bind(1, step)
      row.bind(2, Int64(left))
      try row.run()
      left -= database.changedRows
    }
    guard left > 0 else { return limit }
    _ = try log.release(revision)
    try delete(step)
    return limit - left + 1
  }
}
