import CivilTime

// How much of the trash is kept, and for how long.

extension UndoRows {
  /// How long removed events are kept, in seconds of ``RetentionClock``.
  static let trashSeconds: Int64 = 30 * 86_400
  /// The most bytes that the trash uses; events removed first are deleted first.
  static let trashOctets: Int64 = 64 << 20
  /// The size to which a full trash is reduced, so that it is not counted again for each new event.
  static let trashOctetsLeft: Int64 = trashOctets / 8 * 7

  /// Puts the event of an image in the trash.
  func markRemoved(_ image: Int64, at now: Timestamp, passed: Int64) throws(StoreError) {
    let row = try database.statement(
      "UPDATE series_images SET removed_at = ?2, removed_on = ?3 WHERE key = ?1")
    row.bind(1, image)
    row.bind(2, now.seconds)
    row.bind(3, passed)
    try row.run()
  }

  /// Adds to the recorded size of the trash, in bytes; may be more than the real size.
  func noteTrash(_ octets: Int64) throws(StoreError) {
    let total = try trashNoted()?.addingReportingOverflow(octets)
    try note(trash: total.map { $0.overflow ? .max : $0.partialValue } ?? .max)
  }

  /// Returns the recorded size of the trash, an upper bound; nil if there is none.
  private func trashNoted() throws(StoreError) -> Int64? {
    let row = try database.statement("SELECT value FROM meta WHERE name = 'trash_octets'")
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  /// Whether the trash may be too large and must be counted.
  func isTrashToBeCounted() throws(StoreError) -> Bool {
    guard !isTrashCounted else { return false }
    return try (trashNoted() ?? 0) > UndoRows.trashOctets
  }

  private func note(trash octets: Int64) throws(StoreError) {
    let row = try database.statement(
      "INSERT OR REPLACE INTO meta (name, value) VALUES ('trash_octets', ?1)")
    row.bind(1, octets)
    try row.run()
  }

  /// Deletes the oldest events of the trash while it is too large, at most so many.
  ///
  /// An event that a step holds too only leaves the trash. The recorded size is an upper bound,
  /// since restored and expired events are not subtracted: so the trash is counted first, also in
  /// batches.
  ///
  /// - Parameter counts: whether it may be counted; otherwise this is left as garbage.
  /// - Returns: how many events left the trash, or were counted.
  func boundTrash(_ limit: Int, counts: Bool) throws(StoreError) -> Int {
    guard limit > 0 else { return 0 }
    guard var noted = try trashNoted(),
      noted > (isTrashCounted ? UndoRows.trashOctetsLeft : UndoRows.trashOctets)
    else {
      (isTrashCounted, trashCount) = (false, nil)
      return 0
    }
    if !isTrashCounted {
      guard counts else {
        nextGarbage = true
        return 0
      }
      var count = trashCount ?? TrashCount()
      let counted = try countOn(&count, limit)
      guard counted < limit else {
        trashCount = count
        return counted
      }
      trashCount = nil
      noted = count.octets
      isTrashCounted = true
    }
    var (gone, isEmpty) = (0, false)
    while gone < limit, noted > UndoRows.trashOctetsLeft, !isEmpty {
      guard let (image, step, octets) = try oldestInTrash() else {
        isEmpty = true
        continue
      }
      let row =
        step
        ? try database.statement(
          "UPDATE series_images SET removed_at = NULL, removed_on = NULL WHERE key = ?1")
        : try database.statement("DELETE FROM series_images WHERE key = ?1")
      row.bind(1, image)
      try row.run()
      noted -= octets
      gone += 1
    }
    if isEmpty || noted <= UndoRows.trashOctetsLeft { isTrashCounted = false }
    try note(trash: isEmpty ? 0 : max(0, noted))
    return gone
  }

  /// The progress of counting the trash; later events have later images.
  struct TrashCount {
    /// The last image that was counted.
    var image: Int64 = 0
    var octets: Int64 = 0
  }

  /// Counts more events of the trash, and returns how many; fewer than `limit` at the end.
  private func countOn(_ count: inout TrashCount, _ limit: Int) throws(StoreError) -> Int {
    let row = try database.statement(
      composed: """
        SELECT count(DISTINCT image), max(image),
          count(*) * \(UndoRows.componentOctets) + coalesce(sum(\(UndoRows.textOctets)), 0)
        FROM (SELECT key FROM series_images WHERE removed_on IS NOT NULL AND key > ?1
          ORDER BY key LIMIT ?2) AS some
        CROSS JOIN component_images ON image = some.key
        """)
    row.bind(1, count.image)
    row.bind(2, Int64(limit))
    defer { row.reset() }
    guard try row.step(), row.integer(0) > 0 else { return 0 }
    count.image = row.integer(1)
    count.octets += row.integer(2)
    return Int(row.integer(0))
  }

  private func oldestInTrash() throws(StoreError) -> (image: Int64, isInStep: Bool, octets: Int64)?
  {
    let row = try database.statement(
      composed: """
        SELECT series_images.key, step IS NOT NULL,
          (SELECT count(*) * \(UndoRows.componentOctets) + coalesce(sum(\(UndoRows.textOctets)), 0)
          FROM component_images WHERE image = series_images.key)
        FROM series_images WHERE removed_on IS NOT NULL
        ORDER BY removed_on, series_images.key LIMIT 1
        """)
    defer { row.reset() }
    return try row.step() ? (row.integer(0), row.bool(1), row.integer(2)) : nil
  }
}
