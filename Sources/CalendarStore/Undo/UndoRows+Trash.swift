import CivilTime

// How much of what was removed is kept, and for how long.

extension UndoRows {
  /// How long what was removed is kept, as ``RetentionClock`` counts.
  static let trashSeconds: Int64 = 30 * 86_400
  /// What the events of the trash take up at most, in octets; those that were removed
  /// first go first.
  static let trashOctets: Int64 = 64 << 20
  /// To how much it is brought down where it is more, so that it need not be counted again
  /// with each event that comes.
  static let trashOctetsLeft: Int64 = trashOctets / 8 * 7

  /// Notes that the event of an image is in the trash from now on.
  func markRemoved(_ image: Int64, at now: Timestamp, passed: Int64) throws(StoreError) {
    let row = try database.statement(
      "UPDATE series_images SET removed_at = ?2, removed_on = ?3 WHERE key = ?1")
    row.bind(1, image)
    row.bind(2, now.seconds)
    row.bind(3, passed)
    try row.run()
  }

  /// Notes that events came into the trash which take up so much, or less.
  func noteTrash(_ octets: Int64) throws(StoreError) {
    let total = try trashNoted()?.addingReportingOverflow(octets)
    try note(trash: total.map { $0.overflow ? .max : $0.partialValue } ?? .max)
  }

  /// What the trash takes up at most; nil where nobody has counted.
  private func trashNoted() throws(StoreError) -> Int64? {
    let row = try database.statement("SELECT value FROM meta WHERE name = 'trash_octets'")
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  /// Whether the trash may be too large, and nobody knows.
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

  /// Lets go of what was removed first while the trash is too large; at most so many.
  ///
  /// What a step holds too stays for that. The note of the size is an upper bound, since
  /// nothing is taken from it when something is restored or has been there for its time: so
  /// the trash is counted first, bit by bit as well.
  ///
  /// - Parameter counts: whether it may be counted; if not, there is garbage.
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

  /// How far the trash is counted: what comes meanwhile has later images.
  struct TrashCount {
    /// The last image.
    var image: Int64 = 0
    var octets: Int64 = 0
  }

  /// Counts some more events of the trash, and returns how many; fewer than `limit` are the
  /// last ones.
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
