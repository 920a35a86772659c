import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import ICalendar

@Suite struct `vCalendar 1.0` {
  private func reading(_ lines: String..., kind: String = "VEVENT") throws -> CalendarReading {
    try read(
      (["BEGIN:VCALENDAR", "VERSION:1.0", "BEGIN:\(kind)", "UID:a"] + lines
        + ["END:\(kind)", "END:VCALENDAR"]).joined(separator: "\r\n"))
  }

  private func event(_ lines: String...) throws -> Event {
    let text =
      (["BEGIN:VCALENDAR", "VERSION:1.0", "BEGIN:VEVENT", "UID:a"] + lines
      + ["END:VEVENT", "END:VCALENDAR"]).joined(separator: "\r\n")
    return try #require(try read(text).series.first?.components.first)
  }

  // Found by the fuzzer: what was kept of it was read as another rule.
  @Test(arguments: [
    ("DTSTART:20240105T100000", "20241231T235959"),
    ("DTSTART:20240105T100000Z", "20241231T235959Z"),
    ("DTSTART;TZID=US-Eastern:20240105T100000", "20250101T045959Z"),
    ("DTSTART:20240105", "20241231"),
  ])
  func `a rule that ends on a day ends with it, on the clock of the start`(
    start: String, until: String
  ) throws {
    let event = try event(start, "RRULE:D1 20241231")
    #expect(event.component.contains("RRULE:FREQ=DAILY;UNTIL=\(until)\r\n"))
    #expect(writeComponent(event, zones: FixedZones.shared) == event.component)
    let again = try read("BEGIN:VCALENDAR\r\n\(event.component)END:VCALENDAR\r\n")
    #expect(again.series.first?.master?.component == event.component)
  }

  @Test func `an alarm on the clock of the start rings for each occurrence`() throws {
    let quarter = Alarm.Trigger.fromStart(CalendarDuration(seconds: -900))
    let floating = try event(
      "DTSTART:20240105T100000", "RRULE:D1 #5", "DALARM:20240105T094500;;;Soon\\; now, please")
    #expect(floating.alarms.map(\.trigger) == [quarter])
    #expect(floating.alarms.map(\.text) == ["Soon; now, please"])
    let utc = try event("DTSTART:20240105T100000Z", "AALARM:20240105T094500Z")
    #expect(utc.alarms.map(\.trigger) == [quarter])
    #expect(utc.alarms.map(\.action) == [.audio])
    let dayBefore = try event("DTSTART:20240105T100000", "DALARM:20240104T093000")
    #expect(
      dayBefore.alarms.map(\.trigger) == [.fromStart(CalendarDuration(days: -1, seconds: -1800))])
  }

  @Test func `an alarm on another clock than the start is an instant`() throws {
    let mixed = try event("DTSTART:20240105T100000", "DALARM:20240105T094500Z")
    #expect(
      mixed.alarms.map(\.trigger) == [.absolute(try Timestamp(text: "2024-01-05T09:45:00Z"))])
  }

  @Test func `an alarm of a to-do that is due is relative to that`() throws {
    let reading = try reading(
      "DUE:20240110T170000", "AALARM:20240110T160000", kind: "VTODO")
    let component = try #require(reading.series.first?.master?.component)
    #expect(component.contains("TRIGGER;RELATED=END:-PT1H\r\n"))
  }

  @Test func `an alarm by mail is one, and a program is told`() throws {
    let reading = try reading(
      "DTSTART:20240105T100000", "MALARM:20240105T094500;;;a@example.com;Note",
      "PALARM:20240105T094500;;;file:///bin/sh")
    let event = try #require(reading.series.first?.master)
    #expect(event.alarms.map(\.action) == [.email])
    #expect(event.component.contains("ATTENDEE:mailto:a@example.com\r\n"))
    #expect(event.component.contains("PALARM:"))
    #expect(reading.problems.map(\.word) == ["vcalendar-1.0", "vcalendar-alarm"])
  }

  @Test(arguments: [
    ("ACCEPTED", "accepted"), ("NEEDS ACTION", "needs-action"), ("CONFIRMED", "accepted"),
    ("SENT", "needs-action"), ("declined", "declined"),
  ])
  func `the STATUS of an attendee is a PARTSTAT`(_ status: String, _ expected: String) throws {
    let event = try event(
      "DTSTART:20240105T100000", "ATTENDEE;STATUS=\(status);ROLE=X:a@example.com")
    #expect(event.attendees.map(\.participation) == [expected])
    #expect(event.component.contains("PARTSTAT=\(expected.uppercased())"))
    #expect(!event.component.contains("STATUS="))
  }

  @Test func `text gets the escapes of iCalendar`() throws {
    let event = try event("DTSTART:20240105T100000", "SUMMARY:a, b; c\\, d", "LOCATION:C:\\temp")
    #expect(event.summary == "a, b; c, d")
    #expect(event.component.contains("\r\nSUMMARY:a\\, b\\; c\\, d\r\n"))
    #expect(event.location == "C:\\temp")
    #expect(event.component.contains("\r\nLOCATION:C:\\\\temp\r\n"))
  }

  // Each DALARM becomes a component of several lines.
  @Test func `more alarms than are read stay in the export`() throws {
    let alarms = (1...150).map { number in
      "DALARM:20240104T0\(number / 60)\(number % 60 < 10 ? "0" : "")\(number % 60)00"
    }
    let reading = try read(
      (["BEGIN:VCALENDAR", "VERSION:1.0", "BEGIN:VEVENT", "UID:a", "DTSTART:20240105T100000"]
        + alarms + ["END:VEVENT", "END:VCALENDAR"]).joined(separator: "\r\n"))
    let text = writeCalendar(reading.series, zones: FixedZones.shared)
    #expect(text.split(separator: "BEGIN:VALARM").count == 151)
    #expect(try read(text).series.first?.master?.alarms == reading.series.first?.master?.alarms)
  }

  @Test func `what is too large once it is mended is refused, and told`() throws {
    var limits = ReadLimits()
    limits.maximumLines = 100
    let alarms = (10...59).map { "DALARM:20240104T09\($0)00" }
    let reading = try read(
      (["BEGIN:VCALENDAR", "VERSION:1.0", "BEGIN:VEVENT", "UID:a", "DTSTART:20240105T100000"]
        + alarms + ["END:VEVENT", "END:VCALENDAR"]).joined(separator: "\r\n"), limits: limits)
    #expect(reading.series.isEmpty)
    #expect(reading.skipped == 1)
    #expect(reading.problems.map(\.word) == ["vcalendar-1.0", "too-large"])
  }
}
