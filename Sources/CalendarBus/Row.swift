package import DBus

/// The keys of the contract's dictionaries, spelled only here; dbus/*.xml explains them.
package enum RowKey: String, CaseIterable, Sendable {
  // Occurrences and events
  case uid
  case recurrenceID = "recurrence-id"
  case calendar, summary, location, start, end
  case startText = "start-text"
  case endText = "end-text"
  case allDay = "all-day"
  case timeZone = "time-zone"
  case status, declined, busy, color, recurring, url
  case joinURL = "join-url"
  case categories, count, quality
  // Events.Get and Events.Add
  case description, rrule, exrule, rdate, exdate, reminders, attendees, organizer, created, modified
  case sequence, exceptions
  case appliesToFuture = "this-and-future"
  case exceptionCount = "exceptions-count"
  case classification = "class"
  case address, name, participation
  // Events.Update
  case ifRevision = "if-revision"
  case inCalendar = "in-calendar"
  case dropped
  case droppedCount = "dropped-count"
  case warnings
  // Events.Todos
  case dueText = "due-text"
  case completed, percent, priority, parent
  // Events.List with others
  case kind
  // Calendars
  case id, visible
  case readOnly = "read-only"
  case isDefault = "default"
  case source, events, order
  case allDayReminders = "all-day-reminders"
  case tellLate = "tell-late"
  // Events.History and Events.Trash
  case action, uids, time, undone, removed, label, changed
  // Reminders
  case due, state, snoozes, missed, late, notified, quiet, at, reason, since, moved, more, undated
  case byAllGuests = "by-all-guests"
  case formerID = "former-id"
  case reminderRepeats = "reminder-repeats"
  // Transfer
  case added, updated, skipped, failed, line, column, problem
  case problemText = "text"
  case otherLine = "other-line"
  case advised
  case refused
  case dryRun = "dry-run"
  case omitPrivate = "omit-private"
  case recurrenceIDs = "recurrence-ids"
  case byCalendar = "by-calendar"
  case ownCalendars = "own-calendars"
  case progress
  case toDos = "to-dos"
  case journals
  case freeBusy = "free-busy"
  case others
  // Database
  case bytes, backup, incomplete, lost
  // Sync
  case user, secret, authorities, interval, pending, deletions, href, chosen
  case passwordCommand = "password-command"
  case tokenCommand = "token-command"
  case clientID = "client-id"
  case gnomeAccount = "gnome-account"
  case pinnedKey = "pinned-key"
  case daysBack = "days-back"
  case daysAhead = "days-ahead"
  case lastSuccess = "last-success"
  case nextRun = "next-run"
  case guests
  case guestsWaiting = "guests-waiting"
  // Options and details
  case calendars, limit, cursor, fields, privacy, states
  case includeCancelled = "include-cancelled"
  case includeDeclined = "include-declined"
  case hours, next, lanes
  case from, to, origin
  // Conflicts
  case first, second
  // Render
  case maximumWidth = "max-width"
  case template
  // ChangesSince
  case change, revision

  /// The keys of a row of GetOccurrences, which its option "fields" may name.
  package static let ofOccurrences: [RowKey] = [
    .uid, .recurrenceID, .calendar, .summary, .location, .start, .end, .startText, .endText,
    .allDay, .timeZone, .status, .declined, .busy, .color, .recurring, .url, .joinURL, .categories,
    .state, .quality, .count, .revision,
  ]
}

/// A dictionary of the contract, `a{sv}`: keys in order, each at most once.
package struct Row: Equatable {
  package private(set) var entries: [(key: RowKey, value: Value)] = []

  package init() {}

  /// Reads a dictionary that came over the bus; ignores unknown keys, as the contract requires.
  package init(_ value: Value) {
    for (key, value) in value.asRow ?? [] {
      if let key = RowKey(rawValue: key) { entries.append((key, value)) }
    }
  }

  package static func == (left: Row, right: Row) -> Bool {
    left.entries.elementsEqual(right.entries) { $0.key == $1.key && $0.value == $1.value }
  }

  /// The dictionary as a value for the bus.
  package var value: Value {
    .dictionary(
      key: "s", value: "v",
      entries.map {
        Value.DictionaryEntry(key: .string($0.key.rawValue), value: .variant($0.value))
      })
  }

  /// Rows, `aa{sv}`.
  package static func array(_ rows: [Row]) -> Value {
    .array("a{sv}", rows.map(\.value))
  }

  package subscript(key: RowKey) -> Value? {
    entries.first { $0.key == key }?.value
  }

  /// Adds a key that the row does not have yet, without the check in ``set(_:_:)``.
  @inline(__always)
  mutating func add(_ key: RowKey, _ value: Value) { entries.append((key, value)) }

  mutating func reserve(_ keys: Int) { entries.reserveCapacity(keys) }

  package mutating func set(_ key: RowKey, _ value: Value) {
    if let index = entries.firstIndex(where: { $0.key == key }) {
      entries[index].value = value
    } else {
      entries.append((key, value))
    }
  }

  package mutating func set(_ key: RowKey, _ text: String) { set(key, .string(text)) }
  package mutating func set(_ key: RowKey, _ flag: Bool) { set(key, .boolean(flag)) }
  package mutating func set(_ key: RowKey, _ texts: [String]) { set(key, .strings(texts)) }

  /// Sets a text unless it is "": empty keys are left out.
  package mutating func setUnlessEmpty(_ key: RowKey, _ text: String) {
    if !text.isEmpty { set(key, text) }
  }

  /// Sets the warnings of an edit, unless there are none.
  package mutating func setWarnings(_ warnings: [String]) {
    if !warnings.isEmpty { set(.warnings, warnings) }
  }

  /// Returns a row with only the wanted keys.
  package func only(_ keys: Set<RowKey>) -> Row {
    var row = Row()
    row.entries = entries.filter { keys.contains($0.key) }
    return row
  }

  // MARK: Reading; "", 0 and false mean a missing key

  package func text(_ key: RowKey) -> String { self[key]?.asString ?? "" }
  package func number(_ key: RowKey) -> Int64 { self[key]?.asInteger ?? 0 }
  package func flag(_ key: RowKey) -> Bool { self[key]?.asBoolean ?? false }
  package func texts(_ key: RowKey) -> [String] { self[key]?.asStrings ?? [] }
}
