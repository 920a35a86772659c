import CalendarModel
import CivilTime

/// The zone by which the alarms of a database were planned.
///
/// An agent that starts and finds another one plans again: the machine travelled, or
/// its zone data were updated, while none ran.
package struct PlannedZone: Hashable, Sendable {
  /// The agent's zone, by which floating and all-day events are placed.
  package let name: String
  /// A number that differs when the zone data do.
  package let fingerprint: Int64

  package init(name: String, fingerprint: Int64) {
    self.name = name
    self.fingerprint = fingerprint
  }
}

/// The properties of the whole plan in `meta`.
///
/// Values there are numbers, so the zone's name stands in the name of its row:
/// "zone Europe/Berlin". The latest instant up to which the alarms of any series are
/// dealt with is kept because an agent asks for it at each start, and a search for
/// it reads every series (25 ms for 100,000).
struct PlanMarks {
  let database: Database

  func zone() throws(StoreError) -> PlannedZone? {
    let row = try database.statement(
      "SELECT substr(name, 6), value FROM meta WHERE name GLOB 'zone *'")
    defer { row.reset() }
    return try row.step() ? PlannedZone(name: row.text(0), fingerprint: row.integer(1)) : nil
  }

  func put(_ zone: PlannedZone) throws(StoreError) {
    try database.execute("DELETE FROM meta WHERE name GLOB 'zone *'")
    let row = try database.statement("INSERT INTO meta (name, value) VALUES ('zone ' || ?1, ?2)")
    row.bind(1, zone.name)
    row.bind(2, zone.fingerprint)
    try row.run()
  }

  /// The latest instant up to which alarms are dealt with, or a later one, at which
  /// they were; nil for a database that has not kept it yet.
  func latest() throws(StoreError) -> Int64? {
    let row = try database.statement("SELECT value FROM meta WHERE name = 'alarms_through'")
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  func put(latest: Int64) throws(StoreError) {
    let row = try database.statement(
      "INSERT OR REPLACE INTO meta (name, value) VALUES ('alarms_through', ?1)")
    row.bind(1, latest)
    try row.run()
  }

  /// Takes note of a later instant, where one is kept.
  func raise(latest: Int64) throws(StoreError) {
    let row = try database.statement(
      "UPDATE meta SET value = ?1 WHERE name = 'alarms_through' AND value < ?1")
    row.bind(1, latest)
    try row.run()
  }
}
