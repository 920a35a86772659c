package import CalendarModel
package import Messages

/// Why the database cannot be opened, read or written. The file is as it was before the call.
package enum StoreError: UserError, Equatable, Sendable {
  /// Another process has the database open.
  case held(path: String)
  /// The file, its folder or its disk cannot be written.
  case readOnly(path: String)
  /// A later version of Datebook migrated the file.
  ///
  /// `found` is the file's schema number, `known` the latest that this version reads.
  case newerVersion(path: String, found: Int, known: Int)
  /// The file is not an SQLite database.
  case notADatabase(path: String)
  /// The file belongs to another program; `applicationID` is its identifier, 0 for none.
  case foreignDatabase(path: String, applicationID: Int32)
  /// The content is damaged; `detail` says where.
  case corrupt(path: String, detail: String)
  /// The file at the path is no longer the one that was opened.
  case replaced(path: String, isRemoved: Bool)
  /// The file or its folder belongs to another user, or others can write it; `reason` says which.
  ///
  /// The caller checks this: SQLite checks no owners.
  case insecure(path: String, reason: UserText)
  /// The file cannot be opened or created: no such folder, no permission.
  case unreachable(path: String, reason: UserText)
  /// The disk or the user's quota is full.
  case full(path: String)
  /// An event names a calendar that does not exist.
  case unknownCalendar(CalendarID)
  /// The last calendar cannot be removed.
  case lastCalendar(CalendarID)
  /// A calendar with events can only be removed together with them.
  case calendarInUse(CalendarID, events: Int)
  /// Any other error: SQLite's extended result code, its message, and the SQL.
  case failed(code: Int32, message: String, sql: String)
}

extension StoreError: CustomStringConvertible {
  /// The message for people.
  package var text: UserText {
    switch self {
    case .held(let path):
      UserText(
        """
        the database {path} is in use by another process; stop that one first (another datebookd, \
        or sqlite3 on this file)
        """, ["path": path])
    case .readOnly(let path):
      UserText(
        """
        the database {path} cannot be written; make the file and its folder writable for you
        """, ["path": path])
    case .newerVersion(let path, let found, let known):
      UserText(
        """
        the database {path} was written by a newer Datebook (schema {found}, this version knows \
        {known}); install the newer version again, restore a backup from before the update \
        ("calctl backups" lists them), or move the file away
        """, ["path": path, "found": found, "known": known])
    case .notADatabase(let path):
      UserText(
        """
        the file {path} is not a database; "calctl backups" lists the backups of the last days; \
        or move the file away, and a new database is created at the next start
        """, ["path": path])
    case .foreignDatabase(let path, let applicationID):
      UserText(
        """
        the database {path} belongs to another program (application ID {identifier}); move it \
        away, and a new database is created at the next start
        """, ["path": path, "identifier": Int(applicationID)])
    case .corrupt(let path, let detail):
      UserText(
        """
        the database {path} is damaged ({detail}); "calctl recover" saves what can be read, \
        "calctl backups" lists the backups of the last days
        """, ["path": path, "detail": detail])
    case .replaced(let path, isRemoved: true):
      UserText(
        """
        the database {path} was removed while the agent had it open; changes are refused
        """, ["path": path])
    case .replaced(let path, isRemoved: false):
      UserText(
        """
        the database {path} was replaced by another file while the agent had it open; changes \
        are refused until "calctl pause" and "calctl resume" switch to the new file
        """, ["path": path])
    case .insecure(let path, let reason):
      UserText(
        """
        {path} is not safe to use: {reason}; it must be yours alone (chmod 600, its folder 700)
        """, ["path": path, "reason": reason])
    case .unreachable(let path, let reason):
      UserText(
        "the database {path} cannot be opened: {reason}; check the path and its permissions",
        ["path": path, "reason": reason])
    case .full(let path):
      UserText(
        """
        there is no room left to write the database {path}; nothing was changed, free some space
        """, ["path": path])
    case .unknownCalendar(let id):
      UserText("no calendar has the ID \"{id}\"; list the calendars to see them", ["id": id.text])
    case .lastCalendar(let id):
      UserText(
        "{id} is the last calendar, and one must remain; create another first", ["id": id.text])
    case .calendarInUse(let id, let events):
      UserText(
        events,
        one: """
          the calendar {id} has {count} event; move or remove it first, or remove the calendar \
          with its events
          """,
        other: """
          the calendar {id} has {count} events; move or remove them first, or remove the calendar \
          with its events
          """, ["id": id.text])
    case .failed(let code, let message, sql: ""):
      UserText(
        "SQLite error {code}: {message}", ["code": String(code), "message": message])
    case .failed(let code, let message, let sql):
      UserText(
        "SQLite error {code}: {message}; statement: {sql}",
        ["code": String(code), "message": message, "sql": sql])
    }
  }

  package var description: String { text.english }
}
