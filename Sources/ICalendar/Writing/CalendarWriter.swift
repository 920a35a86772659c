package import CalendarModel
package import CivilTime

/// What we call ourselves in a file.
private let productID = "-//Datebook//Datebook 1//EN"

/// Writes a calendar file piece by piece, so that nobody has to hold all of it: for each
/// calendar a VCALENDAR with a VTIMEZONE for each TZID that it uses and whose rules are
/// known, then its components.
///
/// First each component is noted, for the zones that it needs, then calendar after calendar
/// is begun, its components added, and ended. A component that came meanwhile may be added
/// without having been noted: its VTIMEZONE stands before it.
///
/// Components are taken as they stand, down to the properties that nobody knows;
/// one without DTSTAMP, which must be there, is given one.
///
/// Source: RFC 5545 section 3.4.
package struct CalendarWriter {
  /// What a file says of a calendar.
  package struct Head: Sendable {
    package let name: String
    package let color: EventColor
    /// By which one of us knows the calendar again; nil where it is not to.
    package let id: String?
    /// As of ``CalendarHead/properties``.
    package let properties: [String]

    package init(name: String, color: EventColor, id: String? = nil, properties: [String] = []) {
      self.name = name
      self.color = color
      self.id = id
      self.properties = properties
    }
  }

  private let zones: any Zones
  private let customZones: [String: String]
  private let names: ZoneNames
  /// Of each calendar by its number.
  private var used: [Int: ZoneUse] = [:]
  /// The number of the calendar that is being written.
  private var calendar = 0
  /// The TZIDs whose VTIMEZONE stands in the file, or that have none.
  private var written: Set<String> = []
  /// Those of them that have none since nobody knows their rules, each once; the first thousand.
  package private(set) var zonesWithoutRules: [String] = []
  private var hasBegun = false
  private var component = Component()

  /// - Parameters:
  ///   - zones: The installed zones, and those of `customZones`.
  ///   - customZones: The VTIMEZONE of each zone that came with a file, by its
  ///     TZID; it is written as it came.
  package init(zones: any Zones, customZones: [String: String] = [:]) {
    self.zones = zones
    self.customZones = customZones
    names = ZoneNames(
      isInstalled: { customZones[$0] == nil && (try? zones.rules(named: $0)) != nil },
      isInFile: { id in
        let name = ZoneNames.name(ofID: id)
        return customZones[name] != nil || (try? zones.rules(named: name)) != nil
      })
  }

  /// Takes note of the zones that a component needs.
  ///
  /// - Parameters:
  ///   - text: The component in canonical text.
  ///   - span: In which it lies with all its occurrences.
  ///   - calendar: A number of its calendar.
  package mutating func note(
    _ text: UnsafeBufferPointer<UInt8>, lying span: TimeSpan, in calendar: Int = 0
  ) {
    used[calendar, default: ZoneUse()].note(text, lying: span)
  }

  /// Adds what stands before the components of a calendar.
  ///
  /// - Parameters:
  ///   - head: nil where nothing is said of it.
  ///   - calendar: Its number.
  package mutating func begin(
    _ head: Head?, calendar: Int = 0, to output: inout [UInt8]
  ) {
    (hasBegun, self.calendar) = (true, calendar)
    written.removeAll()
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:\(productID)"]
    if let head {
      let color = head.color.nearestName.0
      let name = escapedText(head.name)
      lines += ["NAME:\(name)", "X-WR-CALNAME:\(name)", "COLOR:\(color)"]
      // The names of COLOR are few; Apple's property has the exact colour, and
      // most programs read it.
      lines.append("X-APPLE-CALENDAR-COLOR:\(head.color.text.uppercased())")
      if let id = head.id { lines.append("X-DATEBOOK-CALENDAR:\(escapedText(id))") }
      lines += head.properties
      if !head.properties.isEmpty {
        used[calendar, default: ZoneUse()].note(linesOfHead: head.properties)
      }
    }
    for line in lines { appendFolded(line, to: &output) }
    for id in used[calendar]?.ids ?? [] { addZone(id, to: &output) }
  }

  /// Adds a component.
  ///
  /// - Parameters:
  ///   - text: The component in canonical text.
  ///   - unnotedSpan: In which it lies, if it was not noted before; nil if it was.
  /// - Precondition: ``begin(_:to:)`` was called.
  package mutating func add(
    _ text: UnsafeBufferPointer<UInt8>, lyingUnnoted unnotedSpan: TimeSpan? = nil,
    to output: inout [UInt8]
  ) {
    precondition(hasBegun, "a file is begun before anything is added")
    if let unnotedSpan {
      used[calendar, default: ZoneUse()].note(text, lying: unnotedSpan)
      for id in used[calendar]?.ids ?? [] where !written.contains(id) { addZone(id, to: &output) }
    }
    if text.hasStamp {
      output.append(contentsOf: text)
      return
    }
    component.fill(Array(text))
    guard !component.lines.isEmpty else {
      // No component of ours; it is better given away as it is kept than not at all.
      output.append(contentsOf: text)
      return
    }
    // Of a component that we do not know, nobody can say whether it must have one.
    if component.kind != nil {
      component.insertLine("DTSTAMP:\(component.stamp)")
    }
    append(component, to: &output)
  }

  /// Takes note of the zones of a component that is written by somebody else, for ``zonesWithoutRules``.
  package mutating func noteZones(of text: String) {
    var (text, use) = (text, ZoneUse())
    text.withUTF8 { use.note($0, lying: .always) }
    for id in use.ids where names.meaning(of: id) == .unknown { noteUnknown(id) }
  }

  /// Adds what stands after the components of a calendar.
  package mutating func end(to output: inout [UInt8]) {
    appendFolded("END:VCALENDAR", to: &output)
  }

  private func append(_ component: Component, to output: inout [UInt8]) {
    output.append(contentsOf: component.canonicalText.utf8)
  }

  /// Adds the VTIMEZONE of a TZID; nothing where no rules are known.
  private mutating func addZone(_ id: String, to output: inout [UInt8]) {
    guard written.insert(id).inserted, let span = used[calendar]?.span(of: id) else { return }
    let rules: ZoneRules
    switch names.meaning(of: id) {
    case .unknown: return noteUnknown(id)
    case .utc: rules = .utc
    case .zone(let name):
      if let text = customZones[name] {
        component.fill(Array(text.utf8))
        component.setZoneID(id)
        return append(component, to: &output)
      }
      guard let found = try? zones.rules(named: name) else { return noteUnknown(id) }
      rules = found
    }
    append(
      Component(lines: zoneLines(id: id, rules: rules, needed: span.aMonthWider)), to: &output)
  }

  private mutating func noteUnknown(_ id: String) {
    guard zonesWithoutRules.count < 1000, !zonesWithoutRules.contains(id) else { return }
    zonesWithoutRules.append(id)
  }
}

extension TimeSpan {
  /// Times that belong to an event may lie outside of it: ends, exceptions, the end
  /// of a rule.
  fileprivate var aMonthWider: TimeSpan {
    let month: Int64 = 31 * 86_400
    return TimeSpan(
      start: max(start, .earliest.adding(seconds: month)).adding(seconds: -month),
      end: min(end, .latest.adding(seconds: -month)).adding(seconds: month))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a line of the text begins with DTSTAMP.
  fileprivate var hasStamp: Bool {
    let name: StaticString = "DTSTAMP"
    var start = lineBreak(from: 0) + 1
    while start + name.utf8CodeUnitCount <= count {
      var place = 0
      while place < name.utf8CodeUnitCount, self[start + place].upperCased == name.utf8Start[place]
      {
        place += 1
      }
      if place == name.utf8CodeUnitCount { return true }
      start = lineBreak(from: start) + 1
    }
    return false
  }
}

extension Component {
  /// A component of unfolded lines, BEGIN first.
  fileprivate init(lines texts: [String]) {
    for text in texts {
      let start = octets.count
      octets.append(contentsOf: text.utf8)
      if let line = ContentLine(octets, start..<octets.count, number: 1) { lines.append(line) }
      endLine()
    }
  }

  /// Becomes the first component of a canonical text; empty if there is none.
  fileprivate mutating func fill(_ text: [UInt8]) {
    var problems = Problems(limit: 0)
    var reader = ComponentReader(text, limits: .ofKeptText)
    if reader.next(&self, &problems) != .component { removeAll() }
  }

  /// What DTSTAMP is where nobody has said it: the last change, else the creation.
  ///
  /// Source: RFC 5545 section 3.8.7.2.
  fileprivate var stamp: String {
    for property in [PropertyName.lastModified, .created] {
      if let line = first(property), let instant = try? instant(line.value) {
        return instant.basicText
      }
    }
    return Timestamp(seconds: 0).basicText
  }

  /// Gives a VTIMEZONE another TZID.
  fileprivate mutating func setZoneID(_ id: String) {
    guard let place = lines.firstIndex(where: { $0.property == .zoneID }),
      text(trimmed(lines[place].value)) != id
    else { return }
    lines.remove(at: place)
    insertLine("TZID:\(escapedText(id))")
  }
}
