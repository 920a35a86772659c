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

  /// Drops the oldest steps until the rest are few and small enough.
  ///
  /// - Parameter newest: the step that was made or turned just now, which goes last, with
  ///   what it takes up.
  func bound(keeping newest: Int64, _ octets: Int64) throws(StoreError) {
    let totals = try database.statement(
      "SELECT count(*), sum(octets) FROM undo_steps WHERE is_dropped = 0")
    let isWithin =
      try totals.step() && totals.integer(0) <= UndoRows.keptSteps
      && totals.integer(1) <= UndoRows.keptOctets
    totals.reset()
    if isWithin { return }
    var (left, total) = (UndoRows.keptSteps - 1, octets)
    var isFull = false
    var dropped: [Int64] = octets > UndoRows.newestOctets ? [newest] : []
    for step in try steps(limit: .max) where step.key != newest {
      total += step.octets
      left -= 1
      isFull = isFull || left < 0 || total > UndoRows.keptOctets
      if isFull { dropped.append(step.key) }
    }
    let row = try database.statement("UPDATE undo_steps SET is_dropped = 1 WHERE key = ?1")
    for key in dropped {
      row.bind(1, key)
      try drop(row)
    }
  }

  // MARK: The trash

  /// How long what was removed is kept, as ``PassedTime`` counts.
  static let trashSeconds: Int64 = 30 * 86_400

  /// Notes that the event of an image is in the trash from now on.
  func markRemoved(_ image: Int64, at now: Timestamp, passed: Int64) throws(StoreError) {
    let row = try database.statement(
      "UPDATE series_images SET removed_at = ?2, removed_on = ?3 WHERE key = ?1")
    row.bind(1, image)
    row.bind(2, now.seconds)
    row.bind(3, passed)
    try row.run()
  }

  // MARK: Clearing away

  /// Lets go of images that no step holds, but for what is in the trash; at most so many.
  ///
  /// - Parameter passed: as ``PassedTime/seconds()`` says.
  private func purge(_ limit: Int, passed: Int64) throws(StoreError) -> Int {
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
    return cleared + database.changedRows
  }

  /// Clears away what is not kept any more, at most so many rows.
  ///
  /// - Parameters:
  ///   - limit: the most series, or names of events, that are dealt with.
  ///   - passed: as ``PassedTime/seconds()`` says.
  func sweep(_ limit: Int, passed: Int64) throws(StoreError) {
    var left = limit - (try purge(limit, passed: passed))
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
    nextGarbage = left < limit
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
    let row = try database.statement("DELETE FROM undo_steps WHERE key = ?1")
    row.bind(1, step)
    try row.run()
    return limit - left + 1
  }
}
