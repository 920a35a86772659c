package import CalendarModel
package import CivilTime

/// Our PRODID.
let productID = "-//Datebook//Datebook 1//EN"

/// Writes a calendar file in pieces, so that it need not fit in memory.
///
/// Each calendar becomes a VCALENDAR with a VTIMEZONE for each TZID with known rules, then its
/// components. First, note all components for their zones. Then begin each calendar, add its
/// components and end it. A component that was not noted gets its VTIMEZONE directly before it.
///
/// Components are written as they are stored. DTSTAMP, which is required, is added if it is
/// missing.
///
/// Source: RFC 5545 section 3.4.
package struct CalendarWriter {
  /// The properties of a calendar in a file.
  package struct Head: Sendable {
    package let name: String
    package let color: EventColor
    /// Identifies the calendar when a Datebook imports the file; nil writes none.
    package let id: String?
    /// See ``CalendarHead/properties``.
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
  /// The zones of each calendar, by its number.
  private var used: [Int: ZoneUse] = [:]
  /// The number of the calendar that is being written.
  private var calendar = 0
  /// The TZIDs whose VTIMEZONE was written, or that have none.
  private var written: Set<String> = []
  /// The TZIDs without known rules, each once; at most a thousand.
  package private(set) var zonesWithoutRules: [String] = []
  private var hasBegun = false
  private var component = Component()

  /// - Parameters:
  ///   - zones: The installed zones, and those of `customZones`.
  ///   - customZones: The VTIMEZONEs of zones that came with files, by TZID; written unchanged.
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

  /// Records the zones that a component needs.
  ///
  /// - Parameters:
  ///   - text: The component in canonical text.
  ///   - span: A span that contains all its occurrences.
  ///   - calendar: The number of its calendar.
  package mutating func note(
    _ text: UnsafeBufferPointer<UInt8>, lying span: TimeSpan, in calendar: Int = 0
  ) {
    used[calendar, default: ZoneUse()].note(text, lying: span)
  }

  /// Writes the beginning of a calendar.
  ///
  /// - Parameters:
  ///   - head: Its properties; nil writes none.
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
      // COLOR only has names; most programs read Apple's exact property.
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

  /// Writes a component.
  ///
  /// - Parameters:
  ///   - text: The component in canonical text.
  ///   - unnotedSpan: A span that contains its occurrences if it was not noted; nil if it was.
  /// - Precondition: ``begin(_:calendar:to:)`` was called.
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
      // It is no component; writing it unchanged is better than losing it.
      output.append(contentsOf: text)
      return
    }
    // A component of an unknown kind may not need a DTSTAMP.
    if component.kind != nil {
      component.insertLine("DTSTAMP:\(component.stamp)")
    }
    append(component, to: &output)
  }

  /// Records zones of a component that others write, for ``zonesWithoutRules``.
  package mutating func noteZones(of text: String) {
    var (text, use) = (text, ZoneUse())
    text.withUTF8 { use.note($0, lying: .always) }
    for id in use.ids where names.meaning(of: id) == .unknown { noteUnknown(id) }
  }

  /// Writes the end of a calendar.
  package mutating func end(to output: inout [UInt8]) {
    appendFolded("END:VCALENDAR", to: &output)
  }

  private func append(_ component: Component, to output: inout [UInt8]) {
    output.append(contentsOf: component.canonicalText.utf8)
  }

  /// Writes the VTIMEZONE of a TZID if its rules are known.
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
  /// Times of an event may be outside of its span: ends, excluded dates, the end of a rule.
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
  /// Creates a component from unfolded lines, BEGIN first.
  fileprivate init(lines texts: [String]) {
    for text in texts {
      let start = octets.count
      octets.append(contentsOf: text.utf8)
      if let line = ContentLine(octets, start..<octets.count, number: 1) { lines.append(line) }
      endLine()
    }
  }

  /// Reads the first component of a canonical text; empty if there is none.
  fileprivate mutating func fill(_ text: [UInt8]) {
    var problems = Problems(limit: 0)
    var reader = ComponentReader(text, limits: .ofKeptText)
    if reader.next(&self, &problems) != .component { removeAll() }
  }

  /// The DTSTAMP to add: the last change, else the creation.
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

  /// Changes the TZID of a VTIMEZONE.
  fileprivate mutating func setZoneID(_ id: String) {
    guard let place = lines.firstIndex(where: { $0.property == .zoneID }),
      text(trimmed(lines[place].value)) != id
    else { return }
    lines.remove(at: place)
    insertLine("TZID:\(escapedText(id))")
  }
}
