package import CalendarModel
package import CivilTime

/// A reminder of the ledger with the steps of its life.
package struct LedgerEntry: Sendable {
  /// A state, and when the reminder came into it last.
  package struct Step: Hashable, Sendable {
    /// As in the column `state`: due, delivered, snoozed, acknowledged, closed.
    package let state: String
    package let at: Timestamp
  }

  package let reminder: Reminder
  /// In their order.
  package let steps: [Step]
}

extension EventStore {
  /// Returns what the ledger has of an event, in the order of the instants at which
  /// its alarms fell due; also of one that is gone.
  ///
  /// - Parameters:
  ///   - recurrenceID: of one occurrence alone; nil: of all.
  ///   - limit: no more than the latest so many.
  package func ledgerEntries(
    of uid: EventUID, recurrenceID: String?, limit: Int
  ) throws(StoreError) -> [LedgerEntry] {
    try ledger.entries(of: uid, recurrenceID: recurrenceID, limit: limit)
  }
}

extension ReminderRows {
  private static let steps: [(state: String, column: Int32)] = [
    ("due", 0), ("delivered", 1), ("snoozed", 2), ("acknowledged", 3), ("closed", 4),
  ]

  func entries(
    of uid: EventUID, recurrenceID: String?, limit: Int
  ) throws(StoreError) -> [LedgerEntry] {
    let reminders = try latest(of: uid, recurrenceID: recurrenceID, limit: limit)
    let row = try database.statement(
      """
      SELECT due_at, delivered_at, snoozed_at, acknowledged_at, closed_at FROM reminders
      WHERE uid = ?1 AND (?2 IS NULL OR recurrence_id = ?2)
      ORDER BY trigger_at DESC, key DESC LIMIT ?3
      """)
    bind(uid, recurrenceID, limit, to: row)
    defer { row.reset() }
    var entries: [LedgerEntry] = []
    for reminder in reminders {
      guard try row.step() else { break }
      let steps = ReminderRows.steps.compactMap { state, column in
        row.optionalInteger(column).map {
          LedgerEntry.Step(state: state, at: Timestamp(seconds: $0))
        }
      }
      entries.append(
        LedgerEntry(reminder: reminder, steps: ReminderRows.inOrder(steps)))
    }
    return entries.reversed()
  }

  /// By their instants; those of one instant as life goes.
  private static func inOrder(_ steps: [LedgerEntry.Step]) -> [LedgerEntry.Step] {
    steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }
}
