internal import Glibc
package import CivilTime

/// Rules of zones from files that are kept with the tests, so that an update of
/// the installed ones changes no result.
///
/// The files are those of tzdata 2025b, which is in the public domain.
package final class FixedZones: Zones, Sendable {
  package static let shared = FixedZones()

  private let byName: [String: ZoneRules]

  /// Reads every file; one that is damaged ends the test run.
  package init() {
    var byName: [String: ZoneRules] = [:]
    for name in FixedZones.names {
      do {
        byName[name] = try ZoneRules(name: name, tzif: FixedZones.octets(of: name))
      } catch {
        fatalError("Tests/TestSupport/Zoneinfo/\(name): \(error)")
      }
    }
    self.byName = byName
  }

  package func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    guard let rules = byName[name] else { throw .unknownZone(name: name) }
    return rules
  }

  /// Returns the rules of a zone that is known to be kept; ends the test run
  /// for another.
  package subscript(name: String) -> ZoneRules {
    guard let rules = byName[name] else { fatalError("the tests keep no zone \(name)") }
    return rules
  }

  /// Returns the octets of the file of a zone; none for a zone that is not kept.
  package static func octets(of name: String) -> [UInt8] {
    readFile(testSupportDirectory + "/Zoneinfo/" + name) ?? []
  }

  /// The zones that are kept.
  package static let names = """
    Africa/Cairo Africa/Casablanca Africa/Juba Africa/Monrovia Africa/Windhoek America/Asuncion \
    America/Caracas America/Chicago America/Halifax America/Havana America/Indiana/Indianapolis \
    America/Los_Angeles America/Mexico_City America/New_York America/Nuuk America/Phoenix \
    America/Santiago America/Sao_Paulo America/Scoresbysund America/St_Johns Antarctica/Troll \
    Asia/Almaty Asia/Amman Asia/Beirut Asia/Calcutta Asia/Colombo Asia/Dubai Asia/Gaza \
    Asia/Jerusalem Asia/Kathmandu Asia/Kolkata Asia/Pyongyang Asia/Riyadh Asia/Shanghai \
    Asia/Singapore Asia/Tehran Asia/Tokyo Atlantic/Azores Australia/Adelaide Australia/Brisbane \
    Australia/Eucla Australia/Lord_Howe Australia/Sydney Etc/GMT+5 Etc/UTC Europe/Berlin \
    Europe/Chisinau Europe/Dublin Europe/Istanbul Europe/Kyiv Europe/Lisbon Europe/London \
    Europe/Moscow Europe/Paris Europe/Vienna Europe/Zurich GB Pacific/Apia Pacific/Auckland \
    Pacific/Chatham Pacific/Kiritimati Pacific/Kwajalein Pacific/Norfolk Pacific/Pago_Pago \
    US/Eastern UTC
    """.split(separator: " ").map(String.init)
}
