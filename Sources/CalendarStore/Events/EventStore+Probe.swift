extension EventStore {
  /// Makes a durable write that changes nothing.
  ///
  /// It shows whether the disk has room again after a write has failed.
  ///
  /// - Throws: ``StoreError``, as any other write.
  package func tryToWrite() throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      try database.execute("UPDATE meta SET value = value WHERE name = 'revision'")
    }
  }
}
