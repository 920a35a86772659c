internal import CSQLite

/// Transactions that several changes share, so that the disk is awaited only once.
extension Database {
  /// Runs `body` as one part of the shared transaction, which its first part begins.
  ///
  /// The part is durable after ``commitShared()``. If this throws, the part is rolled back. Some
  /// SQLite errors end the whole transaction: then all parts are rolled back, and no other can run
  /// before that is settled.
  ///
  /// - Throws: what `body` throws, or a wrapped ``StoreError``.
  ///
  /// Source: sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction".
  func part<T, E: Error>(
    wrapping: (StoreError) -> E, _ body: () throws(E) -> T
  ) throws(E) -> T {
    let isFirst = !isShared
    do throws(StoreError) {
      if isFirst {
        // The first part needs no savepoint: rolling back the whole transaction undoes just that.
        // And within a savepoint, statements that may write several rows check every page saved
        // since.
        try endPart()
        try requireSound()
        try setWaitsForDisk(true)
        try execute("BEGIN IMMEDIATE")
        isShared = true
      } else {
        // Outside a transaction a savepoint would begin one, and its release would commit it.
        try requireShared()
        try execute("SAVEPOINT part")
      }
    } catch { throw wrapping(error) }
    let result: T
    do throws(E) { result = try body() } catch {
      undoPart(isFirst: isFirst)
      throw error
    }
    do throws(StoreError) {
      try requireShared()
      if !isFirst { try execute("RELEASE part") }
    } catch {
      undoPart(isFirst: isFirst)
      throw wrapping(error)
    }
    return result
  }

  /// Rolls back a part; if that fails, all parts.
  private func undoPart(isFirst: Bool) {
    guard !isFirst else { return rollBackShared() }
    do throws(StoreError) {
      try requireShared()
      try execute("ROLLBACK TO part")
      try execute("RELEASE part")
    } catch {
      // ``isShared`` stays true, so that settling the other parts fails.
      rollBack()
    }
  }

  /// Checks that the shared transaction is still open.
  ///
  /// - Throws: ``StoreError`` if an error ended it.
  private func requireShared() throws(StoreError) {
    guard isTransactionOpen else {
      throw .failed(
        code: SQLITE_ABORT, message: "an error has ended the shared transaction", sql: "")
    }
  }

  /// Makes all parts of the shared transaction durable.
  ///
  /// - Throws: ``StoreError``; then all parts are rolled back.
  func commitShared() throws(StoreError) {
    guard isShared else { return }
    isShared = false
    do throws(StoreError) {
      try requireShared()
      try requireSound()
      try execute("COMMIT")
    } catch {
      rollBack()
      throw error
    }
  }

  /// Rolls back all parts of the shared transaction.
  func rollBackShared() {
    guard isShared else { return }
    isShared = false
    rollBack()
  }

  /// Ends the shared transaction before another one begins.
  func settleShared() throws(StoreError) {
    guard let endShared else { return try commitShared() }
    if !endShared() { throw error(SQLITE_ABORT, sql: "COMMIT") }
  }
}
