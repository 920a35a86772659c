import CivilTime
import ICalendar

/// Two installed zones, and those of a file.
final class TwoZones: Zones {
  private let custom: [String: ZoneRules]

  init(and zones: [CustomZone] = []) {
    custom = Dictionary(zones.map { ($0.id, $0.rules) }) { first, _ in first }
  }

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    if let rules = custom[name] { return rules }
    switch name {
    case "America/New_York": return newYork
    case "Europe/Berlin": return berlin
    default: throw .unknownZone(name: name)
    }
  }
}

private let newYork = try! ZoneRules(name: "America/New_York", posix: "EST5EDT,M3.2.0,M11.1.0")
private let berlin = try! ZoneRules(name: "Europe/Berlin", posix: "CET-1CEST,M3.5.0,M10.5.0/3")
