/// Other readers of iCalendar, which write what they have found in each event.
package enum EventOracle {
  private static let folder =
    directory(ofFile: directory(ofFile: #filePath)) + "/ICalendarTests/Oracles"

  package static let libical = OracleProgram.libical(folder + "/events_libical.c")
  package static let icalendar = python("icalendar")
  package static let ical = python("ical")

  private static func python(_ package: String) -> OracleProgram {
    .python(package, folder + "/events_python.py", [package])
  }
}
