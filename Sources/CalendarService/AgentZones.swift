import CivilTime
import ICalendar

/// The installed zones, and those that came along with imported events.
final class AgentZones: Zones {
  /// Those of the system alone.
  let installed: any Zones
  private var custom: [String: ZoneRules] = [:]

  init(installed: any Zones) {
    self.installed = installed
  }

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    if let rules = custom[name] { return rules }
    return try installed.rules(named: name)
  }

  func add(_ rules: ZoneRules, named name: String) {
    custom[name] = rules
  }

  /// The zones as they were while the installed ones were these; an installed one
  /// that is not among them is unknown, whatever it was.
  func former(installed: [String: ZoneRules]) -> any Zones {
    let former = AgentZones(installed: KnownZones(rules: installed))
    former.custom = custom
    return former
  }

  /// Forgets a zone that came with events which were not kept.
  func remove(named name: String) {
    custom[name] = nil
  }

  /// Takes over the zones that the store keeps. One that cannot be read any more
  /// is as unknown as if it had never come; its events say so.
  func load(_ stored: [(id: String, component: String)]) {
    for zone in stored {
      if let rules = try? readZone(zone.component) { custom[zone.id] = rules }
    }
  }
}

/// Some zones, and no others.
private final class KnownZones: Zones {
  private let rules: [String: ZoneRules]

  init(rules: [String: ZoneRules]) {
    self.rules = rules
  }

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    guard let rules = rules[name] else { throw .unknownZone(name: name) }
    return rules
  }
}
