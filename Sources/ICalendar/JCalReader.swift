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
  var reader: JCalReader
  do throws(JSONError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = text.starts(with: mark) ? Array(text.dropFirst(mark.count)) : text
    reader = try JCalReader(text, limits: limits)
    try reader.readStream()
  } catch {
    throw CalendarTextError(
      line: error.line, column: error.column, word: "bad-json", text: "\(error.fault)")
  }
  guard reader.foundCalendar else {
    throw reader.output.error(
      "not-jcal", "the JSON is no calendar: it does not begin with [\"vcalendar\", [",
      at: reader.start)
  }
  return try reader.output.read(calendar: calendar, zones: zones, placement: placement)
}

/// One pass over a text, which writes the same as iCalendar.
private struct JCalReader {
  private var cursor: JSONCursor
  var output: TranscribedCalendar
  private(set) var foundCalendar = false
  let start: Int

  init(_ text: [UInt8], limits: ReadLimits) throws(JSONError) {
    cursor = try JSONCursor(text, maximumOctets: limits.maximumOctets)
    output = TranscribedCalendar(of: text, limits: limits)
    start = cursor.offset
  }

  mutating func readStream() throws(JSONError) {
    guard cursor.isAtArray else {
      _ = try cursor.value()
      return try cursor.end()
    }
    try cursor.enterArray()
    if try cursor.nextElement() {
      if cursor.isAtArray {
        repeat {
          if cursor.isAtArray {
            try cursor.enterArray()
            if try cursor.nextElement() { try readCalendar() }
          } else {
            _ = try cursor.value()
          }
        } while try cursor.nextElement()
      } else {
        try readCalendar()
      }
    }
    try cursor.end()
  }

  /// Reads the rest of an array that may be a calendar, from its name on.
  private mutating func readCalendar() throws(JSONError) {
    let offset = cursor.offset
    guard case .string(let name) = try cursor.value(), name.lowercased() == "vcalendar" else {
      while try cursor.nextElement() { _ = try cursor.value() }
      return
    }
    foundCalendar = true
    output.add("BEGIN:VCALENDAR", at: offset)
    if try cursor.nextElement() {
      try forEachElement { (reader, value, offset) in
        switch value.contentLine {
        case .success(let line): reader.output.add(line, at: offset)
        case .failure(let fault):
          reader.output.tolerate("bad-jcal", "\(fault.text); it is passed by", at: offset)
        }
      }
    }
    if try cursor.nextElement() {
      if cursor.isAtArray {
        try cursor.enterArray()
        while try cursor.nextElement() { try readOutermost() }
      } else {
        _ = try cursor.value()
      }
    }
    while try cursor.nextElement() { _ = try cursor.value() }
    output.add("END:VCALENDAR", at: cursor.offset)
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
