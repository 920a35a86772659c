package import CalendarModel
package import Messages

/// What the VCALENDARs of a text say of themselves, together for each calendar that they go into: a
/// text may have a hundred thousand of them.
struct CalendarProperties {
  private var heads: [(calendar: CalendarID, head: CalendarHead, properties: HeadProperties)] = []
  private var places: [CalendarID: Int] = [:]

  /// Takes in one that has ``CalendarHead/properties``.
  ///
  /// - Returns: the name of the first that does not fit; see ``HeadProperties/take(_:keepingOld:)``.
  mutating func add(_ head: CalendarHead, of calendar: CalendarID) -> String? {
    let place = places[calendar] ?? heads.count
    if place == heads.count {
      places[calendar] = place
      heads.append((calendar, head, HeadProperties()))
    }
    return heads[place].properties.take(head.properties)
  }

  /// In the order of the text.
  var list: [PlacedHead] {
    heads.map { calendar, head, properties in
      var head = head
      head.properties = properties.lines
      return PlacedHead(calendar: calendar, head: head)
    }
  }
}

/// Properties of a calendar, as content lines: those of a name that come later take the place of
/// those before.
package struct HeadProperties {
  /// Of each name, with the number by which they are in order.
  private var byName: [String: [(number: Int, line: String)]] = [:]
  private var next = 0
  private var octets = 0

  /// The most octets that are kept.
  package static let maximumOctets = 262_144

  package init(_ lines: [String] = []) { _ = take(lines) }

  /// The name of a content line, in capitals.
  static func name(_ line: String) -> String {
    line.prefix { $0 != ":" && $0 != ";" }.uppercased()
  }

  /// Takes in what one VCALENDAR says. Of a name that does not fit what is there stays, and where nothing is, as
  /// many as fit are taken.
  ///
  /// - Parameter keepsOld: whether those stay of whose name some are there.
  /// - Returns: the name of the first that does not fit; nil where all of them do.
  package mutating func take(_ lines: [String], keepingOld keepsOld: Bool = false) -> String? {
    var new: [(name: String, line: String)] = lines.map { (HeadProperties.name($0), $0) }
    if keepsOld { new.removeAll { byName[$0.name] != nil } }
    // What is there already stays where it is.
    let same = Dictionary(grouping: new, by: \.name).filter { name, all in
      byName[name]?.map(\.line) == all.map(\.line)
    }
    new.removeAll { same[$0.name] != nil }
    var sizes: [String: Int] = [:]
    for (name, line) in new { sizes[name, default: 0] += line.utf8.count }
    var misfit: String?
    /// Whether those of a name stay as they are.
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

  /// What is told of properties that do not fit.
  package static func remark(on name: String, of calendar: CalendarID) -> UserText {
    UserText(
      """
      the properties of the calendar {calendar} have more than {limit} bytes: {property}, and what \
      else does not fit, is not kept
      """,
      ["calendar": calendar.text, "limit": maximumOctets, "property": name.prefix(40)])
  }

  /// In the order in which they came.
  package var lines: [String] {
    byName.values.joined().sorted { $0.number < $1.number }.map(\.line)
  }
}
