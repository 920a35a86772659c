package import CalendarModel
package import CivilTime
import JSON

/// Reads jCal: events as JSON arrays of name, properties and components.
///
/// A text is one "vcalendar", or an array of several. A component with a property that
/// is not as it should be is left out and told, like one of iCalendar; what
/// ``CalendarWriter`` writes comes back as it was.
///
/// - Throws: ``CalendarTextError`` for what is no JSON ("bad-json") or JSON without a
///   calendar ("not-jcal"), with its line and column.
///
/// Source: RFC 7265 section 4.
package func readJCal(
  _ text: [UInt8], calendar: CalendarID, zones: any Zones, limits: ReadLimits = ReadLimits(),
  placement: CalendarPlacement? = nil
) throws(CalendarTextError) -> CalendarReading {
  var reader = try JCalTranscription(text, limits: limits)
  while try reader.readSome(.max) {}
  return try reader.calendar().read(calendar: calendar, zones: zones, placement: placement)
}

/// Puts jCal into iCalendar, some of its elements at a time: properties, and pieces of what means
/// nothing.
package struct JCalTranscription {
  private var reader: JCalReader

  /// - Throws: ``CalendarTextError`` for what is too long, or not UTF-8 ("bad-json").
  package init(_ text: [UInt8], limits: ReadLimits = ReadLimits()) throws(CalendarTextError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = text.starts(with: mark) ? Array(text.dropFirst(mark.count)) : text
    do throws(JSONError) { reader = try JCalReader(text, limits: limits) } catch {
      throw CalendarTextError(error)
    }
  }

  /// Reads so many elements, of long ones fewer, or to the end; false once all of the text is read.
  ///
  /// - Throws: ``CalendarTextError`` for what is no JSON ("bad-json").
  package mutating func readSome(_ count: Int) throws(CalendarTextError) -> Bool {
    do throws(JSONError) { return try reader.readSome(count) } catch {
      throw CalendarTextError(error)
    }
  }

  /// Returns all of it, once it is read.
  ///
  /// - Throws: ``CalendarTextError`` for JSON without a calendar ("not-jcal").
  package consuming func calendar() throws(CalendarTextError) -> TranscribedCalendar {
    guard reader.foundCalendar else {
      throw reader.output.error(
        "not-jcal", "the JSON is no calendar: it does not begin with [\"vcalendar\", [",
        at: reader.start)
    }
    return reader.output
  }
}

extension CalendarTextError {
  fileprivate init(_ error: JSONError) {
    self.init(line: error.line, column: error.column, word: "bad-json", text: "\(error.fault)")
  }
}

/// One pass over a text, which writes the same as iCalendar.
///
/// It stops after each element: one property, or a piece of what is passed by. So neither an event
/// of any length nor a value of any length keeps anybody waiting or is in memory as values.
private struct JCalReader {
  /// What comes next in the text. What may stand in an array of calendars says whether it does.
  private enum Place {
    case beginning
    /// An element of an array of calendars, or what is after one.
    case element
    case afterElement
    /// What is after the name of a calendar, and after its properties.
    case afterName(inStream: Bool)
    case afterProperties(inStream: Bool)
    /// The next property of a calendar, and the next component.
    case property(inStream: Bool)
    case component(inStream: Bool)
    /// The next of what is in a component.
    case inComponent(inStream: Bool)
    /// The next of what means nothing at the end of an array, which may be a calendar.
    case remainder(isCalendar: Bool, inStream: Bool)
    case afterAll
    case ended

    static func after(inStream: Bool) -> Place { inStream ? .afterElement : .afterAll }
  }

  private var cursor: JSONCursor
  private var place = Place.beginning
  /// Whether the next value means nothing and is passed by before ``place``.
  private var isSkipping = false
  private var outermost: Outermost?
  private let limits: ReadLimits
  var output: TranscribedCalendar
  private(set) var foundCalendar = false
  let start: Int

  /// So many octets are passed by at once.
  private static let skippedAtOnce = 65_536
  /// So many are read at once, however few elements that are.
  private static let readAtOnce = 262_144

  /// A component of a calendar that is being read, with what is in it.
  private struct Outermost {
    /// What comes next in the array of a component.
    enum Stage {
      case name
      case properties
      case property
      case components
      case component
      case rest
    }

    let mark: TranscribedCalendar.Mark
    let offset: Int
    var uid = ""
    var summary = ""
    /// The first fault, and where it is.
    var fault: (JCalFault, Int?)?
    /// The component and those in it that have begun and not ended.
    var open: [(name: String, stage: Stage)] = [("", .name)]

    mutating func note(_ fault: JCalFault, at place: Int? = nil) {
      self.fault = self.fault ?? (fault, place)
    }
  }

  init(_ text: [UInt8], limits: ReadLimits) throws(JSONError) {
    cursor = try JSONCursor(text, maximumOctets: limits.maximumOctets)
    output = TranscribedCalendar(of: text, limits: limits)
    self.limits = limits
    start = cursor.offset
  }

  mutating func readSome(_ count: Int) throws(JSONError) -> Bool {
    let begin = cursor.offset
    // Whatever it is: an array of empty ones takes its time, too.
    for _ in 0..<count {
      if isSkipping {
        isSkipping = try !cursor.skipValue(octets: JCalReader.skippedAtOnce)
      } else {
        if case .ended = place { return false }
        place = try readNext()
      }
      if cursor.offset - begin >= JCalReader.readAtOnce { break }
    }
    return true
  }

  /// The next value; nil where that is too large, and is passed by.
  private mutating func value() throws(JSONError) -> JSONValue? {
    let value = try cursor.value(
      maximumOctets: mostOctets, maximumValues: limits.maximumValues)
    if value == nil { isSkipping = true }
    return value
  }

  /// A property within the limit of iCalendar may be somewhat longer here.
  private var mostOctets: Int { limits.maximumLineOctets + limits.maximumLineOctets / 4 }

  /// The content line of the next value, with that; a property that is too large has none.
  private mutating func contentLine() throws(JSONError) -> (JSONValue?, Result<String, JCalFault>) {
    if let value = try value() { return (value, value.contentLine) }
    return (
      nil,
      .failure(
        JCalFault(
          "a property has more than \(mostOctets) octets or \(limits.maximumValues) values"))
    )
  }

  /// Reads what is at ``place``, and returns what comes then.
  private mutating func readNext() throws(JSONError) -> Place {
    switch place {
    case .beginning:
      guard cursor.isAtArray else {
        isSkipping = true
        return .afterAll
      }
      try cursor.enterArray()
      if try !cursor.nextElement() { return .afterAll }
      return cursor.isAtArray ? .element : try begin(inStream: false)
    case .element:
      guard cursor.isAtArray else {
        isSkipping = true
        return .afterElement
      }
      try cursor.enterArray()
      return try cursor.nextElement() ? begin(inStream: true) : .afterElement
    case .afterElement: return try cursor.nextElement() ? .element : .afterAll
    case .afterName(let inStream):
      guard try cursor.nextElement() else { return end(inStream: inStream) }
      guard cursor.isAtArray else {
        isSkipping = true
        return .afterProperties(inStream: inStream)
      }
      try cursor.enterArray()
      return .property(inStream: inStream)
    case .property(let inStream):
      guard try cursor.nextElement() else { return .afterProperties(inStream: inStream) }
      try readProperty()
      return place
    case .afterProperties(let inStream):
      guard try cursor.nextElement() else { return end(inStream: inStream) }
      guard cursor.isAtArray else {
        isSkipping = true
        return .remainder(isCalendar: true, inStream: inStream)
      }
      try cursor.enterArray()
      return .component(inStream: inStream)
    case .component(let inStream):
      guard try cursor.nextElement() else {
        return .remainder(isCalendar: true, inStream: inStream)
      }
      let offset = cursor.offset
      guard cursor.isAtArray else {
        isSkipping = true
        output.refuse("bad-jcal", "a component has to be an array", at: offset)
        return place
      }
      try cursor.enterArray()
      outermost = Outermost(mark: output.mark, offset: offset)
      return .inComponent(inStream: inStream)
    case .inComponent(let inStream):
      // Taken out while it changes, so that nothing of it is copied.
      guard var component = outermost.take() else { return .component(inStream: inStream) }
      try readNext(of: &component)
      if component.open.isEmpty {
        end(component)
        return .component(inStream: inStream)
      }
      outermost = component
      return place
    case .remainder(let isCalendar, let inStream):
      guard try cursor.nextElement() else {
        return isCalendar ? end(inStream: inStream) : .after(inStream: inStream)
      }
      isSkipping = true
      return place
    case .afterAll:
      try cursor.end()
      return .ended
    case .ended: return .ended
    }
  }

  /// Reads the name of an array that may be a calendar.
  private mutating func begin(inStream: Bool) throws(JSONError) -> Place {
    let offset = cursor.offset
    guard case .string(let name)? = try value(), name.lowercased() == "vcalendar" else {
      return .remainder(isCalendar: false, inStream: inStream)
    }
    foundCalendar = true
    output.add("BEGIN:VCALENDAR", at: offset)
    return .afterName(inStream: inStream)
  }

  /// Reads a property of the calendar itself.
  private mutating func readProperty() throws(JSONError) {
    let offset = cursor.offset
    switch try contentLine().1 {
    case .success(let line): output.add(line, at: offset)
    case .failure(let fault):
      output.tolerate("bad-jcal", "\(fault.text); it is passed by", at: offset)
    }
  }

  /// Ends a calendar, of which nothing is left.
  private mutating func end(inStream: Bool) -> Place {
    output.add("END:VCALENDAR", at: cursor.offset)
    return .after(inStream: inStream)
  }

  // MARK: Components

  /// Ends a component of the calendar; one with a fault leaves nothing but a problem.
  private mutating func end(_ component: Outermost) {
    guard let (fault, place) = component.fault else { return }
    output.forget(since: component.mark)
    output.refuse(
      "bad-jcal", fault.text, at: place ?? component.offset, uid: component.uid,
      summary: component.summary)
  }

  /// Reads the next of what is in the component that has begun last.
  private mutating func readNext(of component: inout Outermost) throws(JSONError) {
    let last = component.open.count - 1
    let (name, stage) = component.open[last]
    guard try cursor.nextElement() else {
      switch stage {
      case .name:
        component.note(JCalFault("a component has no name"))
        component.open.removeLast()
      case .property: component.open[last].stage = .components
      case .component: component.open[last].stage = .rest
      case .properties, .components, .rest:
        output.add("END:\(name)", at: cursor.offset)
        component.open.removeLast()
      }
      return
    }
    let offset = cursor.offset
    switch stage {
    case .name:
      var name = "X"
      if case .string(let text)? = try value(), let known = propertyName(text) {
        name = known
      } else {
        component.note(
          JCalFault("the name of a component has to be a text of letters and digits"), at: offset)
      }
      output.add("BEGIN:\(name)", at: offset)
      component.open[last] = (name, .properties)
    case .properties:
      if cursor.isAtArray {
        try cursor.enterArray()
        component.open[last].stage = .property
      } else {
        isSkipping = true
        component.note(JCalFault("\(name): its properties are no array"))
        component.open[last].stage = .components
      }
    case .property:
      let (value, line) = try contentLine()
      switch line {
      case .success(let line):
        output.add(line, at: offset)
        switch value?[0]?.stringValue?.lowercased() {
        case "uid" where component.uid.isEmpty: component.uid = value?[3]?.stringValue ?? ""
        case "summary" where component.summary.isEmpty:
          component.summary = value?[3]?.stringValue ?? ""
        default: break
        }
      case .failure(let fault): component.note(fault, at: offset)
      }
    case .components:
      if cursor.isAtArray {
        try cursor.enterArray()
        component.open[last].stage = .component
      } else {
        isSkipping = true
        component.note(JCalFault("\(name): its components are no array"))
        component.open[last].stage = .rest
      }
    case .component:
      if cursor.isAtArray {
        try cursor.enterArray()
        component.open.append(("", .name))
      } else {
        isSkipping = true
        component.note(JCalFault("a component has to be an array"))
      }
    case .rest: isSkipping = true
    }
  }
}
