import CalendarModel

/// What the VCALENDARs of a text say of themselves, together for each calendar that they go into: a
/// text may have a hundred thousand of them.
struct KeptHeads {
  private var heads: [(calendar: CalendarID, head: CalendarHead, properties: HeadProperties)] = []
  private var places: [CalendarID: Int] = [:]

  /// Takes in one that has ``CalendarHead/properties``.
  mutating func add(_ head: CalendarHead, of calendar: CalendarID) {
    if places[calendar] == nil {
      places[calendar] = heads.count
      heads.append((calendar, head, HeadProperties()))
    }
    if let place = places[calendar] { heads[place].properties.take(head.properties) }
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
  private static let maximumOctets = 262_144

  package init(_ lines: [String] = []) { take(lines) }

  /// The name of a content line, in capitals.
  private static func name(_ line: String) -> String {
    line.prefix { $0 != ":" && $0 != ";" }.uppercased()
  }

  /// Takes in what one VCALENDAR says; what does not fit is left out.
  ///
  /// - Parameter keepsOld: whether those stay of whose name some are there.
  package mutating func take(_ lines: [String], keepingOld keepsOld: Bool = false) {
    var new: [(name: String, line: String)] = lines.map { (HeadProperties.name($0), $0) }
    if keepsOld { new.removeAll { byName[$0.name] != nil } }
    for (name, _) in new {
      octets -= byName.removeValue(forKey: name)?.reduce(0) { $0 + $1.line.utf8.count } ?? 0
    }
    for (name, line) in new where octets + line.utf8.count <= HeadProperties.maximumOctets {
      byName[name, default: []].append((next, line))
      octets += line.utf8.count
      next += 1
    }
  }

  /// In the order in which they came.
  package var lines: [String] {
    byName.values.joined().sorted { $0.number < $1.number }.map(\.line)
  }
}
