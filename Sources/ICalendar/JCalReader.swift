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

/// Puts jCal into iCalendar, some of its elements at a time: components, properties of calendars,
/// and what means nothing.
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

  /// Reads so many elements, or to the end; false once all of the text is read.
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
    /// The next of what means nothing at the end of an array, which may be a calendar.
    case remainder(isCalendar: Bool, inStream: Bool)
    case afterAll
    case ended

    static func after(inStream: Bool) -> Place { inStream ? .afterElement : .afterAll }
  }

  private var cursor: JSONCursor
  private var place = Place.beginning
  var output: TranscribedCalendar
  private(set) var foundCalendar = false
  let start: Int

  init(_ text: [UInt8], limits: ReadLimits) throws(JSONError) {
    cursor = try JSONCursor(text, maximumOctets: limits.maximumOctets)
    output = TranscribedCalendar(of: text, limits: limits)
    start = cursor.offset
  }

  mutating func readSome(_ count: Int) throws(JSONError) -> Bool {
    // Whatever it is: an array of empty ones takes its time, too.
    for _ in 0..<count {
      if case .ended = place { return false }
      place = try readNext()
    }
    return true
  }

  /// Reads what is at ``place``, and returns what comes then.
  private mutating func readNext() throws(JSONError) -> Place {
    switch place {
    case .beginning:
      guard cursor.isAtArray else {
        _ = try cursor.value()
        return .afterAll
      }
      try cursor.enterArray()
      if try !cursor.nextElement() { return .afterAll }
      return cursor.isAtArray ? .element : try begin(inStream: false)
    case .element:
      guard cursor.isAtArray else {
        _ = try cursor.value()
        return .afterElement
      }
      try cursor.enterArray()
      return try cursor.nextElement() ? begin(inStream: true) : .afterElement
    case .afterElement: return try cursor.nextElement() ? .element : .afterAll
    case .afterName(let inStream):
      guard try cursor.nextElement() else { return end(inStream: inStream) }
      guard cursor.isAtArray else {
        _ = try cursor.value()
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
        _ = try cursor.value()
        return .remainder(isCalendar: true, inStream: inStream)
      }
      try cursor.enterArray()
      return .component(inStream: inStream)
    case .component(let inStream):
      guard try cursor.nextElement() else {
        return .remainder(isCalendar: true, inStream: inStream)
      }
      try readOutermost()
      return place
    case .remainder(let isCalendar, let inStream):
      guard try cursor.nextElement() else {
        return isCalendar ? end(inStream: inStream) : .after(inStream: inStream)
      }
      _ = try cursor.value()
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
    guard case .string(let name) = try cursor.value(), name.lowercased() == "vcalendar" else {
      return .remainder(isCalendar: false, inStream: inStream)
    }
    foundCalendar = true
    output.add("BEGIN:VCALENDAR", at: offset)
    return .afterName(inStream: inStream)
  }

  /// Reads a property of the calendar itself.
  private mutating func readProperty() throws(JSONError) {
    let offset = cursor.offset
    switch try cursor.value().contentLine {
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

  /// Reads a component of the calendar; one with a fault leaves nothing but a problem.
  private mutating func readOutermost() throws(JSONError) {
    let mark = output.mark
    let offset = cursor.offset
    var uid = ""
    guard let (fault, place) = try readComponent(uid: &uid) else { return }
    output.forget(since: mark)
    output.refuse("bad-jcal", fault.text, at: place ?? offset, uid: uid)
  }

  /// Reads a component with what is in it, to its end; the first fault and where it is.
  private mutating func readComponent(
    uid: inout String
  ) throws(JSONError) -> (JCalFault, Int?)? {
    guard cursor.isAtArray else {
      _ = try cursor.value()
      return (JCalFault("a component has to be an array"), nil)
    }
    var fault: (JCalFault, Int?)?
    try cursor.enterArray()
    let offset = cursor.offset
    guard try cursor.nextElement() else { return (JCalFault("a component has no name"), nil) }
    var name = "X"
    if case .string(let text) = try cursor.value(), let known = propertyName(text) {
      name = known
    } else {
      fault = (JCalFault("the name of a component has to be a text of letters and digits"), offset)
    }
    output.add("BEGIN:\(name)", at: offset)
    if try cursor.nextElement() {
      var found = uid
      let isArray = try forEachElement { (reader, value, place) in
        switch value.contentLine {
        case .success(let line):
          reader.output.add(line, at: place)
          if found.isEmpty, value[0]?.stringValue?.lowercased() == "uid" {
            found = value[3]?.stringValue ?? ""
          }
        case .failure(let text): fault = fault ?? (text, place)
        }
      }
      uid = found
      if !isArray { fault = fault ?? (JCalFault("\(name): its properties are no array"), nil) }
    }
    if try cursor.nextElement() {
      if cursor.isAtArray {
        try cursor.enterArray()
        while try cursor.nextElement() {
          if let inner = try readComponent(uid: &uid) { fault = fault ?? inner }
        }
      } else {
        _ = try cursor.value()
        fault = fault ?? (JCalFault("\(name): its components are no array"), nil)
      }
    }
    while try cursor.nextElement() { _ = try cursor.value() }
    output.add("END:\(name)", at: cursor.offset)
    return fault
  }

  /// Calls `body` with each element of the next value; false if that is no array.
  @discardableResult
  private mutating func forEachElement(
    _ body: (inout JCalReader, JSONValue, Int) -> Void
  ) throws(JSONError) -> Bool {
    guard cursor.isAtArray else {
      _ = try cursor.value()
      return false
    }
    try cursor.enterArray()
    while try cursor.nextElement() {
      let offset = cursor.offset
      let value = try cursor.value()
      body(&self, value, offset)
    }
    return true
  }
}
