extension EventStore {
  /// Writes without changing anything, and waits until it is durable: whether the disk has room
  /// again after a write that failed.
  ///
  /// - Throws: ``StoreError``, as any other write would.
  package func tryToWrite() throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      try database.execute("UPDATE meta SET value = value WHERE name = 'revision'")
    }
  }
}
