package import CalendarModel

/// What keeps the database from being opened, read or written.
///
/// Whatever it is, the file is as it was before the call.
package enum StoreError: Error, Equatable, Sendable {
  /// Another process has the database open.
  case held(path: String)
  /// The file, its folder or its disk cannot be written.
  case readOnly(path: String)
  /// A later version of Datebook has changed the tables; `found` is their
  /// number, `known` the last one that this version can read.
  case newerVersion(path: String, found: Int, known: Int)
  /// The file is something else than an SQLite database.
  case notADatabase(path: String)
  /// The file is an SQLite database of another program; `applicationID` is its
  /// mark, 0 for none.
  case foreignDatabase(path: String, applicationID: Int32)
  /// The content contradicts itself; `detail` says where.
  case corrupt(path: String, detail: String)
  /// The file that was opened is no longer the one at its path: another took its
  /// place, or it was removed.
  case replaced(path: String, isRemoved: Bool)
  /// The file or its folder belongs to another user or can be written by others;
  /// `reason` says which. For the caller's check: SQLite knows no owners.
  case insecure(path: String, reason: String)
  /// The file cannot be opened or created: no such folder, no permission.
  case unreachable(path: String, reason: String)
  /// The disk or the user's quota is full.
  case full(path: String)
  /// An event was to go into a calendar that is not there.
  case unknownCalendar(CalendarID)
  /// The last calendar was to be removed.
  case lastCalendar(CalendarID)
  /// A calendar was to be removed that has so many events.
  case calendarInUse(CalendarID, events: Int)
  /// Anything else: SQLite's extended result code, its message, and the SQL.
  case failed(code: Int32, message: String, sql: String)
}

extension StoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .held(let path):
      "the database \(path) is in use by another process; stop that one first (another datebookd, "
        + "or sqlite3 on this file)"
    case .readOnly(let path):
      "the database \(path) cannot be written; make the file and its folder writable for you"
    case .newerVersion(let path, let found, let known):
      "the database \(path) was written by a newer Datebook (schema \(found), this one knows "
        + "\(known)); install that version again, or move the file away"
    case .notADatabase(let path):
      "the file \(path) is not a database; \"calctl backups\" lists the copies of the last days; or move it "
        + "away, and a new one is made at the next start"
    case .foreignDatabase(let path, let applicationID):
      "the database \(path) belongs to another program (application id \(applicationID)); move it "
        + "away, and a new one is made at the next start"
    case .corrupt(let path, let detail):
      "the database \(path) is damaged (\(detail)); \"calctl recover\" saves what can be read, "
        + "\"calctl backups\" lists the copies of the last days"
    case .replaced(let path, let isRemoved):
      "the database \(path) was \(isRemoved ? "removed" : "replaced by another file") while the agent "
        + "had it open, and changes are refused"
        + (isRemoved ? "" : "; \"calctl pause\" and \"calctl resume\" go on with the new file")
    case .insecure(let path, let reason):
      "\(path) is not safe to use: \(reason); it must be yours alone (chmod 600, its folder 700)"
    case .unreachable(let path, let reason):
      "the database \(path) cannot be opened: \(reason); look at the path and its permissions"
    case .full(let path):
      "there is no room left to write the database \(path); nothing was changed, free some space"
    case .unknownCalendar(let id):
      "no calendar has the id \"\(id)\"; list the calendars for those that there are"
    case .lastCalendar(let id):
      "\(id) is the last calendar, and there is always one; create another first"
    case .calendarInUse(let id, let events):
      "the calendar \(id) has \(events) event\(events == 1 ? "" : "s"); move or remove what is in it "
        + "first, or remove it with its events"
    case .failed(let code, let message, let sql):
      "SQLite said \"\(message)\" (code \(code))" + (sql.isEmpty ? "" : " at: \(sql)")
    }
  }
}
