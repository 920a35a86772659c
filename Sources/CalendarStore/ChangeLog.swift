import CalendarModel
import CivilTime

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

  /// What happened to an event in one change.
  enum Change: String {
    case added, updated, removed
  }

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

  /// Writes the number of the change that is about to be committed, and lets go
  /// of the oldest.
  func write(revision: UInt64) throws(StoreError) {
    let row = try database.statement("UPDATE meta SET value = ?1 WHERE name = 'revision'")
    row.bind(1, Int64(revision))
    try row.run()
    guard revision > ChangeLog.keptRevisions else { return }
    let old = try database.statement("DELETE FROM changes WHERE revision <= ?1")
    old.bind(1, Int64(revision - ChangeLog.keptRevisions))
    try old.run()
  }

  /// To be called once ``write(revision:)`` is durable.
  func committed(_ revision: UInt64) {
    self.revision = revision
  }
}
