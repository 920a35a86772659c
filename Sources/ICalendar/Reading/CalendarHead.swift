package import CalendarModel
import Messages

/// What a VCALENDAR says of itself.
package struct CalendarHead: Hashable, Sendable {
  /// X-DATEBOOK-CALENDAR: the identifier of the calendar that one of us has exported; "" in
  /// what others have written.
  package var id = ""
  /// The first NAME (RFC 7986), else X-WR-CALNAME; "" without either. A name in another language is
  /// kept among the ``properties``.
  package var name = ""
  /// X-APPLE-CALENDAR-COLOR, else COLOR (RFC 7986).
  package var color: EventColor?
  /// The properties that mean nothing here and are kept: content lines, unfolded and without
  /// their ends.
  package var properties: [String] = []
  /// The line of its BEGIN, from 1, and the octet of that line, from 1.
  package var line: Int
  package var column = 1

  package init(line: Int) {
    self.line = line
  }

  /// The properties that say of which days the file is: a calendar into which it goes has others, too.
  ///
  /// Source: MS-OXCICAL section 2.1.3.1.1.
  fileprivate static let spanOfFile = ["X-CALSTART", "X-CALEND", "X-CLIPSTART", "X-CLIPEND"]
}

/// The first head of a calendar that says something of itself, with the properties of all of them.
package struct PlacedHead: Hashable, Sendable {
  package let calendar: CalendarID
  package let head: CalendarHead
}

/// Says into which calendar a VCALENDAR goes, once what stands before its components has been
/// read. It is asked again where the text is.
package typealias CalendarPlacement = (CalendarHead) -> CalendarID

extension CalendarReader {
  /// The most octets of properties that are kept of one VCALENDAR.
  private static let maximumHeadOctets = 65_536

  /// Takes in a property of the VCALENDAR itself. What the agent writes of its own, what is true of the file alone,
  /// and X-WR-TIMEZONE, by which all floating times have been placed, are not kept.
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
      // Apple writes #RRGGBBAA, too.
      let text = component.string(component.trimmed(line.value)).prefix(7)
      if let color = EventColor(calendarText: String(text)) { head?.color = color }
    case .other where isNamed("X-DATEBOOK-CALENDAR"):
      head?.id = component.text(line.value)
    case .other where isNamed("PRODID") || isNamed("CALSCALE"): break
    // Which days of a calendar the file has: Outlook cuts by them what it reads.
    case .other where CalendarHead.spanOfFile.contains(where: isNamed): break
    default:
      // What a vCalendar of 1996 says is about the program that wrote it.
      if events.isVCalendar { break }
      guard headOctets + line.range.count <= CalendarReader.maximumHeadOctets else {
        return tellOfLargeHead(component, line)
      }
      headOctets += line.range.count
      head?.properties.append(component.string(line.range))
    }
  }

  /// Drops the UID before a DTSTART of something that has lost its BEGIN: it is no property of the calendar.
  mutating func dropUIDOfStray() {
    guard let last = head?.properties.last, HeadProperties.name(last) == "UID" else { return }
    headOctets -= last.utf8.count
    head?.properties.removeLast()
  }

  /// Tells, once of each VCALENDAR, that it says more of itself than is kept.
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

  /// Finds where the components of the VCALENDAR go that is read.
  mutating func takePlace() {
    let found = head.flatMap { head in placement?(head) } ?? calendar
    place = found
    collector.enter(found, saying: head.map { "\($0.id)\n\($0.name)" } ?? "")
  }

  /// Ends the VCALENDAR that was read last.
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
