package import CalendarModel
import CivilTime

/// The net effect of one or more changes on an event.
package struct LoggedChange: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case added, updated, removed
  }

  package let calendar: CalendarID
  package let uid: EventUID
  /// The net change; ``Kind/removed`` for an event that was added and removed again.
  package private(set) var change: Kind
  /// The revision of the last change.
  package let revision: UInt64

  /// Combines this with an older change of the same event.
  fileprivate mutating func follow(older: Kind) {
    switch (older, change) {
    case (.added, .updated): change = .added
    case (.removed, .added): change = .updated
    default: break
    }
  }
}

/// An event of one calendar.
package struct SeriesName: Hashable, Sendable {
  package let calendar: CalendarID
  package let uid: EventUID

  package init(calendar: CalendarID, uid: EventUID) {
    self.calendar = calendar
    self.uid = uid
  }
}

/// The revision of the last change, and which events each recent revision touched.
final class ChangeLog {
  let database: Database
  /// The revision of the last durable change.
  private(set) var revision: UInt64
  /// The complete part of the log after the last durable change.
  private var extent: Extent
  /// The same after the change in progress; nil outside of one.
  private var nextExtent: Extent?

  /// The number of revisions kept; a client that is further behind must reload everything.
  static let keptRevisions: UInt64 = 10_000
  /// The most events that the log keeps, not counting those that undo steps hold.
  ///
  /// When it has more, it is cut to half of that.
  static let keptEvents = 50_000

  /// The complete part of the log.
  struct Extent {
    /// The log is complete after this revision, unless ``keptRevisions`` limits it further.
    var cut: UInt64
    /// The number of rows in that part; nil until they are counted.
    var rows: Int?

    /// Returns the revision after which the log is complete.
    func start(at revision: UInt64) -> UInt64 {
      let oldest = revision > keptRevisions ? revision - keptRevisions : 0
      return max(cut, oldest)
    }
  }

  init(_ database: Database) throws(StoreError) {
    self.database = database
    revision = UInt64(
      max(0, try database.integer("SELECT value FROM meta WHERE name = 'revision'")))
    let cut = try database.integer("SELECT value FROM meta WHERE name = 'log_after'")
    extent = Extent(cut: UInt64(max(0, cut)), rows: nil)
  }

  typealias Change = LoggedChange.Kind

  func append(
    _ change: Change, _ uid: EventUID, in calendar: CalendarID, revision: UInt64,
    origin: ChangeOrigin, at now: Timestamp
  ) throws(StoreError) {
    let row = try database.statement(
      "INSERT INTO changes (revision, calendar, uid, change, origin, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
    )
    row.bind(1, Int64(revision))
    row.bind(2, calendar.text)
    row.bind(3, uid.text)
    row.bind(4, change.rawValue)
    row.bind(5, origin.rawValue)
    row.bind(6, now.seconds)
    try row.run()
  }

  /// Returns when a revision was made; nil if the log no longer has it.
  func time(of revision: UInt64) throws(StoreError) -> Timestamp? {
    let row = try database.statement("SELECT at FROM changes WHERE revision = ?1 LIMIT 1")
    row.bind(1, Int64(revision))
    defer { row.reset() }
    return try row.step() ? Timestamp(seconds: row.integer(0)) : nil
  }

  /// Logs series of a calendar as added, in the order of their uids, and returns how many.
  ///
  /// - Parameters:
  ///   - key: only series with a greater key are logged.
  ///   - last: only series with a greater uid are logged.
  func append(
    seriesAfter key: Int64, of calendar: CalendarRows.Row, after last: String, limit: Int,
    revision: UInt64, origin: ChangeOrigin, at now: Timestamp
  ) throws(StoreError) -> Int {
    // The "+" makes SQLite use the index on calendar and uid, which gives the order.
    let row = try database.statement(
      """
      INSERT INTO changes (revision, calendar, uid, change, origin, at)
      SELECT ?1, ?2, uid, 'added', ?3, ?4 FROM series
      WHERE calendar = ?5 AND uid > ?6 AND +key > ?7 ORDER BY uid LIMIT ?8
      """)
    row.bind(1, Int64(revision))
    row.bind(2, calendar.info.id.text)
    row.bind(3, origin.rawValue)
    row.bind(4, now.seconds)
    row.bind(5, calendar.key)
    row.bind(6, last)
    row.bind(7, key)
    row.bind(8, Int64(limit))
    try row.run()
    return database.changedRows
  }

  /// Returns the greatest uid that a revision added to a calendar; "" if it added none.
  func lastAdded(by revision: UInt64, to calendar: CalendarID) throws(StoreError) -> String {
    let row = try database.statement(
      """
      SELECT uid FROM changes WHERE revision = ?1 AND calendar = ?2 AND change = 'added'
      ORDER BY uid DESC LIMIT 1
      """)
    row.bind(1, Int64(revision))
    row.bind(2, calendar.text)
    defer { row.reset() }
    return try row.step() ? row.text(0) : ""
  }

  /// Returns the net change of each event since a revision, in the order of their last changes.
  ///
  /// - Parameter limit: the most that are returned.
  /// - Returns: nil if the log does not reach back that far, if there are more than `limit`, or if
  ///   the revision is from another database. The caller then reloads everything.
  func changes(
    since seen: UInt64, limit: Int
  ) throws(StoreError) -> [LoggedChange]? {
    guard seen <= revision, seen >= extent.start(at: revision) else { return nil }
    let row = try database.statement(
      """
      SELECT calendar, uid, change, revision FROM changes WHERE revision > ?1 AND revision <= ?2
      ORDER BY revision DESC
      """)
    row.bind(1, Int64(seen))
    // Later rows belong to a batched change that is not finished.
    row.bind(2, Int64(revision))
    defer { row.reset() }
    var places: [SeriesName: Int] = [:]
    var found: [LoggedChange] = []
    while try row.step() {
      let name = SeriesName(calendar: CalendarID(row.text(0)), uid: EventUID(row.text(1)))
      guard let change = Change(rawValue: row.text(2)) else {
        throw database.damaged("a change of the event \(name.uid)")
      }
      if let place = places[name] {
        // An older change of the event shows whether the event existed before.
        found[place].follow(older: change)
        continue
      }
      guard found.count < limit else { return nil }
      places[name] = found.count
      found.append(
        LoggedChange(
          calendar: name.calendar, uid: name.uid, change: change,
          revision: UInt64(row.integer(3))))
    }
    return found.reversed()
  }

  /// Deletes a batch of the rows of a revision that was never finished.
  ///
  /// - Returns: whether none is left.
  func forgetSome(of revision: UInt64) throws(StoreError) -> Bool {
    try clear(revision, limit: ChangeLog.forgottenAtOnce)
  }

  /// Moves an event's log entry to another revision.
  func move(
    _ name: SeriesName, from former: UInt64, to revision: UInt64
  ) throws(StoreError) {
    let row = try database.statement(
      "UPDATE changes SET revision = ?4 WHERE revision = ?1 AND calendar = ?2 AND uid = ?3")
    row.bind(1, Int64(former))
    row.bind(2, name.calendar.text)
    row.bind(3, name.uid.text)
    row.bind(4, Int64(revision))
    try row.run()
  }

  /// Writes the revision that is about to be committed, and trims the oldest log rows.
  ///
  /// - Parameter events: how many events the change touched.
  /// - Returns: whether rows are left for ``sweep(_:)``.
  func write(revision: UInt64, events: Int) throws(StoreError) -> Bool {
    let row = try database.statement("UPDATE meta SET value = ?1 WHERE name = 'revision'")
    row.bind(1, Int64(revision))
    try row.run()
    let formerStart = extent.start(at: self.revision)
    var next = extent
    // The count includes the rows just appended.
    var rows =
      if let known = extent.rows { known + events } else { try countRows(after: formerStart) }
    if rows > ChangeLog.keptEvents {
      (next.cut, rows) = try cut(at: revision)
      next.rows = rows
      nextExtent = next
      return true
    }
    let start = next.start(at: revision)
    var isClean = true
    // A change adds one or two revisions, so one or two expire.
    for gone in formerStart..<max(start, formerStart) {
      rows -= try count(of: gone + 1)
      if try !isHeld(gone + 1), try !clear(gone + 1, limit: ChangeLog.clearedAtOnce) {
        isClean = false
      }
    }
    next.rows = rows
    nextExtent = next
    return !isClean
  }

  /// Cuts the log to the latest revisions that together name at most half of ``keptEvents``.
  private func cut(at revision: UInt64) throws(StoreError) -> (UInt64, Int) {
    let row = try database.statement(
      "SELECT revision, count(*) FROM changes GROUP BY revision ORDER BY revision DESC")
    defer { row.reset() }
    var cut: UInt64 = 0
    var rows = 0
    while try row.step() {
      let count = Int(row.integer(1))
      if rows + count > ChangeLog.keptEvents / 2 {
        cut = UInt64(max(0, row.integer(0)))
        break
      }
      rows += count
    }
    let written = try database.statement(
      "INSERT OR REPLACE INTO meta (name, value) VALUES ('log_after', ?1)")
    written.bind(1, Int64(cut))
    try written.run()
    return (cut, rows)
  }

  private func countRows(after revision: UInt64) throws(StoreError) -> Int {
    let row = try database.statement("SELECT count(*) FROM changes WHERE revision > ?1")
    row.bind(1, Int64(revision))
    defer { row.reset() }
    return try row.step() ? Int(row.integer(0)) : 0
  }

  // MARK: Clearing

  /// The most rows deleted inside a change, which must not become slow.
  private static let clearedAtOnce = 256
  /// The most rows deleted in a transaction of their own.
  private static let forgottenAtOnce = 1000

  /// Deletes the rows of a revision that an undo step no longer holds.
  ///
  /// - Returns: whether rows are left for ``sweep(_:)``.
  func release(_ old: UInt64) throws(StoreError) -> Bool {
    let start = nextExtent?.start(at: revision + 1) ?? extent.start(at: revision)
    guard old <= start else { return false }
    return try !clear(old, limit: ChangeLog.clearedAtOnce)
  }

  /// Deletes rows from before the complete part that no undo step holds; returns how many.
  ///
  /// - Parameter limit: the most rows.
  func sweep(_ limit: Int) throws(StoreError) -> Int {
    let end = (nextExtent ?? extent).start(at: revision)
    let row = try database.statement(
      "SELECT revision FROM changes WHERE revision > ?1 ORDER BY revision LIMIT 1")
    var (seen, cleared) = (Int64(-1), 0)
    while cleared < limit {
      row.bind(1, seen)
      let found = try row.step() ? row.integer(0) : Int64.max
      row.reset()
      guard found <= Int64(end) else { break }
      if try isHeld(UInt64(found)) {
        seen = found
      } else {
        _ = try clear(UInt64(found), limit: limit - cleared)
        cleared += database.changedRows
      }
    }
    return cleared
  }

  private func isHeld(_ revision: UInt64) throws(StoreError) -> Bool {
    let row = try database.statement(
      "SELECT 1 FROM undo_steps WHERE revision = ?1 AND is_dropped = 0")
    row.bind(1, Int64(revision))
    defer { row.reset() }
    return try row.step()
  }

  /// Deletes at most `limit` rows of a revision, and returns whether none is left.
  private func clear(_ old: UInt64, limit: Int) throws(StoreError) -> Bool {
    let row = try database.statement(
      """
      DELETE FROM changes WHERE revision = ?1 AND (calendar, uid) IN (
        SELECT calendar, uid FROM changes WHERE revision = ?1 LIMIT ?2)
      """)
    row.bind(1, Int64(old))
    row.bind(2, Int64(limit))
    try row.run()
    return database.changedRows < limit
  }

  // MARK: What a revision touched

  /// Returns the first events, by name, that a revision touched.
  func touched(by revision: UInt64, limit: Int) throws(StoreError) -> [SeriesName] {
    let row = try database.statement(
      "SELECT calendar, uid FROM changes WHERE revision = ?1 LIMIT ?2")
    row.bind(1, Int64(revision))
    row.bind(2, Int64(limit))
    return try names(row)
  }

  /// Whether a revision touched an event.
  func touches(_ name: SeriesName, by revision: UInt64) throws(StoreError) -> Bool {
    let row = try database.statement(
      "SELECT 1 FROM changes WHERE revision = ?1 AND calendar = ?2 AND uid = ?3")
    row.bind(1, Int64(revision))
    row.bind(2, name.calendar.text)
    row.bind(3, name.uid.text)
    defer { row.reset() }
    return try row.step()
  }

  /// Returns all events that a revision touched, in the order of the series in the file.
  ///
  /// In the order of their names, each would rewrite pages of the search index, and undoing an
  /// import would take twice as long.
  func touched(by revision: UInt64) throws(StoreError) -> [SeriesName] {
    let row = try database.statement(
      """
      SELECT changes.calendar, changes.uid FROM changes
      LEFT JOIN calendars ON calendars.id = changes.calendar
      LEFT JOIN series ON series.calendar = calendars.key AND series.uid = changes.uid
      WHERE changes.revision = ?1 ORDER BY series.key
      """)
    row.bind(1, Int64(revision))
    return try names(row)
  }

  /// Returns how many events a revision touched.
  ///
  /// - Parameter isMove: whether it moved them: each is then logged in two calendars.
  func count(of revision: UInt64, isMove: Bool = false) throws(StoreError) -> Int {
    let row =
      try isMove
      ? database.statement("SELECT count(DISTINCT uid) FROM changes WHERE revision = ?1")
      : database.statement("SELECT count(*) FROM changes WHERE revision = ?1")
    row.bind(1, Int64(revision))
    defer { row.reset() }
    return try row.step() ? Int(row.integer(0)) : 0
  }

  private func names(_ row: Statement) throws(StoreError) -> [SeriesName] {
    defer { row.reset() }
    var names: [SeriesName] = []
    while try row.step() {
      names.append(SeriesName(calendar: CalendarID(row.text(0)), uid: EventUID(row.text(1))))
    }
    return names
  }

  /// Forgets a change that was rolled back.
  func rolledBack() {
    nextExtent = nil
  }

  /// The state in memory.
  struct State {
    fileprivate let revision: UInt64
    fileprivate let extent: Extent
  }

  var state: State { State(revision: revision, extent: extent) }

  /// Restores the state from before shared changes that were rolled back.
  func rolledBack(to state: State) {
    (revision, extent) = (state.revision, state.extent)
    nextExtent = nil
  }

  /// Called once ``write(revision:events:)`` is durable.
  func committed(_ revision: UInt64) {
    self.revision = revision
    extent = nextExtent ?? extent
    nextExtent = nil
  }
}
