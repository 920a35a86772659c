internal import CSQLite

/// Transactions that several changes share: the disk is waited for once.
extension Database {
  /// Runs `body` as a part of the shared transaction, which begins with its first part: nothing of it
  /// has happened when this throws; what it did is durable after ``commitShared()``.
  ///
  /// - Throws: what `body` throws, or what beginning brings up.
  func part<T, E: Error>(
    wrapping: (StoreError) -> E, _ body: () throws(E) -> T
  ) throws(E) -> T {
    do throws(StoreError) {
      if !isShared {
        try endPart()
        try execute("BEGIN IMMEDIATE")
        isShared = true
      }
      try execute("SAVEPOINT part")
    } catch { throw wrapping(error) }
    let result: T
    do throws(E) { result = try body() } catch {
      // Fails only where the error has ended the whole transaction; ``commitShared()`` says so.
      try? execute("ROLLBACK TO part")
      try? execute("RELEASE part")
      throw error
    }
    do throws(StoreError) { try execute("RELEASE part") } catch { throw wrapping(error) }
    return result
  }

  /// Makes all parts of the shared transaction durable.
  ///
  /// - Throws: ``StoreError``; nothing of any part has happened then.
  func commitShared() throws(StoreError) {
    guard isShared else { return }
    isShared = false
    do throws(StoreError) { try execute("COMMIT") } catch {
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
