package import CivilTime

/// The local zone, from the variable TZ or the system's settings.
///
/// The first of these that gives rules is used:
///
/// 1. TZ: a zone's name or path, with or without a colon, or POSIX rules such as
///    "CET-1CEST,M3.5.0,M10.5.0/3"; set and empty it means UTC.
/// 2. The path in the zone directory that /etc/localtime links to.
/// 3. The previous local zone, if /etc/localtime is a copy of it.
/// 4. The name in /etc/timezone, if its file equals /etc/localtime.
/// 5. The content of /etc/localtime, under the name "localtime".
/// 6. The previous local zone: /etc/localtime is missing for a moment while it is replaced.
/// 7. UTC.
package struct LocalZone {
  /// The zone's rules; ``ZoneRules/name`` is the zone's name where it has one.
  package let rules: ZoneRules
  /// A setting that was ignored and why, for the log; nil if there is none.
  package let warning: String?

  /// The name of a zone whose rules are known and whose name is not.
  static let namelessName = "localtime"

  /// - Parameter former: The previous local zone; nil if unknown.
  static func find(
    in zones: ZoneinfoDirectory, setting: String?, localtimePath: String, timezonePath: String,
    former: ZoneRules?
  ) -> LocalZone {
    var warning: String?
    if let setting {
      if let rules = rules(of: setting, in: zones) { return LocalZone(rules: rules, warning: nil) }
      warning = localized(
        "TZ={value} is neither an installed zone nor a POSIX rule; ignored", ["value": setting])
    }
    if let name = linkedName(localtimePath, in: zones), let rules = try? zones.rules(named: name) {
      return LocalZone(rules: rules, warning: warning)
    }
    do {
      let content = try zones.rules(named: namelessName, file: localtimePath)
      if let former, former.name != namelessName, content.agrees(with: former) {
        return LocalZone(rules: former, warning: warning)
      }
      let named = namedCopy(of: localtimePath, timezonePath, in: zones)
      return LocalZone(rules: named ?? content, warning: warning)
    } catch {
      // Read the zone again, since the zone data may be new.
      let rules = former.map { (try? zones.rules(named: $0.name)) ?? $0 } ?? .utc
      return LocalZone(
        rules: rules,
        warning: warning
          ?? localized(
            "{path}: {reason}; using {zone}",
            ["path": localtimePath, "reason": error.text, "zone": rules.name]))
    }
  }

  /// Returns the rules that a value of TZ means; nil if it is invalid.
  private static func rules(of setting: String, in zones: ZoneinfoDirectory) -> ZoneRules? {
    let value = setting.hasPrefix(":") ? String(setting.dropFirst()) : setting
    if value.isEmpty { return .utc }
    if value.hasPrefix("/") {
      if let name = name(of: value, in: zones), let rules = try? zones.rules(named: name) {
        return rules
      }
      return try? zones.rules(named: namelessName, file: value)
    }
    if let rules = try? zones.rules(named: value) { return rules }
    return try? ZoneRules(name: value, posix: value)
  }

  /// Follows links, and returns the name of the first target that is a zone.
  private static func linkedName(_ path: String, in zones: ZoneinfoDirectory) -> String? {
    var path = path
    for _ in 0..<8 {
      guard let target = try? SystemCalls.linkTarget(path) else { return nil }
      let directory = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
      path = normalized(target.hasPrefix("/") ? target : "\(directory)/\(target)")
      if let name = name(of: path, in: zones) { return name }
    }
    return nil
  }

  /// Returns the zone's name if a path is in a zone directory: ours, or another called "zoneinfo".
  private static func name(of path: String, in zones: ZoneinfoDirectory) -> String? {
    var name: Substring
    if path.hasPrefix(zones.path + "/") {
      name = path.dropFirst(zones.path.count + 1)
    } else {
      let parts = path.split(separator: "/")
      guard let place = parts.lastIndex(of: "zoneinfo"), place + 1 < parts.count else { return nil }
      name = path[parts[place + 1].startIndex...]
    }
    // "posix" has the same zones again.
    if name.hasPrefix("posix/") { name = name.dropFirst(6) }
    return (try? zones.rules(named: String(name))) == nil ? nil : String(name)
  }

  /// Returns the rules of the zone in /etc/timezone, if /etc/localtime is a copy of its file.
  ///
  /// Otherwise the name is out of date, which is common.
  private static func namedCopy(
    of localtimePath: String, _ timezonePath: String, in zones: ZoneinfoDirectory
  ) -> ZoneRules? {
    guard let octets = try? readFile(timezonePath, maximumBytes: 4096),
      let line = String(decoding: octets, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        .first,
      let rules = try? zones.rules(named: String(line)),
      let content = try? readFile(localtimePath, maximumBytes: 1 << 18),
      let installed = try? readFile("\(zones.path)/\(line)", maximumBytes: 1 << 18),
      content == installed
    else { return nil }
    return rules
  }

  /// Resolves "." and ".." textually.
  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
