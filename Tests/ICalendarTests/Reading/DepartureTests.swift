import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import ICalendar

private func event(_ uid: String, _ lines: String = "DTSTART:20240105T100000") -> String {
  "BEGIN:VEVENT\nUID:\(uid)\n\(lines)\nEND:VEVENT\n"
}

@Suite struct `Departures from iCalendar` {
  @Test func `a departure that half a file has is told once`() throws {
    let reading = try read(
      "BEGIN:VCALENDAR\nVERSION:2.0\n\((0..<50).map { event("\($0)", "DTSTART:20240105") }.joined())END:VCALENDAR\n"
    )
    #expect(reading.series.count == 50)
    #expect(reading.problems.map(\.line) == [5])
  }

  @Test func `X-WR-TIMEZONE holds for its own calendar alone`() throws {
    let reading = try read(
      "BEGIN:VCALENDAR\nX-WR-TIMEZONE:UTC\n\(event("a"))END:VCALENDAR\n"
        + "BEGIN:VCALENDAR\n\(event("b"))END:VCALENDAR\n"
        + "BEGIN:VCALENDAR\nX-WR-TIMEZONE:Mars/Base\n\(event("c"))END:VCALENDAR\n")
    let starts = reading.series.map { $0.components[0].start }
    let floating = EventTime.floating(try CivilDateTime(text: "2024-01-05T10:00:00"))
    #expect(starts[0] == .utc(try Timestamp(text: "2024-01-05T10:00:00Z")))
    #expect(starts[1...].allSatisfy { $0 == floating })
    #expect(reading.problems.map(\.word) == ["floating-in-zone", "unknown-zone"])
    #expect(reading.series[0].components[0].component.contains("DTSTART:20240105T100000Z"))
  }

  @Test func `VERSION holds for its own calendar alone`() throws {
    let lines = "DTSTART:20240105T100000\nRRULE:D1 #3"
    let reading = try read(
      "BEGIN:VCALENDAR\nVERSION:1.0\n\(event("a", lines))END:VCALENDAR\n"
        + "BEGIN:VCALENDAR\nVERSION:2.0\n\(event("b", lines))END:VCALENDAR\n")
    #expect(reading.problems.map(\.word) == ["vcalendar-1.0", "vcalendar-rule"])
  }

  @Test(arguments: [
    ("DTSTART:20240105T100000Z", "20240105T095959Z", true),
    ("DTSTART:20240105T100000Z", "20240105T100000Z", false),
    ("DTSTART;VALUE=DATE:20240105", "20240104", true),
    ("DTSTART;VALUE=DATE:20240105", "20240105", false),
    ("DTSTART;TZID=America/New_York:20240105T100000", "20240105T145959Z", true),
    ("DTSTART;TZID=America/New_York:20240105T100000", "20240105T150000Z", false),
  ])
  func `a rule that ends before its start is told`(start: String, until: String, isTold: Bool)
    throws
  {
    let reading = try read(calendar("UID:a", start, "RRULE:FREQ=DAILY;UNTIL=\(until)"))
    #expect(reading.series.count == 1)
    #expect(reading.problems.contains { $0.word == "ends-before-start" } == isTold)
  }

  /// - Parameters:
  ///   - head: lines of the VCALENDAR, before the event.
  ///   - local: the zone of the reader.
  private func rule(
    _ head: String, _ start: String, _ rule: String, local: String? = nil, tail: String = ""
  ) throws -> (rule: String, words: [String]) {
    let text =
      "BEGIN:VCALENDAR\nVERSION:2.0\n\(head)" + event("a", "\(start)\n\(rule)")
      + "\(tail)END:VCALENDAR\n"
    let reading = try readCalendar(
      Array(text.utf8), calendar: CalendarID("tests"), zones: FixedZones.shared,
      local: local.map { FixedZones.shared[$0] })
    let event = try #require(reading.series.first?.components.first)
    let rules = event.recurrence.rules + event.recurrence.exclusionRules
    let read = try #require(rules.first).text
    // What is kept is what was read.
    #expect(event.component.contains(read.split(separator: ";").last ?? "-"))
    return (read, reading.problems.map(\.word))
  }

  private static func zone(_ id: String) -> String {
    "BEGIN:VTIMEZONE\nTZID:\(id)\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:+0100\n"
      + "TZOFFSETTO:+0100\nEND:STANDARD\nEND:VTIMEZONE\n"
  }

  /// Exchange writes so the day in Berlin that begins then.
  @Test func `a series of days ends on the day that its UNTIL begins in the calendar's zone`()
    throws
  {
    let (start, ends) = ("DTSTART;VALUE=DATE:20261207", "UNTIL=20261210T230000Z")
    for head in [Self.zone("W. Europe Standard Time"), "X-WR-TIMEZONE:Europe/Berlin\n"] {
      for name in ["RRULE", "EXRULE"] {
        let found = try rule(head, start, "\(name):FREQ=DAILY;\(ends);INTERVAL=1")
        #expect(found.rule == "FREQ=DAILY;UNTIL=20261211")
        #expect(found.words == ["lenient-rrule"])
      }
    }
    let behind = try rule("", start, "RRULE:FREQ=DAILY;\(ends)", tail: Self.zone("Europe/Berlin"))
    #expect(behind.rule == "FREQ=DAILY;UNTIL=20261211")
    // A zone that nobody has installed, and the reader's own where the text has none.
    #expect(
      try rule(Self.zone("Office"), start, "RRULE:FREQ=DAILY;\(ends)").rule
        == "FREQ=DAILY;UNTIL=20261211")
    #expect(
      try rule("", start, "RRULE:FREQ=DAILY;\(ends)", local: "Europe/Berlin").rule
        == "FREQ=DAILY;UNTIL=20261211")
    // Midnight is skipped there, and the day begins at 01:00.
    #expect(
      try rule(
        "X-WR-TIMEZONE:America/Sao_Paulo\n", "DTSTART;VALUE=DATE:20181101",
        "RRULE:FREQ=YEARLY;UNTIL=20181104T030000Z"
      ).rule == "FREQ=YEARLY;UNTIL=20181104")
  }

  @Test func `an UNTIL in UTC that begins no day of the calendar's zone stays as it is`() throws {
    let start = "DTSTART;VALUE=DATE:20261207"
    let berlin = "X-WR-TIMEZONE:Europe/Berlin\n"
    for until in ["20261210T225959Z", "20261210T000000Z", "20261210T220000Z", "20261210"] {
      #expect(
        try rule(berlin, start, "RRULE:FREQ=DAILY;UNTIL=\(until)").rule
          == "FREQ=DAILY;UNTIL=\(until)")
    }
    let midnight = "FREQ=DAILY;UNTIL=20261210T230000Z"
    #expect(try rule("", start, "RRULE:\(midnight)").rule == midnight)
    // The zone of the calendar goes before the reader's own.
    #expect(
      try rule(
        "X-WR-TIMEZONE:America/New_York\n", start, "RRULE:\(midnight)", local: "Europe/Berlin"
      ).rule == midnight)
    #expect(
      try rule(berlin, "DTSTART:20261207T080000Z", "RRULE:\(midnight)").rule == midnight)
  }

  @Test func `where an end cannot be read the length counts, if there is one`() throws {
    let reading = try read(
      calendar("UID:a", "DTSTART:20240105T100000Z", "DTEND:soon", "DURATION:PT2H"))
    #expect(reading.series.first?.master?.end == .duration(CalendarDuration(seconds: 7200)))
    #expect(reading.problems.contains { $0.word == "bad-date" && $0.severity == .tolerated })
  }

  @Test func `what was read is what is kept and given away`() throws {
    let reading = try read(
      calendar(
        "UID:a", "DTSTART:20240105T100000", "RRULE:W1 MO #3", "DTEND:20240105T090000",
        "SUMMARY;LANGUAGE=de;ENCODING=QUOTED-PRINTABLE:Gr=C3=BC=C3=9Fe"))
    let lines = try #require(reading.series.first?.master?.component).split(separator: "\r\n")
    #expect(
      lines[2...] == [
        "DTSTART:20240105T100000", "RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=MO", "DTEND:20240105T100000",
        "SUMMARY;LANGUAGE=de:Grüße", "END:VEVENT",
      ])
  }

  @Test func `a person keeps the other parameters of a line without mailto`() throws {
    let reading = try read(
      calendar("UID:a", "DTSTART:20240105T100000Z", "ATTENDEE;RSVP=TRUE:ann@example.com"))
    var event = try #require(reading.series.first?.master)
    event.attendees[0].participation = "accepted"
    #expect(
      writeComponent(event).contains(
        "ATTENDEE;RSVP=TRUE;PARTSTAT=ACCEPTED:mailto:ann@example.com\r\n"))
  }

  @Test func `a name with a comma in no quotes is read whole, and told once`() throws {
    let reading = try read(
      calendar(
        "UID:a", "DTSTART:20240105T100000Z", "ORGANIZER;CN=Doe, Ann:mailto:a@x",
        "ATTENDEE;CN=Doe, Ann;RSVP=TRUE:mailto:a@x", #"ATTENDEE;CN="Roe, Bo":mailto:b@x"#))
    let event = try #require(reading.series.first?.master)
    #expect(event.organizer?.name == "Doe, Ann")
    #expect(event.attendees.map(\.name) == ["Doe, Ann", "Roe, Bo"])
    #expect(reading.problems.map(\.word) == ["unquoted-comma"])
  }

  @Test(arguments: [
    ("https://example.com/ann@x", "https://example.com/ann@x"), ("Ann <a@x>", "Ann <a@x>"),
    ("urn:uuid:1", "urn:uuid:1"), ("MailTo:a@x", "mailto:a@x"), ("", ""), ("Ann", "Ann"),
  ])
  func `only what is an address of mail is taken for one`(_ value: String, _ address: String)
    throws
  {
    let reading = try read(calendar("UID:a", "DTSTART:20240105T100000Z", "ORGANIZER:\(value)"))
    #expect(reading.series.first?.master?.organizer?.address == address)
    #expect(reading.problems.isEmpty)
  }

  @Test(arguments: [
    (#""John \"Jack\" Doe""#, #"John "Jack" Doe"#), (#""a;b:c \"x; y\" z""#, #"a;b:c "x; y" z"#),
    (#""C:\""#, #"C:\"#), (#""open"#, "open"),
  ])
  func `a quote with a backslash belongs to the value it stands in`(_ value: String, _ name: String)
    throws
  {
    let reading = try read(
      calendar("UID:a", "DTSTART:20240105T100000Z", "ORGANIZER;CN=\(value):mailto:a@x"))
    let organizer = try #require(reading.series.first?.master?.organizer)
    #expect(organizer.name == name)
    #expect(organizer.address == "mailto:a@x")
  }
}

@Suite struct `Quoted-printable text` {
  private func summary(_ lines: String) throws -> String? {
    try read(
      "BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VEVENT\nUID:a\nDTSTART:20240105T100000Z\n\(lines)\n"
        + "END:VEVENT\nEND:VCALENDAR\n"
    ).series.first?.master?.summary
  }

  @Test(arguments: [
    ("SUMMARY;ENCODING=QUOTED-PRINTABLE:a=0D=0Ab=0Ac=0Dd", "a\nb\nc\nd"),
    ("summary;encoding=quoted-printable;charset=utf-8:=c3=bc", "ü"),
    ("SUMMARY;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:=FC", "ü"),
    ("SUMMARY;ENCODING=QUOTED-PRINTABLE:=FC", "ü"),
    ("SUMMARY;ENCODING=QUOTED-PRINTABLE:one=\ntwo=\n three", "onetwo three"),
    ("SUMMARY;ENCODING=QUOTED-PRINTABLE:one=\n\ntwo:three", "one"),
    ("SUMMARY;ENCODING=QUOTED-PRINTABLE:a = b =3D =ZZ =", "a = b = =ZZ ="),
    ("SUMMARY;ENCODING=QUOTED-PRINTABLE:=00=07x", "x"),
    ("SUMMARY;ENCODING=8BIT:a=3D", "a=3D"), ("SUMMARY:a=", "a="),
    ("SUMMARY;X=\"QUOTED-PRINTABLE\":a=3D", "a=3D"),
  ])
  func `a text is decoded where it says that it is coded`(_ lines: String, _ text: String) throws {
    #expect(try summary(lines) == text)
  }

  @Test func `a break before the end of the component is none`() throws {
    #expect(try summary("SUMMARY;ENCODING=QUOTED-PRINTABLE:last=") == "last=")
  }

  @Test func `text that goes on for ever ends at the limit of a line`() throws {
    var limits = ReadLimits()
    limits.maximumLineOctets = 10_000
    let lines =
      "DESCRIPTION;ENCODING=QUOTED-PRINTABLE:" + String(repeating: "abc=\n", count: 5000)
    let reading = try read(
      "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:a\nDTSTART:20240105T100000Z\n\(lines)\n"
        + "END:VEVENT\nEND:VCALENDAR\n", limits: limits)
    #expect(reading.problems.map(\.word) == ["line-too-long"])
  }
}
