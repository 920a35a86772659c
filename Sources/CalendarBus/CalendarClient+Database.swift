import DBus

/// The interface Database, typed.
extension CalendarClient {
  /// The backups of the database, the newest first, with the keys of Backups.
  package func backups() throws(Failure) -> [Row] { try rows(Contract.database, "Backups") }

  /// Replaces the database by a backup; the answer has the keys of Restore.
  package func restoreBackup(_ id: String) throws(Failure) -> Row {
    try row("Restore", [.string(id)])
  }

  /// Saves what can be read of a damaged database; the answer has the keys of Recover.
  package func recover() throws(Failure) -> Row { try row("Recover") }

  package func pause() throws(Failure) { _ = try row("Pause") }

  package func resume() throws(Failure) { _ = try row("Resume") }

  /// Calls a method without a time-out, since a large database takes long.
  private func row(_ member: MemberName, _ arguments: [Value] = []) throws(Failure) -> Row {
    let answer = try call(
      Contract.database, member, arguments, timeoutMilliseconds: Connection.noTimeout)
    return Row(answer.first ?? .row([]))
  }
}
