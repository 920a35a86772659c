import CivilTime

/// Removes reminders that have been over for a year:
///
///               a year ago                     now
///     ──────────────┼───────────────────────────┼──
///     over: goes    │ over: stays
///     waits: stays  │ waits: stays
///
/// It goes through the ledger once a day, a batch at a time, since no index leads to them.
///
/// An alarm whose reminder went does not fire again: alarms are planned after the instant up to
/// which they were dealt with, and what could plan those of a year ago asks
/// ``ReminderRows/forgottenThrough(now:)``.
final class LedgerRetention {
  static let keptSeconds: Int64 = 366 * 86_400

  private let database: Database
  /// The last key that was looked at; nil where nothing is to be done today.
  private var last: Int64?
  private var through = Timestamp.earliest

  init(_ database: Database) {
    self.database = database
  }

  var isAtWork: Bool { last != nil }

  /// Begins to go through the ledger.
  ///
  /// A year is one that this agent has seen pass, as of ``RetentionClock``: a clock that is ahead for
  /// a minute takes nothing away.
  ///
  /// - Parameter passed: as ``RetentionClock/look(at:)`` says.
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

  /// Deals with the next batch of the ledger.
  ///
  /// - Parameter limit: the most reminders that are looked at.
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
  /// Returns the instant up to which reminders may be gone from the ledger that were over: what
  /// rang until then rings no more. It is a year before now at least.
  func forgottenThrough(now: Timestamp) throws(StoreError) -> Timestamp {
    let row = try database.statement("SELECT value FROM meta WHERE name = 'ledger_through'")
    defer { row.reset() }
    guard try row.step() else { return .earliest }
    return min(
      Timestamp(seconds: row.integer(0)), now.adding(seconds: -LedgerRetention.keptSeconds))
  }
}
