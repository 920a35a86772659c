package import CalendarModel
import CivilTime

/// The net effect of some changes on an event.
package struct LoggedChange: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case added, updated, removed
  }

  package let calendar: CalendarID
  package let uid: EventUID
  /// Against what was there before the first of the changes. One that came and went
  /// again in between is removed.
  package private(set) var change: Kind
  /// Of the last change.
  package let revision: UInt64

  /// Takes in a change that came before the ones that are known.
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

/// The number of the last change, and what each of the latest ones touched.
final class ChangeLog {
  let database: Database
  /// The number of the last change that is durable.
  private(set) var revision: UInt64
  /// What of the log is whole, as the last durable change left it.
  private var extent: Extent
  /// The same, as the change that is under way leaves it.
  private var nextExtent: Extent?

  /// How many changes back are kept; one who has seen none of them reads
  /// everything again.
  static let keptRevisions: UInt64 = 10_000
  /// How many events the log names at most, but for what steps to be taken back hold;
  /// past it, it is cut to the half.
  static let keptEvents = 50_000

  /// What of the log is whole.
  struct Extent {
    /// After this revision, where that is not ``ChangeLog/keptRevisions`` back.
    var cut: UInt64
    /// How many rows that is; nil until they were counted.
    var rows: Int?

    /// The revision after which it is whole.
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

  /// Returns when a revision was made; nil where it is not known any more.
  func time(of revision: UInt64) throws(StoreError) -> Timestamp? {
    let row = try database.statement("SELECT at FROM changes WHERE revision = ?1 LIMIT 1")
    row.bind(1, Int64(revision))
    defer { row.reset() }
    return try row.step() ? Timestamp(seconds: row.integer(0)) : nil
  }

  /// Notes series of a calendar as added, in the order of their names; and returns how many.
  ///
  /// - Parameters:
  ///   - key: those with a greater one are.
  ///   - last: those with a greater uid are.
  func append(
    seriesAfter key: Int64, of calendar: CalendarRows.Row, after last: String, limit: Int,
    revision: UInt64, origin: ChangeOrigin, at now: Timestamp
  ) throws(StoreError) -> Int {
    // The "+" leaves the order to the index of the names.
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

  /// Returns the last uid of those that a revision added to a calendar; "" where there is none.
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

  /// Returns what became of each event after a revision, in the order in which
  /// they were touched last.
  ///
  /// - Parameter limit: The most that are returned.
  /// - Returns: nil where the log does not reach back so far, where there are more
  ///   than `limit`, or where the revision is of another database: whoever asks
  ///   reads everything again.
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
    // What comes after it is of a change that has not come to its end.
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
        // An older change of it: what matters is whether it was there before.
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

  /// Forgets some of a revision that never came to its end.
  ///
  /// - Returns: whether that was all.
  func forgetSome(of revision: UInt64) throws(StoreError) -> Bool {
    try clear(revision, limit: ChangeLog.forgottenAtOnce)
  }

  /// Notes that an event was touched by another revision than it was noted for.
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

  /// Writes the number of the change that is about to be committed, and lets go
  /// of the oldest.
  ///
  /// - Parameter events: how many it touched.
  /// - Returns: whether something is left for ``sweep(_:)``.
  func write(revision: UInt64, events: Int) throws(StoreError) -> Bool {
    let row = try database.statement("UPDATE meta SET value = ?1 WHERE name = 'revision'")
    row.bind(1, Int64(revision))
    try row.run()
    let formerStart = extent.start(at: self.revision)
    var next = extent
    // What was appended is among those that are counted.
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
    // Revisions come one by one, or by two, so that one or two go as they come.
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

  /// Cuts the log to the latest revisions that name half of ``keptEvents`` together.
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

  // MARK: What is let go

  /// Rows that are deleted in the course of a change, which nobody is to wait for.
  private static let clearedAtOnce = 256
  /// Rows that are deleted in a transaction of their own.
  private static let forgottenAtOnce = 1000

  /// Lets go of a revision that only a step to be taken back held any more.
  ///
  /// - Returns: whether something is left for ``sweep(_:)``.
  func release(_ old: UInt64) throws(StoreError) -> Bool {
    let start = nextExtent?.start(at: revision + 1) ?? extent.start(at: revision)
    guard old <= start else { return false }
    return try !clear(old, limit: ChangeLog.clearedAtOnce)
  }

  /// Lets go of rows that are not held and before what is whole; returns how many.
  ///
  /// - Parameter limit: the most.
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

  /// Deletes so many rows of a revision, and returns whether that was all.
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

  /// Returns the events that a revision touched, the first of them by name.
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

  /// Returns all events that a revision touched, in the order in which those that are
  /// there lie in the file: that of names makes the index of words be written again for
  /// each of them, and taking back an import take twice as long.
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
  /// - Parameter isMove: whether it moved them: each is in two calendars then.
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

  /// Forgets a change that was undone.
  func rolledBack() {
    nextExtent = nil
  }

  /// What is known besides the tables.
  struct State {
    fileprivate let revision: UInt64
    fileprivate let extent: Extent
  }

  var state: State { State(revision: revision, extent: extent) }

  /// Forgets changes that were undone after ``committed(_:)``.
  func rolledBack(to state: State) {
    (revision, extent) = (state.revision, state.extent)
    nextExtent = nil
  }

  /// To be called once ``write(revision:events:)`` is durable.
  func committed(_ revision: UInt64) {
    self.revision = revision
    extent = nextExtent ?? extent
    nextExtent = nil
  }
}
