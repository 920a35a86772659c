internal import Glibc
import CalendarModel
import CivilTime
import JSON
import TestSupport
import Testing

@testable import ICalendar

private let folder = getenv("DATEBOOK_CONFORMANCE").map { String(cString: $0) }

/// What is read without a word although no RFC allows it.
private let departures = [
  "inv-duration-001": "an empty DURATION is none, as an empty DTEND is",
  "inv-duration-008": "P1M is a minute, as lenient_rules.jsonl has -P15M",
  "inv-trigger-007": "RELATED says nothing beside an instant",
  "inv-trigger-008": "an instant in a zone is clear",
  "inv-trigger-011": "the form of a trigger tells what it is, whatever VALUE says",
  "inv-trigger-012": "the form of a trigger tells what it is, whatever VALUE says",
  "inv-period-001": "a period without an end is the moment of its start",
  "inv-utc-offset-004": "-0000 is +0000",
  "inv-utc-offset-005": "-000000 is +000000",
  "inv-utc-offset-006": "+2500 is 25 minutes, as lenient_rules.jsonl has +5730",
]

private func items(_ name: String) throws -> [JSONValue] {
  let text = try #require(readFile("\(folder ?? "")/\(name)"))
  return try text.split(separator: 0x0A).map {
    try JSONReader.value(of: Array($0), maximumOctets: 1 << 20)
  }
}

/// A calendar around one value of a kind.
private func around(_ kind: String, _ value: String, _ parameters: String) -> String {
  let start = "DTSTART:20240101T090000"
  func alarm(_ line: String) -> String {
    calendar("UID:a", start, "BEGIN:VALARM", "ACTION:DISPLAY", line, "END:VALARM")
  }
  switch kind {
  case "date": return calendar("UID:a", "DTSTART;VALUE=DATE:\(value)")
  case "date-time": return calendar("UID:a", "DTSTART;VALUE=DATE-TIME:\(value)")
  case "duration": return calendar("UID:a", start, "DURATION:\(value)")
  case "trigger": return alarm("TRIGGER\(parameters):\(value)")
  case "period": return calendar("UID:a", start, "RDATE;VALUE=PERIOD:\(value)")
  case "utc-offset":
    return [
      "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD",
      "DTSTART:19700101T000000", "TZOFFSETFROM:\(value)", "TZOFFSETTO:+0100", "END:STANDARD",
      "END:VTIMEZONE", "BEGIN:VEVENT", "UID:a", "DTSTART;TZID=Own:20240101T090000", "END:VEVENT",
      "END:VCALENDAR", "",
    ].joined(separator: "\r\n")
  default: return value
  }
}

@Suite struct `Conformance of single values` {
  @Test(.enabled(if: folder != nil))
  func `what is invalid is refused or named, with its line and column`() throws {
    for item in try items("invalid_rules.jsonl") where item["kind"]?.stringValue != "rrule" {
      if item["strict_only"]?.boolValue == true { continue }
      let kind = item["kind"]?.stringValue ?? ""
      let id = item["id"]?.stringValue ?? ""
      let text = around(
        kind, item["value"]?.stringValue ?? "", item["params"]?.stringValue ?? "")
      do {
        let reading = try read(text)
        #expect(reading.problems.isEmpty == (departures[id] != nil), "\(id)")
        #expect(reading.problems.allSatisfy { $0.line > 0 && $0.column > 0 }, "\(id)")
      } catch let error as CalendarTextError {
        #expect(error.line > 0, "\(id)")
      }
    }
  }

  @Test(.enabled(if: folder != nil))
  func `what is seen in use is read as its normal form`() throws {
    for item in try items("lenient_rules.jsonl") {
      let kind = item["kind"]?.stringValue ?? ""
      let id = item["id"]?.stringValue ?? ""
      guard kind == "duration" || kind == "trigger", let normal = item["normalised"]?.stringValue,
        let value = item["value"]?.stringValue
      else { continue }
      let start = "DTSTART:20240101T090000"
      func line(_ text: String) -> String {
        kind == "duration"
          ? calendar("UID:a", start, "DURATION:\(text)")
          : calendar("UID:a", start, "BEGIN:VALARM", "ACTION:DISPLAY", text, "END:VALARM")
      }
      var (found, expected) = (
        try read(line(value)).series.first?.master, try read(line(normal)).series.first?.master
      )
      found?.component = ""
      expected?.component = ""
      #expect(found == expected && found != nil, "\(id) \(value)")
    }
  }
}
