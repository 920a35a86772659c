import CalendarModel
import CivilTime

/// The zone rules by which the alarms were planned: those of the agent's zone, and of each zone that an event
/// names.
///
/// New zone data do not say what a clock showed before, which decides which reminders were delivered. So the rules are
/// in the database, written with the first series that goes by them, and others take their place when the
/// alarms are planned again: an agent that finds new data at its start knows as much as one that was running.
///
/// What came with events (the table `zones`) no update changes: of those the rules of now are the ones of
/// before, whatever a row says. So they are of a zone that has no row, as it was not installed.
final class PlannedRules {
  private let database: Database
  /// The zones that need not be looked at when a series is written: they have a row, or no rules. nil until
  /// the table was asked.
  private var seen: Set<String>?

  /// The name of the agent's zone here, whatever it is called; no zone is called so.
  static let agents = ""

  init(database: Database) {
    self.database = database
  }

  // MARK: With each series

  /// Takes note of the zones of a series that is planned.
  func note(_ series: EventSeries, _ zones: any Zones) throws(StoreError) {
    var new: [String] = []
    var seen: Set<String>
    if let known = self.seen { seen = known } else { seen = try names() }
    // Where there is one owner it is not copied.
    self.seen = nil
    series.forEachClock { time in
      if case .zoned(_, let zone) = time, seen.insert(zone).inserted { new.append(zone) }
    }
    self.seen = seen
    for name in new {
      if let rules = try? zones.rules(named: name) { try put(rules, name) }
    }
  }

  /// Forgets what was written in a transaction that was undone.
  func rolledBack() {
    seen = nil
  }

  // MARK: At the start

  /// Takes the rules of now for those of before in a database that has none yet: a new one, or one of an older
  /// program, of which nobody knows better.
  ///
  /// - Parameter agents: the agent's zone, by which it was planned.
  /// - Complexity: one row; in a database of an older program every component is read.
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

  /// Whether those of before are not known, and the rules of now were taken for them: then every series is
  /// planned again with the next new data.
  func areGuessed() throws(StoreError) -> Bool {
    let row = try database.statement("SELECT 1 FROM meta WHERE name = 'rules_guessed'")
    defer { row.reset() }
    return try row.step()
  }

  // MARK: When alarms are planned again

  /// Returns the zones as they were when the alarms were planned.
  ///
  /// - Parameter current: those of now.
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

  /// Writes that the alarms are planned by the rules of now.
  ///
  /// - Parameters:
  ///   - used: the zones that the series name which were planned again. Of one that is not installed any more
  ///     the rules stay: it may come back with other ones.
  ///   - areAll: whether those were all series; else what is here of zones that events name stays.
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
    // Of one with more kinds of time than a zone has, those of then are not known.
    guard let octets = rules.tzif else { return }
    // A row that says so already is not written again.
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

/// The zones with their rules at the time when the alarms were planned.
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
