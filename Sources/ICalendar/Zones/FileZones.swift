import CivilTime
import Messages

/// The VTIMEZONEs of a text, separate for each VCALENDAR.
///
/// Most files use installed zones and have VTIMEZONEs before the events. The rest of the text is
/// only searched for zones that are neither.
///
/// Outlook names every zone of its own "Customized Time Zone". Zones with the same TZID and other
/// rules get other names; see ``ZoneNaming``.
///
/// Reading: RFC 5545 section 3.6.5 has each TZID defined in the iCalendar object that uses it. A
/// missing one is taken from the other VCALENDARs if they agree on it.
final class FileZones {
  private let text: [UInt8]
  private let limits: ReadLimits
  /// The line at which the current VCALENDAR begins; 0 before the first.
  private var calendarLine = 0
  /// The VTIMEZONEs that were read in it, by TZID.
  private var passed: [String: Known] = [:]
  private struct Known {
    let text: String
    /// The lines of the file at which its content lines begin.
    let lines: [Int32]

    /// - Parameter first: The line of the file at which it begins.
    init(_ component: Component, from first: Int) {
      let shift = first - component.lines[0].number
      text = component.canonicalText
      lines = component.lines.map { Int32(clamping: $0.number + shift) }
    }
  }

  /// Where the VTIMEZONEs of the whole text are; nil until they are searched.
  private var found: Found?
  private struct Found {
    struct Spot {
      let octet: Int
      let line: Int
    }

    /// The first of each TZID, by the line at which its VCALENDAR begins.
    var inCalendars: [Int: [String: Spot]] = [:]
    /// All of each TZID.
    var all: [String: [Spot]] = [:]
  }

  /// What other VCALENDARs define for a TZID; the inner nil means that they disagree.
  private var agreed: [String: Known?] = [:]
  /// The names of zones that were read; nil for one that cannot be read.
  ///
  /// A hundred thousand VCALENDARs may have the same zone.
  private var names: [Definition: String?] = [:]
  private struct Definition: Hashable {
    let id: String
    let text: String
  }
  /// How many zones were read.
  var readCount: Int { names.count }
  private var naming = ZoneNaming()
  private(set) var used: [CustomZone] = []
  private var rulesByName: [String: ZoneRules] = [:]
  private var told: Problems
  private var hasToldTooMany = false

  init(_ text: [UInt8], limits: ReadLimits) {
    self.text = text
    self.limits = limits
    told = Problems(limit: limits.maximumProblems)
  }
  /// The problems of the zones that were used.
  var problems: [ParseDiagnostic] { told.list }

  /// The rules of a zone by the name that ``use(_:)`` returned.
  func rules(_ name: String) -> ZoneRules? { rulesByName[name] }

  /// Forgets the VTIMEZONEs of the previous VCALENDAR.
  ///
  /// - Parameter line: The line at which the next VCALENDAR begins.
  func beginCalendar(at line: Int) {
    calendarLine = line
    passed.removeAll()
  }

  /// Records a VTIMEZONE that the reader has reached; the first of each TZID counts.
  func note(_ component: Component) {
    for id in component.zoneIDs where passed[id] == nil {
      passed[id] = Known(component, from: component.lines[0].number)
    }
  }

  /// The TZIDs of all VTIMEZONEs in the current VCALENDAR, in order.
  var ids: [String] {
    let found = found ?? search()
    self.found = found
    return (found.inCalendars[calendarLine] ?? [:]).sorted { $0.value.octet < $1.value.octet }
      .map(\.key)
  }

  /// Returns the name of the zone with a TZID; nil if the text has no rules that can be read.
  func use(_ id: String) -> String? {
    guard let component = known(id) else { return nil }
    let definition = Definition(id: id, text: component.text)
    if let name = names[definition] { return name }
    guard names.count < limits.maximumZones else {
      tellTooMany(component, id)
      return nil
    }
    let name = read(component, id)
    names[definition] = .some(name)
    return name
  }

  /// Reports once that the text has too many zones.
  private func tellTooMany(_ component: Known, _ id: String) {
    if hasToldTooMany { return }
    hasToldTooMany = true
    told.add(
      ParseDiagnostic(
        line: component.lines.first.map(Int.init) ?? 1, column: 1, uid: "",
        word: "too-many-zones",
        text: UserText(
          """
          VTIMEZONE "{zone}": the text uses more than {limit} zones of its own; times in the rest are \
          read in your own time zone
          """, ["zone": id.prefix(40), "limit": limits.maximumZones]),
        severity: .tolerated))
  }

  private func read(_ component: Known, _ id: String) -> String? {
    do throws(CalendarTextError) {
      let rules = try readZone(component.text)
      let zone = CustomZone(id: rules.name, component: component.text, rules: rules)
      let (name, isNew) = naming.name(of: zone)
      if isNew {
        used.append(CustomZone(zone, named: name))
        rulesByName[name] = rules
      }
      return name
    } catch {
      told.add(
        ParseDiagnostic(
          line: line(of: error, in: component), column: error.column, uid: "",
          word: "bad-zone",
          text: UserText(
            "VTIMEZONE \"{zone}\": {problem}", ["zone": id, "problem": error.text]),
          severity: .tolerated))
      return nil
    }
  }

  private func known(_ id: String) -> Known? {
    if let known = passed[id] { return known }
    let found = found ?? search()
    self.found = found
    if let spot = found.inCalendars[calendarLine]?[id] { return read(spot) }
    if let known = agreed[id] { return known }
    let others = (found.all[id] ?? []).lazy.compactMap(read)
    var known = others.first
    if let first = known {
      let definition = zoneDefinition(first.text)
      if others.contains(where: { zoneDefinition($0.text) != definition }) { known = nil }
    }
    agreed[id] = .some(known)
    return known
  }

  private func read(_ spot: Found.Spot) -> Known? {
    // The main pass reports problems of the text.
    var (component, ignored) = (Component(), Problems(limit: 0))
    var reader = ComponentReader(text, from: spot.octet, limits: limits)
    guard reader.next(&component, &ignored) == .component else { return nil }
    return Known(component, from: spot.line)
  }

  /// Returns the line of the file for a line of the canonical text, which is folded differently.
  private func line(of error: CalendarTextError, in zone: Known) -> Int {
    var (component, ignored) = (Component(), Problems(limit: 0))
    var reader = ComponentReader(Array(zone.text.utf8), limits: limits)
    _ = reader.next(&component, &ignored)
    let place = component.lines.firstIndex { $0.number == error.line } ?? 0
    return Int(zone.lines[min(place, zone.lines.count - 1)])
  }

  /// Finds the VTIMEZONEs of the whole text without parsing the rest of it.
  private func search() -> Found {
    var found = Found()
    var (start, number, calendar) = (text.start(behindMarkAt: 0), 1, 0)
    var component = Component()
    var ignored = Problems(limit: 0)
    while start < text.count {
      if begins("BEGIN:VCALENDAR", at: start) {
        calendar = number
      } else if begins("BEGIN:VTIMEZONE", at: start), hasShortLine(at: start) {
        var reader = ComponentReader(text, from: start, limits: limits)
        if reader.next(&component, &ignored) == .component {
          let spot = Found.Spot(octet: start, line: number)
          for id in component.zoneIDs {
            found.all[id, default: []].append(spot)
            if found.inCalendars[calendar]?[id] == nil {
              found.inCalendars[calendar, default: [:]][id] = spot
            }
          }
        }
        // It contains no other VTIMEZONE.
        start = reader.offset
        number += reader.lineNumber - 1
        continue
      }
      while start < text.count, text[start] != 0x0A, text[start] != 0x0D { start += 1 }
      guard start < text.count else { return found }
      start = text.lineStart(behindLineEndAt: start)
      number += 1
    }
    return found
  }

  /// Whether a line is short; long lines would be read again and again.
  private func hasShortLine(at start: Int) -> Bool {
    let most = min(start + 100, text.count)
    return most == text.count || text[start..<most].contains { $0 == 0x0A || $0 == 0x0D }
  }

  private func begins(_ mark: StaticString, at start: Int) -> Bool {
    guard start + mark.utf8CodeUnitCount <= text.count else { return false }
    for place in 0..<mark.utf8CodeUnitCount
    where text[start + place].upperCased != mark.utf8Start[place] {
      return false
    }
    return true
  }
}

extension Component {
  /// The TZIDs that parameters may use: the TEXT value, and the raw one that programs copy.
  fileprivate var zoneIDs: [String] {
    guard let line = first(.zoneID) else { return [] }
    let value = trimmed(line.value)
    let (text, raw) = (text(value), string(value))
    return text == raw ? [text] : [text, raw]
  }

  /// Returns the lines whose zones have other names here, by index.
  ///
  /// - Parameter names: The new names by TZID.
  func lines(renamingZones names: [String: String]) -> [Int: String] {
    var texts: [Int: String] = [:]
    for (index, line) in lines.enumerated() {
      guard let range = parameter("TZID", of: line), let new = names[string(range)] else {
        continue
      }
      var text = string(line.name)
      forEachParameter(of: line) { name, value in
        text += ";\(string(name))="
        text += isName(name, "TZID") ? escapedParameter(new) : string(value)
        return true
      }
      texts[index] = text + ":" + string(line.value)
    }
    return texts
  }
}
