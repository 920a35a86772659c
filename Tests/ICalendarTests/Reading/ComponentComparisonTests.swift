import Testing

@testable import ICalendar

@Suite struct `Two components that say the same` {
  private func event(_ lines: String...) -> String {
    (["BEGIN:VEVENT", "UID:a"] + lines + ["END:VEVENT", ""]).joined(separator: "\r\n")
  }

  @Test(arguments: [
    (
      #"DTSTART;TZID="Europe/Berlin":20261121T090000"#, "DTSTART;TZID=Europe/Berlin:20261121T090000"
    ),
    ("DTSTART;VALUE=DATE-TIME:20261121T090000Z", "DTSTART:20261121T090000Z"),
    ("URL;VALUE=URI:https://example.org", "URL:https://example.org"),
    (#"SUMMARY:a\; b"#, "SUMMARY:a; b"),
    (#"SUMMARY:a\Nb"#, #"SUMMARY:a\nb"#),
    ("DTSTAMP:20261121T090000Z\r\nSUMMARY:a", "SUMMARY:a\r\nDTSTAMP:20261122T090000Z"),
    ("DTSTART;VALUE=DATE:20261210T000000", "DTSTART;VALUE=DATE:20261210"),
    (
      "BEGIN:VALARM\r\nTRIGGER;VALUE=DURATION:-PT5M\r\nEND:VALARM",
      "BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM"
    ),
  ])
  func `they differ in how they write it`(first: String, second: String) {
    #expect(saySame(event(first), event(second)))
    #expect(saySame(event(second), event(first)))
  }

  @Test(arguments: [
    ("SUMMARY:a", "SUMMARY:b"), ("SUMMARY:a", "LOCATION:a"),
    ("SUMMARY:a", "SUMMARY:a\r\nCLASS:PUBLIC"),
    ("DTSTART:20261121T090000Z", "DTSTART:20261121T090000"),
    ("DTSTART;TZID=Europe/Berlin:20261121T090000", "DTSTART;TZID=Europe/Paris:20261121T090000"),
    ("X-A:a\\;b", "X-A:a;b"), ("DTSTART;VALUE=DATE:20261210", "DTSTART:20261210T000000"),
    ("BEGIN:VALARM\r\nEND:VALARM", "BEGIN:X-ALARM\r\nEND:X-ALARM"),
    ("RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=DAILY;COUNT=4"),
  ])
  func `what says something else is not the same`(first: String, second: String) {
    #expect(!saySame(event(first), event(second)))
    #expect(!saySame(event(second), event(first)))
    #expect(saySame(event(first), event(first)))
  }

  @Test func `what is no component is the same as itself alone`() {
    #expect(saySame("", ""))
    #expect(!saySame("", event()))
    #expect(!saySame("END:VEVENT\r\n", event()))
  }
}
