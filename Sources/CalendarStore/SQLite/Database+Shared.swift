internal import CSQLite

/// Transactions that several changes share: the disk is waited for once.
extension Database {
  /// Runs `body` as a part of the shared transaction, which begins with its first part: nothing of it
  /// has happened when this throws; what it did is durable after ``commitShared()``.
  ///
  /// An error may end the whole transaction, as some of SQLite's do. Then nothing of any part has
  /// happened, and no further part can be had before that is settled.
  ///
  /// - Throws: what `body` throws, or what beginning brings up.
  ///
  /// Source: sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction".
  func part<T, E: Error>(
    wrapping: (StoreError) -> E, _ body: () throws(E) -> T
  ) throws(E) -> T {
    let isFirst = !isShared
    do throws(StoreError) {
      if isFirst {
        // Without a savepoint: nothing but this part would go with the whole transaction, and under a
        // savepoint each statement that may write several rows walks over the pages kept since it.
        try endPart()
        try requireSound()
        try setWaitsForDisk(true)
        try execute("BEGIN IMMEDIATE")
        isShared = true
      } else {
        // A savepoint would begin a transaction of its own, and its release would commit that.
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

  /// Undoes what a part did; where that cannot be done, what all of them did.
  private func undoPart(isFirst: Bool) {
    guard !isFirst else { return rollBackShared() }
    do throws(StoreError) {
      try requireShared()
      try execute("ROLLBACK TO part")
      try execute("RELEASE part")
    } catch {
      // ``isShared`` stays: whoever settles the others is to know.
      rollBack()
    }
  }

  /// - Throws: ``StoreError`` where an error has ended the shared transaction.
  private func requireShared() throws(StoreError) {
    guard isTransactionOpen else {
      throw .failed(
        code: SQLITE_ABORT, message: "an error has ended the shared transaction", sql: "")
    }
  }

  /// Makes all parts of the shared transaction durable.
  ///
  /// - Throws: ``StoreError``; nothing of any part has happened then.
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

  /// Undoes all parts of the shared transaction.
  func rollBackShared() {
    guard isShared else { return }
    isShared = false
    rollBack()
  }

  /// Ends the shared transaction for another one.
  func settleShared() throws(StoreError) {
    guard let endShared else { return try commitShared() }
    if !endShared() { throw error(SQLITE_ABORT, sql: "COMMIT") }
  }
}
