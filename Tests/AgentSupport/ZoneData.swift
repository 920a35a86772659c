import CivilTime
import TestSupport

/// The zone data of a machine in one of two versions: between them governments have changed their
/// minds, and clocks that were an hour or a quarter of one from each other show the same.
final class ZoneData: Zones {
  /// The odd ones are alike, and so are the even ones.
  var version: Int

  init(version: Int = 0) {
    self.version = version
  }

  private static let others = [
    "Europe/Berlin": "Europe/London", "America/New_York": "America/Chicago",
    "Asia/Kolkata": "Asia/Kathmandu", "Australia/Lord_Howe": "Australia/Sydney",
    "Asia/Tokyo": "Asia/Shanghai", "Pacific/Kiritimati": "Pacific/Chatham",
  ]
  // A zone that is missing would make a test of what moves one of what stays.
  private static let moved = others.reduce(into: [String: ZoneRules]()) { moved, pair in
    do {
      moved[pair.key] = try ZoneRules(name: pair.key, tzif: FixedZones.octets(of: pair.value))
    } catch {
      fatalError("the file of \(pair.value): \(error)")
    }
  }

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    if version % 2 == 1, let other = ZoneData.moved[name] { return other }
    return try FixedZones.shared.rules(named: name)
  }

  /// Returns the rules of a zone that the tests keep.
  subscript(name: String) -> ZoneRules {
    version % 2 == 1 ? ZoneData.moved[name] ?? FixedZones.shared[name] : FixedZones.shared[name]
  }
}
