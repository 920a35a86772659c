import CalendarModel
import CivilTime
import JSON
import TestSupport
import Testing

@testable import ICalendar

/// Reads jCal, where only installed zones are known.
private func readJCal(_ text: String) throws -> CalendarReading {
  try ICalendar.readJCal(
    Array(text.utf8), calendar: CalendarID("tests"), zones: FixedZones.shared)
}

/// A calendar of some components.
private func jCalText(_ components: String...) -> String {
  #"["vcalendar",[["version",{},"text","2.0"]],["# + components.joined(separator: ",") + "]]"
}

@Suite struct `The jCal reader` {
  /// Lines of an event come back as they were after a way through jCal.
  @Test(arguments: [
    "DTSTART;TZID=Europe/Berlin:20240705T100000", "DTEND;VALUE=DATE:20240706",
    #"SUMMARY;LANGUAGE=en:a\, b\; c\\d\n"e""#, #"CATEGORIES:one,two\,three"#,
    "GEO:37.386013;-122.082932", #"REQUEST-STATUS:2.0;Suc\;cess;x"#,
    "RRULE:FREQ=YEARLY;COUNT=5;BYDAY=-1SU,MO;BYMONTH=10",
    "RRULE:FREQ=DAILY;UNTIL=20240801T000000Z", "RRULE:FREQ=DAILY;UNTIL=20240801",
    "RDATE;VALUE=PERIOD:20240706T100000Z/PT1H,20240707T100000Z/20240707T110000Z",
    "EXDATE;VALUE=DATE:20240706,20240708",
    #"ATTENDEE;DELEGATED-TO="mailto:b@c","mailto:d@e";CN=A^nB;RSVP=TRUE:mailto:a@b"#,
    #"ATTENDEE;CN="Doe, John":mailto:a@b"#, "PRIORITY:5",
    "ATTACH;ENCODING=BASE64;VALUE=BINARY:aGVsbG8=", "ATTACH;FMTTYPE=a/b:https://a/b?c=1,2;3",
    "X-FLAG;VALUE=BOOLEAN:TRUE", #"X-MINE;X-P=1:a\,b;c"#, "X-TEXT;VALUE=TEXT:a", "PRIORITY:high",
    "X-OFF;VALUE=UTC-OFFSET:-0330", "X-T;VALUE=TIME:093000", "X-NUMBER;VALUE=FLOAT:1.5",
    "COMMENT:a\ttab", "DURATION:PT1H30M", "X-EMPTY:",
    "CONFERENCE;FEATURE=AUDIO,VIDEO;LABEL=Room 1;VALUE=URI:https://a.example/r",
    "CONFERENCE;FEATURE=PHONE;VALUE=URI:tel:+49-30-1", "CONFERENCE:https://a.example/r",
    "IMAGE;DISPLAY=BADGE,THUMBNAIL;VALUE=URI:https://a.example/i.png",
    "REFRESH-INTERVAL;VALUE=DURATION:P1W", "REFRESH-INTERVAL:P1W",
  ])
  func `a line comes back as it was`(line: String) throws {
    let component = Component(octetsOf: line)
    let property = component.jCalProperty(component.lines[0])
    let again = try JSONReader.value(of: JSONWriter.text(of: property), maximumOctets: 1000)
    #expect(try again.contentLine.get() == line)
  }

  @Test func `several calendars, and an alarm in an event, are read`() throws {
    let event =
      #"["vevent",[["uid",{},"text","UID"],["dtstart",{},"date-time","2024-07-05T10:00:00Z"]],[["valarm",[["action",{},"text","DISPLAY"],["trigger",{},"duration","-PT5M"]],[]]]]"#
    let reading = try readJCal(
      "\u{FEFF}[\(jCalText(event)), 1, \(jCalText(event.replacing("UID", with: "other")))]\n")
    #expect(reading.series.map(\.uid.text) == ["UID", "other"])
    #expect(reading.series[0].components[0].alarms.count == 1)
    #expect(reading.problems == [])
  }

  @Test(arguments: [
    (#"["uid",{},"text"]"#, "array of a name"), (#"["be gin",{},"text","a"]"#, "no name"),
    (#"["begin",{},"unknown","VALARM"]"#, "no name"), (#"["x",{"a:b":"c"},"text","a"]"#, "no name"),
    (#"["x",{"a":1},"text","a"]"#, "has to be a text"), (#"["x",{},"te xt","a"]"#, "no type"),
    (#"["x",{},"unknown","a\nUID:other"]"#, "control character"), (#"["x",{},"uri",null]"#, "none"),
    (#"["rrule",{},"recur",{"freq":"DAILY","x y":1}]"#, "no part of a rule"),
    (#"["rdate",{},"period",["2024-07-05T10:00:00Z"]]"#, "a start and an end"), ("7", "array"),
  ])
  func `a property that is none costs its event and no other`(
    property: String, words: String
  ) throws {
    let start = #"["dtstart",{},"date-time","2024-07-05T10:00:00Z"]"#
    let reading = try readJCal(
      jCalText(
        #"["vevent",[["uid",{},"text","bad"],\#(start),"# + "\n\(property)],[]]",
        #"["vevent",[["uid",{},"text","good"],\#(start)],[]]"#))
    #expect(reading.series.map(\.uid.text) == ["good"])
    #expect(reading.skipped == 1)
    let problem = try #require(reading.problems.first)
    #expect(problem.text.contains(words), "\(problem)")
    #expect((problem.line, problem.column, problem.uid, problem.word) == (2, 1, "bad", "bad-jcal"))
    #expect(problem.severity == .refused)
  }

  @Test func `what the reader of iCalendar finds is told by its place in the JSON`() throws {
    let reading = try readJCal(
      "[\"vcalendar\",[],[\n [\"vevent\",[[\"uid\",{},\"text\",\"a\"],\n"
        + "  [\"dtstart\",{},\"date-time\",\"2024-02-30T10:00:00Z\"]],[]]]]")
    #expect(reading.series.isEmpty && reading.skipped == 1)
    let problem = try #require(reading.problems.first)
    #expect((problem.line, problem.column) == (3, 3), "\(problem)")
  }

  @Test(arguments: [
    ("{\"a\":1}", "not-jcal", 1, 1), ("[]", "not-jcal", 1, 1),
    ("[\"vevent\",[],[]]", "not-jcal", 1, 1),
    ("[\"vcalendar\",[],\n[}]", "bad-json", 2, 2), ("[\"vcalendar\",[],[]] x", "bad-json", 1, 21),
    ("[\"vcalendar\"", "bad-json", 1, 13),
  ])
  func `what is no jCal is refused with its place`(
    text: String, word: String, line: Int, column: Int
  ) throws {
    let error = try #require(throws: CalendarTextError.self) { _ = try readJCal(text) }
    #expect((error.word, error.line, error.column) == (word, line, column), "\(error)")
  }

  @Test func `components without end are refused and not followed`() throws {
    let deep = String(repeating: #"["vevent",[],["#, count: 100_000)
    let error = try #require(throws: CalendarTextError.self) {
      _ = try readJCal(#"["vcalendar",[],["# + deep)
    }
    #expect(error.text.contains("deeper"), "\(error)")
  }
}

extension Component {
  /// A component of one line.
  fileprivate init(octetsOf line: String) {
    self.init()
    octets = Array(line.utf8)
    if let content = ContentLine(octets, 0..<octets.count, number: 1) { lines = [content] }
  }
}
