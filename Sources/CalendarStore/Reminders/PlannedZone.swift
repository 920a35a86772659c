import CalendarModel
import CivilTime

/// The zone by which the alarms of a database were planned.
///
/// An agent that finds another zone or other data at its start plans again: the machine travelled,
/// or its zone data were updated, while no agent ran.
package struct PlannedZone: Hashable, Sendable {
  /// The agent's zone, in which floating and all-day events take place.
  package let name: String
  /// A hash of the zone data.
  package let fingerprint: Int64

  package init(name: String, fingerprint: Int64) {
    self.name = name
    self.fingerprint = fingerprint
  }
}

/// The properties of the whole plan in `meta`.
///
/// Values there are numbers, so the zone's name is part of the row's name: "zone Europe/Berlin".
/// The latest handled instant is stored because the agent needs it at each start, and computing it
/// reads every series (25 ms for 100,000).
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

  /// Returns an instant at or after the latest through which alarms are handled.
  ///
  /// nil for an older database that has not stored it yet.
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

  /// Raises the stored instant, if there is one.
  func raise(latest: Int64) throws(StoreError) {
    let row = try database.statement(
      "UPDATE meta SET value = ?1 WHERE name = 'alarms_through' AND value < ?1")
    row.bind(1, latest)
    try row.run()
  }
}
