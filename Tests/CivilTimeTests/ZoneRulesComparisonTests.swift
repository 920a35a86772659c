import CivilTime
import TestSupport
import Testing

@Suite struct `Two clocks compared` {
  @Test func `one zone read twice agrees, and so do two names of it`() throws {
    for name in FixedZones.names {
      let again = try ZoneRules(name: "again", tzif: FixedZones.octets(of: name))
      #expect(FixedZones.shared[name].agrees(with: again), "\(name)")
    }
    #expect(FixedZones.shared["GB"].agrees(with: FixedZones.shared["Europe/London"]))
    #expect(FixedZones.shared["UTC"].agrees(with: .utc))
  }

  @Test func `clocks that differ once, long ago or from some day on, do not agree`() throws {
    func differ(_ one: String, _ other: String) -> Bool {
      !FixedZones.shared[one].agrees(with: FixedZones.shared[other])
        && !FixedZones.shared[other].agrees(with: FixedZones.shared[one])
    }
    // They differ before 1980 alone.
    #expect(differ("Europe/Berlin", "Europe/Vienna"))
    #expect(differ("Europe/Berlin", "Asia/Tokyo"))
    let offset = UTCOffset(seconds: 3600)
    let late = try ZoneRules(
      name: "late", initial: .utc, changes: [(Timestamp(seconds: 4_000_000_000), offset)],
      then: nil)
    #expect(!late.agrees(with: .utc))
  }
}
