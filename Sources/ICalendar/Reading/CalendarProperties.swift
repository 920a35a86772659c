package import CalendarModel
package import Messages

/// The VCALENDAR properties of a text, merged for each calendar that they are read into.
///
/// A text may have a hundred thousand VCALENDARs.
struct CalendarProperties {
  private var heads: [(calendar: CalendarID, head: CalendarHead, properties: HeadProperties)] = []
  private var places: [CalendarID: Int] = [:]

  /// Adds a head that has ``CalendarHead/properties``.
  ///
  /// - Returns: The name of the first that does not fit; see
  ///   ``HeadProperties/take(_:keepingOld:)``.
  mutating func add(_ head: CalendarHead, of calendar: CalendarID) -> String? {
    let place = places[calendar] ?? heads.count
    if place == heads.count {
      places[calendar] = place
      heads.append((calendar, head, HeadProperties()))
    }
    return heads[place].properties.take(head.properties)
  }

  /// The merged heads, in the order of the text.
  var list: [PlacedHead] {
    heads.map { calendar, head, properties in
      var head = head
      head.properties = properties.lines
      return PlacedHead(calendar: calendar, head: head)
    }
  }
}

/// The properties of a calendar as content lines; later ones replace those with the same name.
package struct HeadProperties {
  /// The lines of each name, numbered in the order in which they came.
  private var byName: [String: [(number: Int, line: String)]] = [:]
  private var next = 0
  private var octets = 0

  /// The most octets that are stored.
  package static let maximumOctets = 262_144

  package init(_ lines: [String] = []) { _ = take(lines) }

  /// The name of a content line, in capitals.
  static func name(_ line: String) -> String {
    line.prefix { $0 != ":" && $0 != ";" }.uppercased()
  }

  /// Adds the properties of one VCALENDAR.
  ///
  /// If a name's lines do not fit, its old lines stay; if it has none, as many as fit are added.
  ///
  /// - Parameter keepsOld: Whether names that exist already keep their lines.
  /// - Returns: The name of the first that does not fit; nil if all fit.
  package mutating func take(_ lines: [String], keepingOld keepsOld: Bool = false) -> String? {
    var new: [(name: String, line: String)] = lines.map { (HeadProperties.name($0), $0) }
    if keepsOld { new.removeAll { byName[$0.name] != nil } }
    // Lines that have not changed keep their position.
    let same = Dictionary(grouping: new, by: \.name).filter { name, all in
      byName[name]?.map(\.line) == all.map(\.line)
    }
    new.removeAll { same[$0.name] != nil }
    var sizes: [String: Int] = [:]
    for (name, line) in new { sizes[name, default: 0] += line.utf8.count }
    var misfit: String?
    /// Whether the old lines of a name stay.
    var stays: [String: Bool] = [:]
    for (name, line) in new {
      if stays[name] == nil {
        let old = byName[name]?.reduce(0) { $0 + $1.line.utf8.count } ?? 0
        let fits = octets - old + (sizes[name] ?? 0) <= HeadProperties.maximumOctets
        stays[name] = old > 0 && !fits
        if fits, old > 0 {
          byName[name] = nil
          octets -= old
        }
      }
      guard stays[name] == false, octets + line.utf8.count <= HeadProperties.maximumOctets else {
        misfit = misfit ?? name
        continue
      }
      byName[name, default: []].append((next, line))
      octets += line.utf8.count
      next += 1
    }
    return misfit
  }

  /// The warning about properties that do not fit.
  package static func remark(on name: String, of calendar: CalendarID) -> UserText {
    UserText(
      """
      the properties of the calendar {calendar} have more than {limit} bytes: {property}, and what \
      else does not fit, is not kept
      """,
      ["calendar": calendar.text, "limit": maximumOctets, "property": name.prefix(40)])
  }

  /// The lines in the order in which they came.
  package var lines: [String] {
    byName.values.joined().sorted { $0.number < $1.number }.map(\.line)
  }
}
