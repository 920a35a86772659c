package import CalendarModel
import CivilTime

/// What became of an event over some changes.
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
struct SeriesName: Hashable {
  let calendar: CalendarID
  let uid: EventUID
}

/// The number of the last change, and what each of the latest ones touched.
final class ChangeLog {
  private let database: Database
  /// The number of the last change that is durable.
  private(set) var revision: UInt64

  /// How many changes back are kept; one who has seen none of them reads
  /// everything again.
  static let keptRevisions: UInt64 = 10_000

  init(_ database: Database) throws(StoreError) {
    self.database = database
    revision = UInt64(
      max(0, try database.integer("SELECT value FROM meta WHERE name = 'revision'")))
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
    guard seen <= revision, revision - seen <= ChangeLog.keptRevisions else { return nil }
    let row = try database.statement(
      """
      SELECT calendar, uid, change, revision FROM changes WHERE revision > ?1
      ORDER BY revision DESC
      """)
    row.bind(1, Int64(seen))
    defer { row.reset() }
    var places: [SeriesName: Int] = [:]
    var found: [LoggedChange] = []
    while try row.step() {
      let name = SeriesName(calendar: CalendarID(row.text(0)), uid: EventUID(row.text(1)))
      guard let change = Change(rawValue: row.text(2)) else {
        throw .corrupt(path: database.path, detail: "a change of the event \(name.uid)")
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

  /// Writes the number of the change that is about to be committed, and lets go
  /// of the oldest.
  func write(revision: UInt64) throws(StoreError) {
    let row = try database.statement("UPDATE meta SET value = ?1 WHERE name = 'revision'")
    row.bind(1, Int64(revision))
    try row.run()
    guard revision > ChangeLog.keptRevisions else { return }
    // Revisions come one by one, so that one goes as one comes.
    let old = try database.statement(
      """
      DELETE FROM changes
      WHERE revision = ?1 AND NOT EXISTS (SELECT 1 FROM undo_steps WHERE revision = ?1)
      """)
    old.bind(1, Int64(revision - ChangeLog.keptRevisions))
    try old.run()
  }

  /// Lets go of a revision that only a step to be taken back held any more.
  func release(_ old: UInt64) throws(StoreError) {
    guard old + ChangeLog.keptRevisions <= revision else { return }
    let row = try database.statement("DELETE FROM changes WHERE revision = ?1")
    row.bind(1, Int64(old))
    try row.run()
  }

  /// Returns the events that a revision touched.
  ///
  /// - Parameter limit: the most that are returned; negative is all.
  func touched(by revision: UInt64, limit: Int = -1) throws(StoreError) -> [SeriesName] {
    let row = try database.statement(
      "SELECT calendar, uid FROM changes WHERE revision = ?1 LIMIT ?2")
    row.bind(1, Int64(revision))
    row.bind(2, Int64(limit))
    return try names(row)
  }

  /// Returns how many events a revision touched.
  func count(of revision: UInt64) throws(StoreError) -> Int {
    let row = try database.statement("SELECT count(*) FROM changes WHERE revision = ?1")
    row.bind(1, Int64(revision))
    defer { row.reset() }
    return try row.step() ? Int(row.integer(0)) : 0
  }

  /// Returns the events that came by another way than the user's hand after a
  /// revision: by sync, or from a file that another program wrote.
  func touchedByOthers(since seen: UInt64) throws(StoreError) -> Set<SeriesName> {
    let row = try database.statement(
      """
      SELECT DISTINCT calendar, uid FROM changes
      WHERE revision > ?1 AND origin IN ('sync', 'external-file')
      """)
    row.bind(1, Int64(seen))
    return Set(try names(row))
  }

  private func names(_ row: Statement) throws(StoreError) -> [SeriesName] {
    defer { row.reset() }
    var names: [SeriesName] = []
    while try row.step() {
      names.append(SeriesName(calendar: CalendarID(row.text(0)), uid: EventUID(row.text(1))))
    }
    return names
  }

  /// To be called once ``write(revision:)`` is durable.
  func committed(_ revision: UInt64) {
    self.revision = revision
  }
}
