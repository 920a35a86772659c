internal import Glibc
import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import ICalendar

/// The files of Corpus, each with its reading beside it. To accept readings that
/// changed, run the tests once with DATEBOOK_REWRITE=1 and look at the
/// difference.
private let corpus = testsDirectory + "/ICalendarTests/Corpus/"

private let corpusFiles = [
  "alarms", "bad-events", "bad-rule", "bad-utf8", "broken-lines", "byte-order-mark", "calendars",
  "charsets", "components", "control-characters", "cut", "departures", "empty", "fields", "folds",
  "folds-everywhere", "from-apple", "from-exchange", "from-fastmail", "from-google", "from-khal",
  "from-nextcloud", "from-outlook", "from-thunderbird", "hostile", "iana-component", "latin1",
  "line-ends-cr", "line-ends-lf", "line-ends-mixed", "missing-uid", "nesting", "no-calendar",
  "overrides", "parameters", "rdate-bomb", "recurrence", "rfc7986", "rfc9073", "rfc9074", "text",
  "times", "todos", "unknown-properties", "utf16", "utf16-big", "vcalendar", "version-1",
  "version-2", "versions", "zones",
]

@Suite struct `Reading calendars` {
  @Test(arguments: corpusFiles)
  func `a file of the corpus is read as the text beside it says`(_ name: String) throws {
    let text = try #require(readFile(corpus + name + ".ics"))
    try expect(readingText(try read(text)), in: name)
  }

  private func expect(_ found: String, in name: String) throws {
    let path = corpus + name + ".txt"
    if getenv("DATEBOOK_REWRITE") != nil {
      let file = try #require(fopen(path, "w"))
      fputs(found, file)
      fclose(file)
    }
    let expected = String(decoding: readFile(path) ?? [], as: UTF8.self)
    #expect(found == expected)
  }

  @Test func `every file of the corpus is in the list, and in its table of branches`() throws {
    let names = files(corpus).map { String($0.dropFirst(corpus.utf8.count).dropLast(4)) }.sorted()
    #expect(names == corpusFiles)
    let table = String(decoding: readFile(corpus + "README.md") ?? [], as: UTF8.self)
    for name in names { #expect(table.contains("`\(name)`"), "\(name)") }
  }

  @Test(arguments: corpusFiles)
  func `what was read and written is read as the same again`(_ name: String) throws {
    let first = try read(try #require(readFile(corpus + name + ".ics")))
    for event in first.series.flatMap(\.components) {
      let written = writeComponent(event)
      // Nothing was changed, so that every line stays as it came.
      #expect(written == event.component)
      for line in written.utf8.split(separator: 0x0A) { #expect(line.count <= 76) }
    }
    let zones = CustomZones(first.customZones)
    let whole = writeCalendar(first.series, zones: zones, custom: first.customZones)
    let second = try readCalendar(
      Array(whole.utf8), calendar: CalendarID("tests"), zones: FixedZones.shared)
    // What had no DTSTAMP has one now.
    func components(_ reading: CalendarReading) -> [Event] {
      reading.series.flatMap(\.components).map { event in
        var event = event
        event.component = ""
        return event
      }
    }
    #expect(components(second) == components(first))
    #expect(second.customZones.map(\.id) == first.customZones.map(\.id))
    let again = writeCalendar(
      second.series, zones: CustomZones(second.customZones), custom: second.customZones)
    #expect(again == whole)
  }

  @Test(arguments: [
    ("", "the text is empty"), ("\r\n\n \t\r", "the text is empty"),
    ("<!DOCTYPE html><html></html>", "web page"), ("[\"vcalendar\",[],[]]", "JSON"),
    ("\u{0}\u{1}\u{2}", "no line says BEGIN:VCALENDAR"),
    ("just words", "no line says BEGIN:VCALENDAR"),
  ])
  func `text that is no calendar is refused`(_ text: String, _ reason: String) {
    let error = #expect(throws: CalendarTextError.self) { try read(text) }
    #expect(error?.word == "not-icalendar")
    #expect(error?.description.contains(reason) == true)
  }

  @Test func `X-WR-TIMEZONE counts wherever it stands in its calendar, and nowhere else`() throws {
    func event(_ uid: String) -> String {
      "BEGIN:VEVENT\r\nUID:\(uid)\r\nDTSTART:20240105T100000\r\nEND:VEVENT\r\n"
    }
    let calendars = [
      event("a") + "X-WR-TIMEZONE:Europe/Berlin\r\n", event("b"),
      "X-WR-TIMEZONE:Asia/Tokyo\r\n" + event("c"),
    ]
    let reading = try read(
      calendars.map { "BEGIN:VCALENDAR\r\n\($0)END:VCALENDAR\r\n" }.joined())
    #expect(
      reading.series.map { $0.master?.start.zoneName } == ["Europe/Berlin", nil, "Asia/Tokyo"])
    #expect(reading.problems.map(\.word) == ["floating-in-zone"])
  }

  @Test func `an empty UID is filled, so that the kept text has one`() throws {
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:\r\nDTSTAMP:20260101T000000Z\r\n"
      + "DTSTART:20261121T090000Z\r\nSUMMARY:a\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    let event = try #require(read(Array(text.utf8)).series.first?.components.first)
    let lines = event.component.split(whereSeparator: \.isNewline)
    #expect(lines.filter { $0.hasPrefix("UID") } == ["UID:\(event.uid.text)"])
  }

  @Test func `the first https address of CONFERENCE is read, and all of them are kept`() throws {
    let lines =
      "CONFERENCE;VALUE=URI;FEATURE=PHONE:tel:+49-30-1\r\n"
      + "CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO:HTTPS://example.org/r/7\r\n"
      + "CONFERENCE;VALUE=URI:https://example.org/r/8\r\n"
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\n"
      + "DTSTART:20261121T090000Z\r\n\(lines)END:VEVENT\r\nEND:VCALENDAR\r\n"
    let reading = try read(Array(text.utf8))
    let event = try #require(reading.series.first?.components.first)
    #expect(event.conference == "HTTPS://example.org/r/7")
    #expect(event.joinURL == event.conference)
    #expect(event.component.contains(lines))
    #expect(reading.problems.isEmpty)
  }

  @Test(arguments: [
    // Source: RFC 7986 section 6.3.
    (["CONFERENCE;VALUE=URI;FEATURE=CHAT:https://chat.example/1"], ""),
    (["CONFERENCE;VALUE=URI;FEATURE=chat,FEED:https://chat.example/1"], ""),
    (
      [
        "CONFERENCE;VALUE=URI;FEATURE=FEED:https://feed.example/1",
        "CONFERENCE;VALUE=URI;FEATURE=CHAT,VIDEO:https://meet.example/2",
      ], "https://meet.example/2"
    ),
    (
      [#"CONFERENCE;VALUE=URI;FEATURE="CHAT","SCREEN":https://meet.example/3"#],
      "https://meet.example/3"
    ),
    (["CONFERENCE;VALUE=URI;FEATURE=X-OWN:https://meet.example/4"], "https://meet.example/4"),
    (["X-GOOGLE-CONFERENCE:https://meet.example/5"], "https://meet.example/5"),
    (
      ["X-MICROSOFT-SKYPETEAMSMEETINGURL:https://meet.example/6?a=1\\,2"],
      "https://meet.example/6?a=1,2"
    ),
    (["x-microsoft-onlinemeetingexternallink:https://meet.example/7"], "https://meet.example/7"),
    (
      [
        #"X-MICROSOFT-ONLINEMEETINGCONFLINK:conf:sip:ana@example.org\;gruu"#,
        "X-MICROSOFT-ONLINEMEETINGCONFLINK:https://meet.example/8",
      ], "https://meet.example/8"
    ),
    (
      [
        "X-GOOGLE-CONFERENCE:https://mark.example/9",
        "CONFERENCE;VALUE=URI;FEATURE=VIDEO:https://meet.example/9",
      ], "https://meet.example/9"
    ),
    (
      [
        "CONFERENCE;VALUE=URI;FEATURE=CHAT:https://chat.example/10",
        "X-GOOGLE-CONFERENCE:https://mark.example/10",
      ], "https://mark.example/10"
    ),
    (["X-GOOGLE-CONFERENCE:http://meet.example/11"], ""),
    ([#"X-GOOGLE-CONFERENCE:https://meet.example/12\nBye"#], ""),
    (["X-GOOGLE-CONFERENCE-ID:https://meet.example/13"], ""),
  ])
  func `where a meeting is joined is marked by CONFERENCE and by other programs`(
    lines: [String], address: String
  ) throws {
    let reading = try read(
      calendar("UID:a", "DTSTART:20261121T090000Z", lines.joined(separator: "\r\n")))
    let event = try #require(reading.series.first?.master)
    #expect(event.joinURL == address)
    #expect(reading.problems.isEmpty)
  }

  @Test func `an event without UID gets the same one each time`() throws {
    let text = calendar("DTSTART:20240105T100000Z", "SUMMARY:anonymous")
    let (first, second) = (try read(text), try read(text))
    #expect(first.series[0].uid == second.series[0].uid)
    #expect(first.series[0].master?.component.contains("UID:datebook-") == true)
  }

  @Test func `a reading is the same whatever ends the lines`() throws {
    let octets = try #require(readFile(corpus + "recurrence.ics"))
    let unix = String(decoding: octets.filter { $0 != 0x0D }, as: UTF8.self)
    #expect(readingText(try read(unix)) == readingText(try read(octets)))
  }
}

/// The kept zones with those of a file.
final class CustomZones: Zones {
  private let custom: [String: ZoneRules]

  init(_ zones: [CustomZone]) {
    custom = Dictionary(zones.map { ($0.id, $0.rules) }) { first, _ in first }
  }

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    if let rules = custom[name] { return rules }
    return try FixedZones.shared.rules(named: name)
  }
}
