package import DBus

/// The interface Sync, typed.
extension CalendarClient {
  /// The sources, with the keys of List.
  package func sources() throws(Failure) -> [Row] { try rows(Contract.sync, "List") }

  /// The calendars of a source that is not kept, with the keys of Check.
  package func checkSource(kind: String, url: String, options: Row) throws(Failure) -> [Row] {
    let answer = try patiently("Check", [.string(kind), .string(url), options.value])
    return (answer.first?.asArray ?? []).map(Row.init)
  }

  /// Adds a source, and returns its ID.
  package func addSource(kind: String, url: String, options: Row) throws(Failure) -> String {
    let answer = try patiently("Add", [.string(kind), .string(url), options.value])
    return answer.first?.asString ?? ""
  }

  package func editSource(_ id: String, changes: Row) throws(Failure) {
    _ = try patiently("Edit", [.string(id), changes.value])
  }

  package func removeSource(_ id: String, keepsCalendars: Bool) throws(Failure) {
    _ = try patiently("Remove", [.string(id), .boolean(keepsCalendars)])
  }

  /// How far the run of a source is; see SyncProgress.
  package struct SyncProgress {
    /// The ID of the source.
    package let source: String
    package let calendar: String
    package let done: Int64
    package let total: Int64
  }

  /// Synchronises a source, or all for "", and returns the counts of SyncNow.
  ///
  /// - Parameter onProgress: Gets the progress of each; nil for none.
  package func synchronise(
    _ id: String, onProgress: ((SyncProgress) -> Void)? = nil
  ) throws(Failure) -> [(name: String, count: Int64)] {
    let counts: Value?
    if let onProgress {
      counts = try call(Contract.sync, "SyncNow", [.string(id)], hearing: "SyncProgress") {
        values in
        guard values.count >= 4 else { return }
        onProgress(
          SyncProgress(
            source: values[0].asString ?? "", calendar: values[1].asString ?? "",
            done: values[2].asInteger ?? 0, total: values[3].asInteger ?? 0))
      }.first
    } else {
      counts = try patiently("SyncNow", [.string(id)]).first
    }
    guard case .dictionary(_, _, let entries)? = counts else { return [] }
    return entries.map { ($0.key.asString ?? "", $0.value.asInteger ?? 0) }
  }

  /// Creates a calendar at a source, and returns the ID of ours.
  package func createCalendar(
    _ name: String, color: String, at source: String
  ) throws(Failure) -> String {
    let answer = try patiently("CreateCalendar", [source, name, color].map(Value.string))
    return answer.first?.asString ?? ""
  }

  /// The calendars that a source has, also those that are not chosen; with the keys of Check.
  package func calendars(ofSource id: String) throws(Failure) -> [Row] {
    (try patiently("Calendars", [.string(id)]).first?.asArray ?? []).map(Row.init)
  }

  /// The accounts of the desktop that have calendars, with the keys of Accounts.
  package func onlineAccounts() throws(Failure) -> [Row] {
    (try patiently("Accounts", []).first?.asArray ?? []).map(Row.init)
  }

  /// Fails if the desktop's keyring can keep no secret now.
  package func checkKeyring() throws(Failure) { _ = try patiently("CheckKeyring", []) }

  /// Begins to sign in to a source, and returns the address of the page to show in a browser.
  package func signIn(_ id: String) throws(Failure) -> String {
    try patiently("SignIn", [.string(id)]).first?.asString ?? ""
  }

  /// Calls Pause, Resume or Accept.
  package func source(_ id: String, _ member: MemberName) throws(Failure) {
    _ = try call(Contract.sync, member, [.string(id)])
  }

  /// Calls a method without a time-out, since servers take long.
  private func patiently(_ member: MemberName, _ arguments: [Value]) throws(Failure) -> [Value] {
    try call(Contract.sync, member, arguments, timeoutMilliseconds: Connection.noTimeout)
  }
}
