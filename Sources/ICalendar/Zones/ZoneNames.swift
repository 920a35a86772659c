import CivilTime

/// Decides what the TZIDs of a file mean.
///
/// In order: a name of UTC; an installed IANA zone; a Windows name or display name; an IANA name
/// with "-" for "/", after a prefix such as "/freeassociation.sourceforge.net/", or in another
/// case; the file's VTIMEZONE; whole hours in the name, as in "GMT+0100". Anything else floats. A
/// known name is preferred to a VTIMEZONE, because files have old or wrong rules.
final class ZoneNames {
  enum Meaning: Equatable {
    case utc
    /// A zone by the name under which its rules are found.
    case zone(String)
    /// No known zone.
    case unknown
  }

  /// The name of a zone with an empty TZID.
  static let unnamed = "Unnamed"

  private let isInstalled: (String) -> Bool
  private let nameInFile: (String) -> String?
  /// The meanings that hold in every VCALENDAR.
  private var known: [String: Meaning] = [:]
  /// The TZIDs that are not installed under any name.
  private var notInstalled: Set<String> = []
  /// Their meanings in the current VCALENDAR.
  private var knownInCalendar: [String: Meaning] = [:]
  /// The TZIDs whose rules are stored under another name.
  private(set) var renamed: [String: String] = [:]
  /// The names of unknown places that were read as the offset in them.
  private(set) var guessed: Set<String> = []
  /// The last TZID asked for, as octets: usually the next is the same.
  private var last: (octets: [UInt8], meaning: Meaning)?

  /// - Parameters:
  ///   - isInstalled: Whether there are rules for an IANA name.
  ///   - nameInFile: The name of the zone that the file's VTIMEZONE defines for a TZID; nil without
  ///     one.
  init(isInstalled: @escaping (String) -> Bool, nameInFile: @escaping (String) -> String?) {
    self.isInstalled = isInstalled
    self.nameInFile = nameInFile
  }

  /// - Parameters:
  ///   - isInstalled: Whether there are rules for an IANA name.
  ///   - isInFile: Whether there is a VTIMEZONE for a TZID, which keeps its name.
  convenience init(isInstalled: @escaping (String) -> Bool, isInFile: @escaping (String) -> Bool) {
    self.init(
      isInstalled: isInstalled,
      nameInFile: { isInFile($0) ? ZoneNames.name(ofID: $0) : nil })
  }

  /// Returns the name of the zone for a TZID, which may be "".
  static func name(ofID id: String) -> String { id.isEmpty ? unnamed : id }

  /// Forgets the meanings that come from the previous VCALENDAR.
  func beginCalendar() {
    if knownInCalendar.isEmpty { return }
    knownInCalendar.removeAll()
    renamed.removeAll()
    last = nil
  }

  /// Whether a TZID is known to need no VTIMEZONE.
  func needsNoFile(_ id: String) -> Bool { known[id] != nil }

  /// Returns the meaning of the TZID in some octets of a component.
  func meaning(_ component: Component, _ range: Range<Int>) -> Meaning {
    if let last, component.octets[range].elementsEqual(last.octets) { return last.meaning }
    let meaning = meaning(of: component.string(range))
    last = (Array(component.octets[range]), meaning)
    return meaning
  }

  func meaning(of id: String) -> Meaning {
    if let meaning = known[id] ?? knownInCalendar[id] { return meaning }
    if !notInstalled.contains(id) {
      if let meaning = findInstalled(id) {
        known[id] = meaning
        return meaning
      }
      notInstalled.insert(id)
    }
    let meaning = findInFile(id)
    knownInCalendar[id] = meaning
    return meaning
  }

  private func findInstalled(_ id: String) -> Meaning? {
    if ZoneNames.isUTC(id) { return .utc }
    for name in ZoneNames.candidates(id) where isPlausible(name) && isInstalled(name) {
      return .zone(name)
    }
    return nil
  }

  private func findInFile(_ id: String) -> Meaning {
    if let name = nameInFile(id) {
      if name != ZoneNames.name(ofID: id) { renamed[id] = name }
      return .zone(name)
    }
    if let name = ZoneNames.fixedZone(id) {
      let meaning = name == "UTC" ? Meaning.utc : isInstalled(name) ? .zone(name) : .unknown
      // "(UTC-05:00) Somewhere" is a place that may have summer time; "GMT-5" is not.
      if meaning != .unknown, id.utf8.last != UInt8(ascii: ")"), id.utf8.contains(.closing) {
        guessed.insert(id)
      }
      return meaning
    }
    // Also by the alternative names of an installed zone, since a stored zone is like one.
    for other in ZoneNames.candidates(id).dropFirst() where isPlausible(other) {
      if let name = nameInFile(other) { return .zone(name) }
    }
    return .unknown
  }

  /// Returns a zone without changes for the hours in a name, "UTC" for 0; nil without whole hours.
  static func fixedZone(_ id: String) -> String? {
    guard let hours = hours(id) else { return nil }
    // These names have the signs of POSIX: west is positive.
    return hours == 0 ? "UTC" : "Etc/GMT\(hours < 0 ? "+" : "-")\(abs(hours))"
  }

  /// Returns the names by which a TZID may be installed, the likeliest first.
  static func candidates(_ id: String) -> [String] {
    var names = [id]
    if let name = ianaZone(windows: id) ?? ianaZone(windowsDisplay: id) { names.append(name) }
    if !id.contains("/"), let dash = id.firstIndex(of: "-") {
      names.append(id[..<dash] + "/" + id[id.index(after: dash)...])
    }
    // "/mozilla.org/20050126_1/Europe/Berlin": the longest tail that is a name.
    // Five parts are enough for any prefix in use.
    var rest = id[...]
    for _ in 0..<5 {
      guard let slash = rest.firstIndex(of: "/") else { break }
      rest = rest[rest.index(after: slash)...]
      names.append(String(rest))
    }
    for name in names where name.contains("/") {
      let spelt = inUsualCase(name)
      if spelt != name { names.append(spelt) }
    }
    return names
  }

  /// Returns a name in the database's case: "Europe/Berlin" for "europe/BERLIN".
  ///
  /// Some words stay in lower case, as in "America/Port_of_Spain".
  private static func inUsualCase(_ name: String) -> String {
    var spelt = ""
    var word = ""
    func add() {
      let small = word.lowercased()
      let isSmall = ["of", "au", "es"].contains(small) && !spelt.isEmpty && spelt.last != "/"
      spelt += isSmall ? small : small.prefix(1).uppercased() + small.dropFirst()
      word = ""
    }
    for character in name {
      if character == "/" || character == "_" || character == "-" {
        add()
        spelt.append(character)
      } else {
        word.append(character)
      }
    }
    add()
    return spelt
  }

  /// Returns the hours east of UTC in a name such as "GMT+0100"; nil without whole hours.
  ///
  /// "UTC-05:00" and "(GMT+2) Somewhere" are read as well.
  private static func hours(_ id: String) -> Int? {
    let octets = id.utf8.drop { $0 == UInt8(ascii: "(") }
    let word = octets.prefix(3).map(\.upperCased)
    guard word == Array("UTC".utf8) || word == Array("GMT".utf8) else { return nil }
    let rest = octets.dropFirst(3)
    guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return nil
    }
    let digits = rest.dropFirst().prefix { $0.isDigit || $0 == .colon }
    let tail = rest.dropFirst(1 + digits.count)
    guard tail.isEmpty || tail.first == UInt8(ascii: ")") else { return nil }
    let numbers = digits.filter(\.isDigit).map { Int($0 - 0x30) }
    guard (1...4).contains(numbers.count) else { return nil }
    let number = numbers.reduce(0) { $0 * 10 + $1 }
    guard numbers.count <= 2 || number % 100 == 0 else { return nil }
    let hours = numbers.count <= 2 ? number : number / 100
    guard hours <= 14 else { return nil }
    return sign == UInt8(ascii: "-") ? -hours : hours
  }

  private static let utcNames: Set<String> = [
    "UTC", "GMT", "Z", "ETC/UTC", "ETC/GMT", "ETC/UCT", "ETC/ZULU", "UCT", "ZULU",
    "TZONE://MICROSOFT/UTC", "COORDINATED UNIVERSAL TIME", "(UTC) COORDINATED UNIVERSAL TIME",
  ]

  static func isUTC(_ id: String) -> Bool {
    id.utf8.count <= 40 && utcNames.contains(id.uppercased())
  }

  /// Whether it has the form of an IANA name, so that no other file is looked up.
  private func isPlausible(_ name: String) -> Bool {
    guard (1...64).contains(name.utf8.count), name.first != "/", name.last != "/",
      !name.contains("//")
    else { return false }
    return name.utf8.allSatisfy {
      $0.isDigit || (0x41...0x5A).contains($0.upperCased) || $0 == .slash
        || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
    }
  }
}

extension UInt8 {
  fileprivate static let closing = UInt8(ascii: ")")
}

/// Whether a zone is one of the names of UTC, which are read as UTC.
package func isNameOfUTC(_ zone: String) -> Bool { ZoneNames.isUTC(zone) }
