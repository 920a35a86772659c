import CivilTime

// Limits of the history. Dropped steps are cleared in batches, since one may hold the events of a
// whole calendar.

extension UndoRows {
  /// The most bytes that all steps use for images and names; the oldest are dropped first.
  static let keptOctets: Int64 = 64 << 20
  /// The most bytes of the newest step, which may exceed ``keptOctets``.
  ///
  /// A larger change cannot be undone.
  static let newestOctets: Int64 = 256 << 20
  /// About the size of an event's name in the log, in bytes.
  static let nameOctets: Int64 = 120

  /// From this size in bytes on, a step without room is dropped alone, and earlier steps stay.
  static let largeOctets: Int64 = 16 << 20

  /// Drops steps until the rest are within the limits: the oldest, and large ones without room.
  ///
  /// Undoing an earlier step does not overwrite the changes of a dropped one: that is a conflict,
  /// as with any later change.
  ///
  /// - Parameter newest: the step just made, undone or redone, with its size. It is dropped only if
  ///   it exceeds ``newestOctets``; if it exceeds ``keptOctets``, its size does not count.
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

  // MARK: Clearing

  /// Deletes images that belong to no step and are not in the trash, or have expired there.
  ///
  /// - Parameter passed: the value of ``RetentionClock/seconds()``.
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

  /// Deletes what is no longer needed, at most so many rows.
  ///
  /// - Parameters:
  ///   - limit: the most series images or log entries to delete.
  ///   - passed: the value of ``RetentionClock/seconds()``.
  ///   - counts: whether the size of the trash may be computed, which is too slow inside a user's
  ///     change.
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
    // Continue until a run finds nothing.
    let isUncounted = try isTrashToBeCounted()
    nextGarbage = left < limit || isUncounted
  }

  /// Deletes the images of a dropped step, except those in the trash, and then the step.
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
