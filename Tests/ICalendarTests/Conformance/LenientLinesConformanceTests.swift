internal import Glibc
import CalendarModel
import CivilTime
import JSON
import Recurrence
import TestSupport
import Testing

@testable import ICalendar

private let folder = getenv("DATEBOOK_CONFORMANCE").map { String(cString: $0) }

/// What is read as lenient_rules.jsonl has it without a word, and why.
private let silent: [String: String] = {
  var reasons: [String: String] = [:]
  func add(_ reason: String, _ kind: String, _ numbers: Int...) {
    for number in numbers {
      let digits = String(number)
      reasons["len-\(kind)-\(String(repeating: "0", count: 3 - digits.count))\(digits)"] = reason
    }
  }
  add("legal", "property", 7, 26, 32, 34)
  add("a TZID is any text; this one names a zone", "property", 6, 8, 9, 10, 11, 12, 13, 14, 15)
  add("a TZID is any text; this one names a zone", "property", 19, 20)
  add("the day of an instance is what the series says", "property", 31)
  add("an offset has no other meaning", "property", 33)
  add("legal", "line", 3, 7, 8, 10)
  add("text is text, with or without its backslashes", "line", 1, 2, 4)
  add("a parameter has no other meaning", "line", 6)
  add("an unknown parameter is passed by", "line", 12)
  return reasons
}()

private func items(_ kind: String) throws -> [JSONValue] {
  let text = try #require(readFile("\(folder ?? "")/lenient_rules.jsonl"))
  return try text.split(separator: 0x0A).map {
    try JSONReader.value(of: Array($0), maximumOctets: 1 << 20)
  }.filter { $0["kind"]?.stringValue == kind }
}

/// A reading, with all that its series come to in some years.
private struct Outcome: Equatable {
  var events: [Event]
  var occurrences: [String]
  var offsets: [UTCOffset]
  var problems: [String]

  init(_ text: String) throws {
    let zones = InstalledZones()
    let reading = try readCalendar(
      Array(text.utf8), calendar: CalendarID("tests"), zones: zones)
    let context = ZoneContext(zones: zones.with(reading.customZones), local: .utc)
    let years = TimeSpan(
      start: try Timestamp(text: "2000-01-01T00:00:00Z"),
      end: try Timestamp(text: "2030-01-01T00:00:00Z"))
    events = reading.series.flatMap(\.components).map { event in
      var event = event
      event.component = ""
      return event
    }
    occurrences = try reading.series.flatMap { series in
      try series.occurrences(in: years, context: context).map { occurrence in
        "\(occurrence.span) \(occurrence.event.start.isDate) \(occurrence.event.summary)"
      }
    }
    let long = Timestamp(seconds: -1_000_000_000)
    offsets = reading.customZones.map { $0.rules.offset(at: long) }
    problems = reading.problems.map(\.description)
  }

  func means(_ other: Outcome) -> Bool {
    !occurrences.isEmpty && occurrences == other.occurrences && offsets == other.offsets
  }
}

/// A calendar in which one property stands where it belongs.
private func text(around value: String, _ item: JSONValue) -> String {
  let zone = item["tzid"]?.stringValue.map { ";TZID=\($0)" } ?? ""
  // One case has dates of a series without saying where that begins.
  let start =
    item["dtstart"]?.stringValue.map { "DTSTART\($0.utf8.count == 8 ? ";VALUE=DATE" : zone):\($0)" }
    ?? (value.contains("Europe/London")
      ? "DTSTART;TZID=Europe/London:20191001T095000" : "DTSTART:20240101T090000")
  let daily = "RRULE:FREQ=DAILY;COUNT=40"
  switch value.prefix(while: { $0.isLetter || $0 == "-" }) {
  case "DTSTART": return calendar("UID:a", value)
  case "EXDATE": return calendar("UID:a", start, daily, value)
  case "RECURRENCE-ID":
    return [
      "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:a", start, daily, "END:VEVENT",
      "BEGIN:VEVENT", "UID:a", value, "SUMMARY:moved", "DTSTART:20240220T100000", "END:VEVENT",
      "END:VCALENDAR", "",
    ].joined(separator: "\r\n")
  case "TZOFFSETFROM":
    return [
      "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD",
      "DTSTART:19700101T000000", value, "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE",
      "BEGIN:VEVENT", "UID:a", "DTSTART;TZID=Own:20240101T090000", "END:VEVENT", "END:VCALENDAR",
      "",
    ].joined(separator: "\r\n")
  case "X-WR-TIMEZONE":
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(value)\r\nBEGIN:VEVENT\r\nUID:a\r\n"
      + "DTSTART:20240101T090000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
  case "" where item["value"]?.stringValue == "EXDATE:": return calendar("UID:a", start, daily)
  case "": return calendar("UID:a", start)
  default: return calendar("UID:a", start, value)
  }
}

/// What the cases without a normal form come to, as the line that says the same.
private let meanings = [
  "len-property-016": "DTSTART:20240101T090000",
  "len-property-017": "DTSTART:20200825T103500",
  "len-property-018": "DTSTART:20220713T210000",
  "len-property-020": "DTSTART:20240101T080000Z",
  "len-property-035": "DTSTART;TZID=Europe/Berlin:20240101T090000",
]

/// The names in the lines without a normal form.
private let names = ["len-line-006": "John \"Jack\" Doe", "len-line-007": "O\"Neil \n x"]

@Suite struct `Conformance of lines in use` {
  @Test(.enabled(if: folder != nil))
  func `a property is read as its normal form, and told where it departs`() throws {
    let items = try items("property")
    for item in items {
      let id = item["id"]?.stringValue ?? ""
      let value = item["value"]?.stringValue ?? ""
      let normal = item["normalised"]?.stringValue ?? meanings[id]
      let found = try Outcome(text(around: value, item))
      let expected = try Outcome(text(around: try #require(normal), item))
      #expect(found.means(expected), "\(id) \(value): \(found.occurrences)")
      #expect(found.problems.isEmpty == (silent[id] != nil), "\(id): \(found.problems)")
    }
    #expect(items.count >= 35)
  }

  @Test(.enabled(if: folder != nil))
  func `a name that says nothing stands for the rules of the file`() throws {
    for item in try items("property") {
      guard let value = item["value"]?.stringValue, item["normalised"] == .null,
        let name = value.split(separator: "TZID=").dropFirst().first?.prefix(while: { $0 != ":" }),
        ["Customized Time Zone", "(no TZ description)"].contains(String(name))
      else { continue }
      let rules = """
        BEGIN:VTIMEZONE\nTZID:\(name)\nBEGIN:STANDARD\nDTSTART:19700101T000000
        TZOFFSETFROM:+0530\nTZOFFSETTO:+0530\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT
        """
      let reading = try read(calendar("UID:a", value).replacing("BEGIN:VEVENT", with: rules))
      #expect(reading.problems.isEmpty && reading.customZones.map(\.id) == [String(name)])
    }
  }

  @Test(.enabled(if: folder != nil))
  func `a line is read as its normal form, and told where it departs`() throws {
    let items = try items("line")
    for item in items {
      let id = item["id"]?.stringValue ?? ""
      let value = item["value"]?.stringValue ?? ""
      func whole(_ line: String) -> String {
        let whole = calendar("UID:a", "DTSTART:20240101T090000", line)
        return line.hasPrefix("BEGIN:")
          ? calendar("UID:a", "DTSTART:20240101T090000").replacing("BEGIN:VEVENT", with: line)
          : whole
      }
      let found = try Outcome(whole(value))
      if let normal = item["normalised"]?.stringValue {
        #expect(try found.events == Outcome(whole(normal)).events, "\(id) \(value)")
      } else {
        #expect(found.events.first?.attendees.first?.name == names[id], "\(id)")
      }
      #expect(found.events.count == 1 && found.problems.isEmpty == (silent[id] != nil), "\(id)")
    }
    #expect(items.count >= 12)
  }

  @Test(.enabled(if: folder != nil))
  func `a rule of vCalendar 1.0 is read as its normal form`() throws {
    let items = try items("rrule-vcal1")
    for item in items {
      let id = item["id"]?.stringValue ?? ""
      let rule = "RRULE:\(item["value"]?.stringValue ?? "")"
      let start = "DTSTART:\(item["dtstart"]?.stringValue ?? "")"
      let normal = try RecurrenceRule(text: item["normalised"]?.stringValue ?? "")
      for version in ["1.0", "2.0"] {
        let text = calendar("UID:a", start, rule)
          .replacing("VERSION:2.0", with: "VERSION:\(version)")
        let reading = try readCalendar(
          Array(text.utf8), calendar: CalendarID("tests"), zones: FixedZones.shared)
        let event = try #require(reading.series.first?.master, "\(id)")
        #expect(event.recurrence.rules == [normal], "\(id) \(version)")
        #expect(reading.problems.count == 1, "\(id) \(version)")
        let set = RecurrenceSet(
          start: event.start.reading, isAllDay: false, zone: .utc, rules: event.recurrence.rules)
        let expected = item["expected"]?.arrayValue?.compactMap(\.stringValue)
        let limit = item["limit"]?.integerValue ?? 0
        #expect(
          set.instances(in: .always, limit: Int(limit)).map(\.reading.basicText) == expected,
          "\(id)")
      }
    }
    #expect(items.count >= 10)
  }
}
