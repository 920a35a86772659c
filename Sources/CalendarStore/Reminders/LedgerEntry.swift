package import CalendarModel
package import CivilTime

/// A reminder in the ledger, with its history.
package struct LedgerEntry: Sendable {
  /// A state, and when the reminder reached it.
  package struct Step: Hashable, Sendable {
    /// As in the column `state`: due, delivered, snoozed, acknowledged, closed.
    package let state: String
    package let at: Timestamp
    /// When the snooze ends; nil for other states.
    package let due: Timestamp?
    /// Why it was closed, as the word used on the bus; "" for other states.
    package let reason: String

    init(state: String, at: Timestamp, due: Timestamp? = nil, reason: String = "") {
      self.state = state
      self.at = at
      self.due = due
      self.reason = reason
    }
  }

  package let reminder: Reminder
  /// In the order of time.
  package let steps: [Step]
  /// Whether it was delivered under another key, and an edit of its event moved it here.
  ///
  /// false if earlier steps were cut off, since that is then unknown.
  package let isMoved: Bool
  /// Whether it was closed when it was created, because other zones moved a handled alarm.
  package let isCarried: Bool

  /// Derives the properties from the steps.
  ///
  /// - Parameters:
  ///   - isComplete: whether no step was cut off.
  ///   - wasClosedAtOnce: whether it was closed without any other step, and not by a change of
  ///     events.
  init(_ reminder: Reminder, steps: [Step], isComplete: Bool, wasClosedAtOnce: Bool) {
    self.reminder = reminder
    self.steps = steps
    isMoved =
      switch steps.first?.state {
      case "delivered", "snoozed": isComplete
      // A silenced reminder may be moved too.
      case "closed":
        isComplete && !wasClosedAtOnce
          && Reminder.CloseReason(rawValue: steps[0].reason)?.isSilence ?? false
      default: false
      }
    isCarried = wasClosedAtOnce && steps.count == 1 && reminder.state == .closed(.eventMoved)
  }
}

extension EventStore {
  /// Returns the ledger's reminders of an event in one calendar, by the instants of their alarms.
  ///
  /// The event may be gone.
  ///
  /// - Parameters:
  ///   - recurrenceID: selects one occurrence; nil for all.
  ///   - limit: the most that are returned, the latest ones.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func ledgerEntries(
    of uid: EventUID, in calendar: CalendarID, recurrenceID: String?, limit: Int
  ) throws(StoreError) -> [LedgerEntry] {
    try ledger.entries(of: uid, in: calendar, recurrenceID: recurrenceID, limit: limit)
  }

  /// Returns the calendars in which the ledger knows an event, by the order of its first reminders.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func ledgerCalendars(of uid: EventUID) throws(StoreError) -> [CalendarID] {
    let row = try database.statement(
      "SELECT calendar FROM reminders WHERE uid = ?1 GROUP BY calendar ORDER BY min(key)")
    row.bind(1, uid.text)
    defer { row.reset() }
    var calendars: [CalendarID] = []
    while try row.step() { calendars.append(CalendarID(row.text(0))) }
    return calendars
  }
}

extension ReminderRows {
  private static let columns: [(state: String, column: Int32)] = [
    ("due", 0), ("delivered", 1), ("snoozed", 2), ("acknowledged", 3), ("closed", 4),
  ]

  func entries(
    of uid: EventUID, in calendar: CalendarID, recurrenceID: String?, limit: Int
  ) throws(StoreError) -> [LedgerEntry] {
    let reminders = try latest(of: uid, in: calendar, recurrenceID: recurrenceID, limit: limit)
    let row = try database.statement(
      """
      SELECT due_at, delivered_at, snoozed_at, acknowledged_at, closed_at, earlier,
        closed_at IS NOT NULL AND closed_by IS NULL AND earlier = ''
      FROM reminders
      WHERE uid = ?1 AND calendar = ?4 AND (?2 IS NULL OR recurrence_id = ?2)
      ORDER BY trigger_at DESC, key DESC LIMIT ?3
      """)
    bind(uid, calendar, recurrenceID, limit, to: row)
    defer { row.reset() }
    var entries: [LedgerEntry] = []
    for reminder in reminders {
      guard try row.step() else { break }
      guard let earlier = LedgerSteps.read(row.text(5)) else {
        throw database.damaged("the steps of the reminder \(reminder.id)")
      }
      var latest: [LedgerEntry.Step] = []
      var reason = ""
      if case .closed(let word) = reminder.state { reason = word.rawValue }
      for (state, column) in ReminderRows.columns {
        guard let seconds = row.optionalInteger(column) else { continue }
        latest.append(
          LedgerEntry.Step(
            state: state, at: Timestamp(seconds: seconds),
            due: state == "snoozed" ? reminder.due : nil,
            reason: state == "closed" ? reason : ""))
      }
      let steps = LedgerSteps.inOrder(
        earlier: earlier, latest: latest, state: parts(of: reminder.state).word)
      entries.append(
        LedgerEntry(
          reminder, steps: steps, isComplete: !LedgerSteps.isCut(row.text(5)),
          wasClosedAtOnce: row.bool(6)))
    }
    return entries.reversed()
  }
}
