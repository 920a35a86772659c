import CivilTime

/// Deletes reminders that ended more than a year ago:
///
///                  a year ago                     now
///     ─────────────────┼───────────────────────────┼──
///     ended: deleted   │ ended: kept
///     pending: kept    │ pending: kept
///
/// It scans the ledger once a day, in batches, since no index leads to these rows.
///
/// The alarm of a deleted reminder does not fire again: alarms are planned after the instant
/// through which they are handled, and whatever could plan older ones checks
/// ``ReminderRows/forgottenThrough(now:)``.
final class LedgerRetention {
  static let keptSeconds: Int64 = 366 * 86_400

  private let database: Database
  /// The last key that was checked; nil if nothing is left to do today.
  private var last: Int64?
  private var through = Timestamp.earliest

  init(_ database: Database) {
    self.database = database
  }

  var isAtWork: Bool { last != nil }

  /// Begins a scan of the ledger.
  ///
  /// A year is measured by ``RetentionClock``: a clock that is ahead for a minute deletes nothing.
  ///
  /// - Parameter passed: the result of ``RetentionClock/look(at:)``.
  func begin(passed: Int64, now: Timestamp) throws(StoreError) {
    let first = try database.statement(
      "INSERT OR IGNORE INTO meta (name, value) VALUES ('ledger_since', ?1)")
    first.bind(1, now.seconds - passed)
    try first.run()
    let since = try database.integer("SELECT value FROM meta WHERE name = 'ledger_since'")
    let seconds = min(since + passed, now.seconds) - LedgerRetention.keptSeconds
    let row = try database.statement(
      "INSERT OR REPLACE INTO meta (name, value) VALUES ('ledger_through', ?1)")
    row.bind(1, seconds)
    try row.run()
    through = Timestamp(seconds: seconds)
    let count = try database.integer("SELECT count(*) FROM (SELECT 1 FROM reminders LIMIT 1)")
    last = count > 0 ? 0 : nil
  }

  /// Scans the next batch of the ledger.
  ///
  /// - Parameter limit: the most reminders to check.
  func sweep(_ limit: Int) throws(StoreError) {
    guard let last else { return }
    let batch = try database.statement(
      "SELECT max(key) FROM (SELECT key FROM reminders WHERE key > ?1 ORDER BY key LIMIT ?2)")
    batch.bind(1, last)
    batch.bind(2, Int64(limit))
    defer { batch.reset() }
    guard try batch.step(), let end = batch.optionalInteger(0) else {
      self.last = nil
      return
    }
    let row = try database.statement(
      """
      DELETE FROM reminders WHERE key > ?1 AND key <= ?2 AND state IN ('acknowledged', 'closed')
        AND max(trigger_at, due, coalesce(due_at, 0), coalesce(delivered_at, 0),
          coalesce(snoozed_at, 0), coalesce(acknowledged_at, 0), coalesce(closed_at, 0)) <= ?3
      """)
    row.bind(1, last)
    row.bind(2, end)
    row.bind(3, through.seconds)
    try row.run()
    self.last = end
  }
}

extension ReminderRows {
  /// Returns the instant up to which ended reminders may have been deleted; at least a year ago.
  ///
  /// Alarms up to then do not fire any more.
  func forgottenThrough(now: Timestamp) throws(StoreError) -> Timestamp {
    let row = try database.statement("SELECT value FROM meta WHERE name = 'ledger_through'")
    defer { row.reset() }
    guard try row.step() else { return .earliest }
    return min(
      Timestamp(seconds: row.integer(0)), now.adding(seconds: -LedgerRetention.keptSeconds))
  }
}
