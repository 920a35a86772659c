package import CalendarModel
import Messages

/// The properties of a VCALENDAR itself.
package struct CalendarHead: Hashable, Sendable {
  /// X-DATEBOOK-CALENDAR: the id of the calendar that a Datebook exported; "" in other files.
  package var id = ""
  /// The first NAME (RFC 7986), else X-WR-CALNAME; "" without either.
  ///
  /// Further NAMEs, in other languages, are among the ``properties``.
  package var name = ""
  /// X-APPLE-CALENDAR-COLOR, else COLOR (RFC 7986).
  package var color: EventColor?
  /// Properties that are only stored for export: unfolded content lines without line ends.
  package var properties: [String] = []
  /// The line of its BEGIN, from 1, and the octet in that line, from 1.
  package var line: Int
  package var column = 1

  package init(line: Int) {
    self.line = line
  }

  /// Properties for the days that a file covers, which are wrong in a calendar with other events.
  ///
  /// Source: MS-OXCICAL section 2.1.3.1.1.
  fileprivate static let spanOfFile = ["X-CALSTART", "X-CALEND", "X-CLIPSTART", "X-CLIPEND"]
}

/// The first head that names properties for a calendar, with the properties of all its heads.
package struct PlacedHead: Hashable, Sendable {
  package let calendar: CalendarID
  package let head: CalendarHead
}

/// Decides into which calendar a VCALENDAR is read, once its own properties are known.
///
/// It is called again if the text is read again.
package typealias CalendarPlacement = (CalendarHead) -> CalendarID

extension CalendarReader {
  /// The most octets of properties that are stored for one VCALENDAR.
  private static let maximumHeadOctets = 65_536

  /// Records a property of the VCALENDAR itself.
  ///
  /// Properties that the agent writes itself or that only describe the file are not stored. Neither
  /// is X-WR-TIMEZONE, which has been applied to the floating times.
  mutating func noteHead(_ component: Component, _ line: ContentLine) {
    guard head != nil else { return }
    func isNamed(_ name: String) -> Bool { component.isName(line.name, name) }
    switch line.property {
    case .name where !hasHeadName:
      head?.name = component.text(line.value)
      hasHeadName = true
    case .calendarName where head?.name.isEmpty ?? false: head?.name = component.text(line.value)
    case .color where head?.color == nil:
      head?.color = EventColor(calendarText: component.string(component.trimmed(line.value)))
    case .calendarName, .color, .version, .method, .calendarZone: break
    case .other where isNamed("X-APPLE-CALENDAR-COLOR"):
      // Apple also writes #RRGGBBAA.
      let text = component.string(component.trimmed(line.value)).prefix(7)
      if let color = EventColor(calendarText: String(text)) { head?.color = color }
    case .other where isNamed("X-DATEBOOK-CALENDAR"):
      head?.id = component.text(line.value)
    case .other where isNamed("PRODID") || isNamed("CALSCALE"): break
    // The days that the file covers: Outlook ignores others when it reads it.
    case .other where CalendarHead.spanOfFile.contains(where: isNamed): break
    default:
      // In vCalendar 1.0 other properties are about the program that wrote it.
      if events.isVCalendar { break }
      guard headOctets + line.range.count <= CalendarReader.maximumHeadOctets else {
        return tellOfLargeHead(component, line)
      }
      headOctets += line.range.count
      head?.properties.append(component.string(line.range))
    }
  }

  /// Drops a UID that belongs to an event without a BEGIN, found at its DTSTART.
  mutating func dropUIDOfStray() {
    guard let last = head?.properties.last, HeadProperties.name(last) == "UID" else { return }
    headOctets -= last.utf8.count
    head?.properties.removeLast()
  }

  /// Reports, once for each VCALENDAR, that not all of its properties are stored.
  private mutating func tellOfLargeHead(_ component: Component, _ line: ContentLine) {
    if isHeadTooLarge { return }
    isHeadTooLarge = true
    tolerate(
      component, "too-large",
      UserText(
        """
        the properties of the calendar have more than {limit} bytes: {property}, and what else does \
        not fit, is not kept
        """,
        [
          "limit": CalendarReader.maximumHeadOctets, "property": component.excerpt(line.name),
        ]))
  }

  /// Decides into which calendar the components of the VCALENDAR are read.
  mutating func takePlace() {
    let found = head.flatMap { head in placement?(head) } ?? calendar
    place = found
    collector.enter(found, saying: head.map { "\($0.id)\n\($0.name)" } ?? "")
  }

  /// Finishes the VCALENDAR that was read last.
  mutating func endHead() {
    if let head {
      if place == nil { takePlace() }
      let place = place ?? calendar
      if !head.properties.isEmpty, let name = heads.add(head, of: place),
        toldOfHeads.insert(place).inserted
      {
        tell(
          ParseDiagnostic(
            line: head.line, column: head.column, uid: "", word: "too-large",
            text: HeadProperties.remark(on: name, of: place), severity: .tolerated))
      }
    }
    (head, place) = (nil, nil)
    (headOctets, isHeadTooLarge, hasHeadName) = (0, false, false)
  }
}
