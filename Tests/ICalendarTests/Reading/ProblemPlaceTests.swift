import CalendarModel
import TestSupport
import Testing

@testable import ICalendar

/// Where each problem stands: "line:column word | text".
private func places(_ octets: [UInt8], limits: ReadLimits = ReadLimits()) throws -> [String] {
  try readCalendar(
    octets, calendar: CalendarID("tests"), zones: FixedZones.shared, limits: limits
  ).problems.map { "\($0.line):\($0.column) \($0.word) | \($0.text)" }
}

private func places(_ text: String, limits: ReadLimits = ReadLimits()) throws -> [String] {
  try places(Array(text.utf8), limits: limits)
}

private let head = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20240105T100000Z\n"
private let foot = "END:VEVENT\nEND:VCALENDAR\n"

@Suite struct `Places of problems` {
  @Test func `a control character has its line, also behind a fold, and its property`() throws {
    #expect(
      try places(head + "SUMMARY:a\n b\n c\u{7}\nLOCATION:\u{1}\n" + foot) == [
        "5:12 control-character | SUMMARY: control characters were left out"
      ])
  }

  @Test func `octets that are no UTF-8 have their line and their property`() throws {
    let text = Array((head + "LOCATION:äh\nSUMMARY:Stra").utf8) + [0xDF] + Array("e\n\(foot)".utf8)
    #expect(
      try places(text) == [
        "6:13 bad-encoding | SUMMARY: some of it is not UTF-8; it was read by its CHARSET, else "
          + "as Windows-1252 if nothing in the line is UTF-8, else with U+FFFD for broken bytes"
      ])
  }

  // Found by the fuzzer: such text is all ASCII, so that no octet of it is the first that is no UTF-8.
  @Test func `text in a set that nobody knows is told where it would go to that`() throws {
    #expect(
      try places(head + "SUMMARY;CHARSET=ISO-2022-15:a\u{1B}$B\n" + foot) == [
        "5:30 control-character | SUMMARY: control characters were left out",
        "5:30 unknown-charset | SUMMARY: its CHARSET is unknown or wrong, so that its text is wrong",
      ])
  }

  @Test func `a property of the calendar itself is told as well`() throws {
    let text =
      Array("BEGIN:VCALENDAR\nX-WR-CALNAME:B".utf8) + [0xFC] + Array("ro\nEND:VCALENDAR\n".utf8)
    #expect(
      try places(text) == [
        "2:15 bad-encoding | X-WR-CALNAME: some of it is not UTF-8; it was read by its CHARSET, else "
          + "as Windows-1252 if nothing in the line is UTF-8, else with U+FFFD for broken bytes"
      ])
  }

  @Test func `a line that is too long ends at the limit, and is named`() throws {
    var limits = ReadLimits()
    limits.maximumLineOctets = 50
    let long = String(repeating: "x", count: 60)
    for broken in [long, long.prefix(40) + "\n " + long.prefix(20)] {
      #expect(
        try places(head + "SUMMARY;LANGUAGE=en:\(broken)\n" + foot, limits: limits) == [
          "5:51 line-too-long | SUMMARY: the line has more than 50 bytes"
        ])
    }
    #expect(
      try places("BEGIN:VCALENDAR\nX-A:\(long)\nEND:VCALENDAR\n", limits: limits) == [
        "2:51 line-too-long | X-A: the line has more than 50 bytes"
      ])
  }

  @Test func `a line that is none is told with the property that it is joined to`() throws {
    #expect(
      try places(head + "SUMMARY:a\nb c\n" + foot) == [
        "6:1 bad-syntax | SUMMARY: the line is not a content line; it was joined to the one before it"
      ])
    #expect(
      try places("BEGIN:VCALENDAR\nBEGIN:VEVENT\n???\nUID:a\nDTSTART:20240105\n" + foot).first
        == "3:1 bad-syntax | VEVENT: the line is not a content line; it is ignored")
  }

  @Test func `what a calendar says of itself is told at its value`() throws {
    #expect(
      try places(
        "BEGIN:VCALENDAR\nMETHOD:REQUEST\nX-WR-TIMEZONE:Nowhere\nBEGIN:X-THING\nUID:a\n"
          + "END:X-THING\nEND:VCALENDAR\n"
      ) == [
        "2:8 method-ignored | METHOD REQUEST: its events are read as they are",
        "3:15 unknown-zone | X-WR-TIMEZONE: no zone \"Nowhere\" is installed",
        "4:7 unsupported-component | X-THING is not used, but kept for an export",
      ])
  }

  @Test func `a length without a number is told at its value`() throws {
    let none = "has no number; it is read as 0"
    func alarm(_ lines: String) -> String { "BEGIN:VALARM\nACTION:DISPLAY\n\(lines)END:VALARM\n" }
    #expect(
      try places(
        head + "DURATION:PT\n" + alarm("TRIGGER;RELATED=END:-P\nDURATION:PT\n")
          + alarm("TRIGGER:PT0S\nREPEAT:1\nDURATION:PT\n") + foot) == [
          "8:21 bad-duration | TRIGGER: \"-P\" \(none)",
          "9:10 bad-duration | DURATION: \"PT\" \(none)",
          "14:8 repeat-without-duration | REPEAT: the number is 1, but DURATION has no length: the alarm "
            + "fires once",
          "5:10 bad-duration | DURATION: \"PT\" \(none)",
        ])
  }

  @Test func `an event too dense to ring is told at its rule`() throws {
    let alarm = "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT5M\nEND:VALARM\n"
    let found = try places(head + alarm + "RRULE:FREQ=SECONDLY\n" + foot)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("9:7 too-dense-to-ring | RRULE: ") == true)
  }

  /// A VTIMEZONE whose sixth line is folded.
  private static func zone(_ offset: String) -> String {
    "BEGIN:VTIMEZONE\nTZID:Odd\nBEGIN:STANDARD\nDTSTART:20070101T000000\n"
      + "TZOFFSETFROM:+0100\nX-LONG:\(String(repeating: "x", count: 60))\n \(String(repeating: "y", count: 100))\n"
      + "TZOFFSETTO:\(offset)\nEND:STANDARD\nEND:VTIMEZONE\n"
  }

  // It stands before the event, behind it, and where an earlier line was folded otherwise.
  @Test func `a zone that cannot be read is told at the line at fault`() throws {
    let event = "BEGIN:VEVENT\nUID:a\nDTSTART;TZID=Odd:20240105T100000\nEND:VEVENT\n"
    for (text, line) in [
      ("BEGIN:VCALENDAR\n" + Self.zone("+9900") + event, 9),
      ("BEGIN:VCALENDAR\n" + event + Self.zone("+9900"), 13),
    ] {
      let found = try places(text + "END:VCALENDAR\n").filter { $0.contains("bad-zone") }
      #expect(found.count == 1)
      #expect(
        found.first?.hasPrefix("\(line):12 bad-zone | VTIMEZONE \"Odd\": TZOFFSETTO: ") == true,
        "\(found)")
    }
  }

  @Test func `what vCalendar has and we do not is told at its line`() throws {
    let found = try places(
      "BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VEVENT\nUID:a\nDTSTART:20240105T100000Z\n"
        + "PALARM:20240105T094500Z;;;run\n" + foot)
    #expect(
      found.map { String($0.prefix { $0 != "|" }) } == [
        "2:9 vcalendar-1.0 ", "6:1 vcalendar-alarm ",
      ])
  }
}
