package import CivilTime
import Glibc
import Messages

/// ``Zones`` from the zone files of the system.
///
/// Rules are read once for each name and stored until ``reload()``.
///
/// Source: tzfile(5), tzset(3).
package final class ZoneinfoDirectory: Zones {
  /// The directory with the zone files, without a trailing slash.
  package let path: String

  private let environment: ProcessEnvironment
  private let localtimePath: String
  private let timezonePath: String
  private var known: [String: ZoneRules] = [:]

  /// The most bytes of a zone file; real ones have at most 4 KiB, or 8 KiB in the old "fat" format.
  private static let maximumFileBytes = 1 << 18

  /// Uses the directory in TZDIR, or the distribution's.
  ///
  /// - Parameters:
  ///   - localtimePath: The link to the local zone's file, or a copy of it.
  ///   - timezonePath: The file with the name of the local zone; it may be missing.
  package init(
    environment: ProcessEnvironment, localtimePath: String = "/etc/localtime",
    timezonePath: String = "/etc/timezone"
  ) {
    self.environment = environment
    self.localtimePath = localtimePath
    self.timezonePath = timezonePath
    path = withoutEndSlash(environment.absolutePath("TZDIR") ?? "/usr/share/zoneinfo")
  }

  /// Returns the rules of a zone, read from its file at the first call.
  ///
  /// - Throws: ``CivilTimeError/unknownZone(name:)`` if there is no such file;
  ///   ``CivilTimeError/badZoneData(name:reason:)`` if it is not valid.
  package func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    if let rules = known[name] { return rules }
    guard isSafe(name) else { throw .unknownZone(name: name) }
    let bytes: [UInt8]
    do {
      bytes = try readFile("\(path)/\(name)", maximumBytes: Self.maximumFileBytes)
    } catch {
      throw zoneError(name, error)
    }
    // The directory also holds lists and scripts.
    guard bytes.starts(with: Self.magic) else { throw .unknownZone(name: name) }
    let rules = try ZoneRules(name: name, tzif: bytes)
    known[name] = rules
    return rules
  }

  /// The names of the zone files, listed again at each call.
  ///
  /// Skips "posix" and "right", which hold the same zones again.
  package var names: [String] {
    var found: [String] = []
    func look(_ folder: String, _ depth: Int) {
      for name in ((try? SystemCalls.names(inFolder: folder)) ?? []).sorted() {
        // Lists and scripts have names in lower case, or with a dot.
        guard let first = name.utf8.first, 0x41...0x5a ~= first, !name.contains(".") else {
          continue
        }
        let file = "\(folder)/\(name)"
        guard let status = try? SystemCalls.status(ofPath: file) else { continue }
        if status.mode & S_IFMT != S_IFDIR {
          found.append(String(file.dropFirst(path.count + 1)))
        } else if depth < 3 {
          look(file, depth + 1)
        }
      }
    }
    look(path, 0)
    return found
  }

  /// Forgets all rules, so that new zone files take effect.
  package func reload() { known.removeAll() }

  /// Returns the octets of a zone's file; for "localtime", those of the local zone's file.
  func octets(ofZone name: String) -> [UInt8]? {
    let file = name == LocalZone.namelessName ? localtimePath : "\(path)/\(name)"
    guard isSafe(name) else { return nil }
    return try? readFile(file, maximumBytes: Self.maximumFileBytes)
  }

  /// Returns the zone of this process: see ``LocalZone``.
  ///
  /// - Parameter former: The previous local zone; nil if unknown.
  package func localZone(after former: ZoneRules? = nil) -> LocalZone {
    let zone = LocalZone.find(
      in: self, setting: environment["TZ"], localtimePath: localtimePath,
      timezonePath: timezonePath, former: former)
    // A zone without a file of its own can be found by its name, too.
    if known[zone.rules.name] == nil { known[zone.rules.name] = zone.rules }
    return zone
  }

  /// The name of the local zone, such as "Europe/Berlin".
  package func localZoneName() -> String { localZone().rules.name }

  /// The first octets of each zone file. Source: RFC 9636 section 3.1.
  private static let magic = Array("TZif".utf8)

  /// Whether a name stays in the directory; names come from other people's calendars.
  private func isSafe(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix("/") && !name.utf8.contains(0)
      && !name.split(separator: "/", omittingEmptySubsequences: false).contains {
        $0 == ".." || $0 == "." || $0.isEmpty
      }
  }

  private func zoneError(_ name: String, _ error: PlatformError) -> CivilTimeError {
    switch error {
    case .system(let error)
    where [.noSuchFileOrDirectory, .notADirectory].contains(error.code):
      .unknownZone(name: name)
    // A directory, such as "Europe".
    case .unsafeDirectory: .unknownZone(name: name)
    default: .badZoneData(name: name, reason: error.text)
    }
  }

  /// Returns the rules in a file, which may be outside the directory.
  func rules(named name: String, file: String) throws(CivilTimeError) -> ZoneRules {
    do {
      return try ZoneRules(
        name: name, tzif: try readFile(file, maximumBytes: Self.maximumFileBytes))
    } catch let error as CivilTimeError {
      throw error
    } catch {
      throw .badZoneData(name: name, reason: UserText(error))
    }
  }
}

/// Returns a path without trailing slashes.
private func withoutEndSlash(_ path: String) -> String {
  var path = path
  while path.count > 1, path.hasSuffix("/") { path.removeLast() }
  return path
}
