package import CalendarModel
package import CivilTime

/// A reminder of the ledger with the steps of its life.
package struct LedgerEntry: Sendable {
  /// A state, and when the reminder came into it.
  package struct Step: Hashable, Sendable {
    /// As in the column `state`: due, delivered, snoozed, acknowledged, closed.
    package let state: String
    package let at: Timestamp
    /// When a snooze was to end; nil for another state.
    package let due: Timestamp?
    /// Why it was closed, by the word on the bus; "" for another state.
    package let reason: String

    init(state: String, at: Timestamp, due: Timestamp? = nil, reason: String = "") {
      self.state = state
      self.at = at
      self.due = due
      self.reason = reason
    }
  }

  package let reminder: Reminder
  /// In their order.
  package let steps: [Step]
  /// Whether it was delivered under another name, and an edit of its event has brought it here: the first step is
  /// that it came. Where steps have been lost nobody knows, and it counts as told here.
  package let isMoved: Bool
  /// Whether it was over before it came: other zones have put an alarm there whose time was after those of
  /// before, told or not. It is the only step.
  package let isCarried: Bool

  /// - Parameters:
  ///   - isComplete: whether no step is lost.
  ///   - wasClosedAtOnce: whether it was closed where it is, by no change of events: one that an edit brings
  ///     here closed has that edit as what closed it.
  init(_ reminder: Reminder, steps: [Step], isComplete: Bool, wasClosedAtOnce: Bool) {
    self.reminder = reminder
    self.steps = steps
    isMoved =
      switch steps.first?.state {
      case "delivered", "snoozed": isComplete
      // One that was not to be delivered stays so.
      case "closed":
        isComplete && !wasClosedAtOnce
          && Reminder.CloseReason(rawValue: steps[0].reason)?.isSilence ?? false
      default: false
      }
    isCarried = wasClosedAtOnce && steps.count == 1 && reminder.state == .closed(.eventMoved)
  }
}

extension EventStore {
  /// Returns what the ledger has of an event of one calendar, in the order of the instants
  /// at which its alarms fell due; also of one that is gone.
  ///
  /// - Parameters:
  ///   - recurrenceID: of one occurrence alone; nil: of all.
  ///   - limit: no more than the latest so many.
  /// - Throws: ``StoreError`` when the database cannot be read.
  package func ledgerEntries(
    of uid: EventUID, in calendar: CalendarID, recurrenceID: String?, limit: Int
  ) throws(StoreError) -> [LedgerEntry] {
    try ledger.entries(of: uid, in: calendar, recurrenceID: recurrenceID, limit: limit)
  }

  /// Returns the calendars in which the ledger knows an event, that first in which one of
  /// its alarms fell due first.
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
