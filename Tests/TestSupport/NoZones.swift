package import CivilTime

/// Knows no zone: what an agent that was off knows of the zone data of before.
package final class NoZones: Zones {
  package init() {}

  package func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    throw .unknownZone(name: name)
  }
}
