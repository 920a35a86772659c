import CalendarModel
import CivilTime
import JSON
import TestSupport
import Testing

@testable import ICalendar

@Suite struct `jCal` {
  /// The properties of the only event of a file, as JSON.
  private func properties(_ lines: String...) throws -> [String: String] {
    let text =
      (["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:a", "DTSTAMP:20240101T000000Z"]
      + lines + ["END:VEVENT", "END:VCALENDAR"]).joined(separator: "\r\n")
    let reading = try read(text)
    let file = try JSONReader.value(
      of: written(reading.series, as: .json, zones: FixedZones.shared), maximumOctets: 1 << 20)
    let event = try #require(file[2]?.arrayValue?.last)
    #expect(event[0] == "vevent")
    var found: [String: String] = [:]
    for property in event[1]?.arrayValue ?? [] {
      found[property[0]?.stringValue ?? ""] = JSONWriter.text(of: property)
    }
    return found
  }

  @Test func `a calendar is an array of name, properties and components`() throws {
    let head = CalendarWriter.Head(
      name: "Work", color: EventColor(red: 0xff, green: 0, blue: 0))
    #expect(
      String(
        decoding: written([], as: .json, zones: FixedZones.shared, head: head), as: UTF8.self)
        == #"["vcalendar",[["version",{},"text","2.0"],"#
        + #"["prodid",{},"text","-//Datebook//Datebook 1//EN"],["name",{},"text","Work"],"#
        + #"["x-wr-calname",{},"text","Work"],["color",{},"text","red"],"#
        + ##"["x-apple-calendar-color",{},"text","#FF0000"]],[]]"## + "\n")
  }

  /// Source: RFC 7265 sections 3.4 to 3.6, whose examples these are, or like them.
  @Test(arguments: [
    (
      "DTSTART;TZID=Europe/Berlin:20240705T100000", "dtstart",
      #"["dtstart",{"tzid":"Europe/Berlin"},"date-time","2024-07-05T10:00:00"]"#
    ),
    ("DTEND;VALUE=DATE:20240706", "dtend", #"["dtend",{},"date","2024-07-06"]"#),
    (
      "CREATED:20240101T000000Z", "created",
      #"["created",{},"date-time","2024-01-01T00:00:00Z"]"#
    ),
    (#"SUMMARY:a\, b\n"c""#, "summary", #"["summary",{},"text","a, b\n\"c\""]"#),
    (#"CATEGORIES:one,two\,three"#, "categories", #"["categories",{},"text","one","two,three"]"#),
    ("GEO:37.386013;-122.082932", "geo", #"["geo",{},"float",[37.386013,-122.082932]]"#),
    (
      "REQUEST-STATUS:2.0;Success", "request-status",
      #"["request-status",{},"text",["2.0","Success"]]"#
    ),
    (
      "RRULE:FREQ=YEARLY;COUNT=5;BYDAY=-1SU,MO;BYMONTH=10", "rrule",
      #"["rrule",{},"recur",{"freq":"YEARLY","count":5,"byday":["-1SU","MO"],"bymonth":10}]"#
    ),
    (
      "RRULE:FREQ=DAILY;UNTIL=20240801T000000Z", "rrule",
      #"["rrule",{},"recur",{"freq":"DAILY","until":"2024-08-01T00:00:00Z"}]"#
    ),
    (
      "RDATE;VALUE=PERIOD:20240706T100000Z/PT1H,20240707T100000Z/20240707T110000Z", "rdate",
      #"["rdate",{},"period",["2024-07-06T10:00:00Z","PT1H"],"#
        + #"["2024-07-07T10:00:00Z","2024-07-07T11:00:00Z"]]"#
    ),
    (
      #"ATTENDEE;DELEGATED-TO="mailto:b@c","mailto:d@e";CN=A^nB;RSVP=TRUE:mailto:a@b"#, "attendee",
      #"["attendee",{"delegated-to":["mailto:b@c","mailto:d@e"],"cn":"A\nB","rsvp":"TRUE"},"#
        + #""cal-address","mailto:a@b"]"#
    ),
    // Source: RFC 7986 section 5.11.
    (
      "CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO:https://a.example/r", "conference",
      #"["conference",{"feature":["AUDIO","VIDEO"]},"uri","https://a.example/r"]"#
    ),
    (
      #"CONFERENCE;VALUE=URI;FEATURE="AUDIO","VIDEO":https://a.example/r"#, "conference",
      #"["conference",{"feature":["AUDIO","VIDEO"]},"uri","https://a.example/r"]"#
    ),
    // Each value may stand in quotes or not: RFC 5545 section 3.1.
    (
      #"CONFERENCE;VALUE=URI;FEATURE="AUDIO",VIDEO:https://a.example/r"#, "conference",
      #"["conference",{"feature":["AUDIO","VIDEO"]},"uri","https://a.example/r"]"#
    ),
    (
      #"CONFERENCE;VALUE=URI;FEATURE=AUDIO,"VIDEO":https://a.example/r"#, "conference",
      #"["conference",{"feature":["AUDIO","VIDEO"]},"uri","https://a.example/r"]"#
    ),
    (
      #"X-MINE;X-P="a,1",b,"c",d,"f":1"#, "x-mine",
      #"["x-mine",{"x-p":["a,1","b","c","d","f"]},"unknown","1"]"#
    ),
    (#"X-MINE;X-P=c,"e",d:1"#, "x-mine", #"["x-mine",{"x-p":["c","e","d"]},"unknown","1"]"#),
    (#"X-MINE;X-P=Doe, John:1"#, "x-mine", #"["x-mine",{"x-p":"Doe, John"},"unknown","1"]"#),
    (
      "X-D;VALUE=DATE:20260101,20260102", "x-d", #"["x-d",{},"date","2026-01-01","2026-01-02"]"#
    ),
    ("X-INT;VALUE=INTEGER:5,6", "x-int", #"["x-int",{},"integer",5,6]"#),
    ("X-TEXT;VALUE=TEXT:a,b", "x-text", #"["x-text",{},"text","a,b"]"#),
    ("PRIORITY:5", "priority", #"["priority",{},"integer",5]"#),
    (
      "ATTACH;VALUE=BINARY;ENCODING=BASE64:aGVsbG8=", "attach",
      #"["attach",{},"binary","aGVsbG8="]"#
    ),
    ("X-FLAG;VALUE=BOOLEAN:TRUE", "x-flag", #"["x-flag",{},"boolean",true]"#),
    (
      #"X-MINE;X-P=1:a\,b;c"#, "x-mine", #"["x-mine",{"x-p":"1"},"unknown","a\\,b;c"]"#
    ),
    ("PRIORITY:high", "priority", #"["priority",{},"unknown","high"]"#),
    ("X-OFF;VALUE=UTC-OFFSET:-0330", "x-off", #"["x-off",{},"utc-offset","-03:30"]"#),
    ("X-T;VALUE=TIME:093000", "x-t", #"["x-t",{},"time","09:30:00"]"#),
  ])
  func `a property has its parameters, its type and its values`(
    line: String, name: String, expected: String
  ) throws {
    let start = line.hasPrefix("DTSTART") ? "X-NONE:1" : "DTSTART:20240705T100000Z"
    #expect(try properties(start, line)[name] == expected)
  }

  @Test func `an alarm is a component of its event`() throws {
    let reading = try read(
      calendar(
        "UID:a", "DTSTAMP:20240101T000000Z", "DTSTART:20240705T100000Z", "BEGIN:VALARM",
        "ACTION:DISPLAY", "TRIGGER:-PT15M", "DESCRIPTION:x", "END:VALARM"))
    let file = try JSONReader.value(
      of: written(reading.series, as: .json, zones: FixedZones.shared), maximumOctets: 1 << 20)
    #expect(
      file[2]?[0]?[2].map { JSONWriter.text(of: $0) }
        == #"[["valarm",[["action",{},"text","DISPLAY"],["trigger",{},"duration","-PT15M"],"#
        + #"["description",{},"text","x"]],[]]]"#)
  }

  @Test(arguments: ["nan;1", "1;inf", "1;2;3", "x"])
  func `a place that is none stays text`(_ value: String) throws {
    #expect(
      try properties("DTSTART:20240705T100000", "GEO:\(value)")["geo"]
        == "[\"geo\",{},\"unknown\",\"\(value)\"]")
  }

  // Zimbra writes them so.
  @Test func `a quote with a backslash in a parameter is a quote`() throws {
    let found = try properties(#"DTSTART:20240705T100000"#, #"ATTENDEE;CN="A \"B\" C":mailto:a@b"#)
    #expect(
      found["attendee"] == #"["attendee",{"cn":"A \"B\" C"},"cal-address","mailto:a@b"]"#)
  }
}
