import CalendarModel
import CivilTime

/// The zone rules by which alarms were planned, for the agent's zone and each zone in events.
///
/// New zone data do not tell what a clock showed before, which decides what was delivered. So the
/// rules are stored with the first series that uses them, and replaced when alarms are planned
/// again. An agent that finds new data at its start then knows as much as one that was running.
///
/// No update changes zones that came with events (the table `zones`): their present rules are
/// always used. So are those of a zone without a row, which was not installed.
final class PlannedRules {
  private let database: Database
  /// The zones that have a row, or no rules; nil until the table was read.
  private var seen: Set<String>?

  /// The name of the agent's zone in the table; no zone has this name.
  static let agents = ""

  init(database: Database) {
    self.database = database
  }

  // MARK: Writing series

  /// Stores the rules of the zones of a series that is planned.
  func note(_ series: EventSeries, _ zones: any Zones) throws(StoreError) {
    var new: [String] = []
    var seen: Set<String>
    if let known = self.seen { seen = known } else { seen = try names() }
    // The set must have one owner, so that it is not copied.
    self.seen = nil
    series.forEachClock { time in
      if case .zoned(_, let zone) = time, seen.insert(zone).inserted { new.append(zone) }
    }
    self.seen = seen
    for name in new {
      if let rules = try? zones.rules(named: name) { try put(rules, name) }
    }
  }

  /// Forgets what was written in a transaction that was rolled back.
  func rolledBack() {
    seen = nil
  }

  // MARK: At the start

  /// Stores the present rules in a database that has none yet.
  ///
  /// In a database of an older version they stand in for the former rules, which are unknown.
  ///
  /// - Parameter agents: the zone of the agent by which alarms were planned.
  /// - Complexity: one row; in an older database every component is read.
  func fill(agents: ZoneRules, zones: any Zones) throws(StoreError) {
    guard try !isFilled() else { return }
    let areGuessed = try hasSeries()
    let row = try database.statement(
      """
      SELECT substr(start, 17) FROM components WHERE length(start) > 16
      UNION SELECT substr(finish, 17) FROM components
      WHERE length(finish) > 16 AND finish GLOB '[0-9][0-9]*'
      """)
    let used = try PlannedRules.names(row)
    try database.transaction { () throws(StoreError) in
      for name in used {
        if let rules = try? zones.rules(named: name) { try put(rules, name) }
      }
      try put(agents, PlannedRules.agents)
      if areGuessed {
        try database.execute(
          "INSERT OR REPLACE INTO meta (name, value) VALUES ('rules_guessed', 1)")
      }
    }
  }

  /// Whether the former rules are unknown; then the next new data plan every series again.
  func areGuessed() throws(StoreError) -> Bool {
    let row = try database.statement("SELECT 1 FROM meta WHERE name = 'rules_guessed'")
    defer { row.reset() }
    return try row.step()
  }

  // MARK: Planning again

  /// Returns the zones as they were when the alarms were planned.
  ///
  /// - Parameter current: the present zones.
  func former(_ current: ZoneContext) throws(StoreError) -> FormerZones {
    var local = current.local
    var known: [String: ZoneRules] = [:]
    let agents = try PlanMarks(database: database).zone()?.name
    let row = try database.statement(
      "SELECT name, rules FROM planned_zones WHERE name NOT IN (SELECT id FROM zones)")
    defer { row.reset() }
    while try row.step() {
      let name = row.text(0)
      if name == PlannedRules.agents {
        local = try read(row.octets(1), agents ?? local.name)
      } else {
        known[name] = try read(row.octets(1), name)
      }
    }
    return FormerZones(known, local: local, current: current.zones)
  }

  /// Stores the rules by which alarms are planned now.
  ///
  /// - Parameters:
  ///   - used: the zones of the series that were planned again. If one is no longer installed, its
  ///     rules are kept: it may come back with other rules.
  ///   - areAll: whether all series were planned again; otherwise the stored rules of named zones
  ///     are kept.
  func replace(used: Set<String>, areAll: Bool, _ current: ZoneContext) throws(StoreError) {
    seen = nil
    if areAll { try database.execute("DELETE FROM meta WHERE name = 'rules_guessed'") }
    try put(current.local, PlannedRules.agents)
    let present = try names()
    for name in used where areAll || !present.contains(name) {
      if let rules = try? current.zones.rules(named: name) { try put(rules, name) }
    }
    guard areAll else { return }
    for name in present where name != PlannedRules.agents && !used.contains(name) {
      let row = try database.statement("DELETE FROM planned_zones WHERE name = ?1")
      row.bind(1, name)
      try row.run()
    }
  }

  // MARK: Rows

  private func put(_ rules: ZoneRules, _ name: String) throws(StoreError) {
    // Rules with too many local time types cannot be stored; the former ones are then unknown.
    guard let octets = rules.tzif else { return }
    // The condition avoids rewriting an unchanged row.
    let row = try database.statement(
      """
      INSERT INTO planned_zones (name, rules) VALUES (?1, ?2)
      ON CONFLICT (name) DO UPDATE SET rules = excluded.rules WHERE rules <> excluded.rules
      """)
    row.bind(1, name)
    row.bind(octets: octets, to: 2)
    try row.run()
  }

  private func hasSeries() throws(StoreError) -> Bool {
    let row = try database.statement("SELECT 1 FROM series LIMIT 1")
    defer { row.reset() }
    return try row.step()
  }

  private func isFilled() throws(StoreError) -> Bool {
    let row = try database.statement("SELECT 1 FROM planned_zones WHERE name = ?1")
    row.bind(1, PlannedRules.agents)
    defer { row.reset() }
    return try row.step()
  }

  private func read(_ octets: [UInt8], _ name: String) throws(StoreError) -> ZoneRules {
    do throws(CivilTimeError) {
      return try ZoneRules(name: name, tzif: octets)
    } catch {
      throw database.damaged("the rules by which was planned: \(error)")
    }
  }

  private func names() throws(StoreError) -> Set<String> {
    try PlannedRules.names(database.statement("SELECT name FROM planned_zones"))
  }

  private static func names(_ row: Statement) throws(StoreError) -> Set<String> {
    defer { row.reset() }
    var names: Set<String> = []
    while try row.step() { names.insert(row.text(0)) }
    return names
  }
}

/// The zones with the rules by which the alarms were planned.
final class FormerZones: Zones {
  private let known: [String: ZoneRules]
  private let local: ZoneRules
  private let current: any Zones

  init(_ known: [String: ZoneRules], local: ZoneRules, current: any Zones) {
    self.known = known
    self.local = local
    self.current = current
  }

  var context: ZoneContext { ZoneContext(zones: self, local: local) }

  /// Whether a zone that events name has other rules now, or none.
  var haveMoved: Bool {
    known.contains { name, rules in
      (try? current.rules(named: name)).map { !$0.agrees(with: rules) } ?? true
    }
  }

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    if let rules = known[name] { return rules }
    return try current.rules(named: name)
  }
}
