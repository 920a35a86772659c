import DBus

/// The interface Database, typed.
extension CalendarClient {
  /// The copies of the database, the newest first, with the keys of Backups.
  package func backups() throws(Failure) -> [Row] { try rows(Contract.database, "Backups") }

  /// Puts a backup in the place of the database; the keys are those of Restore.
  package func restoreBackup(_ id: String) throws(Failure) -> Row {
    try row("Restore", [.string(id)])
  }

  /// Saves what can be read of a damaged database; the keys are those of Recover.
  package func recover() throws(Failure) -> Row { try row("Recover") }

  package func pause() throws(Failure) { _ = try row("Pause") }

  package func resume() throws(Failure) { _ = try row("Resume") }

  /// A large database takes its time.
  private func row(_ member: MemberName, _ arguments: [Value] = []) throws(Failure) -> Row {
    let answer = try call(
      Contract.database, member, arguments, timeoutMilliseconds: Connection.noTimeout)
    return Row(answer.first ?? .row([]))
  }
}
