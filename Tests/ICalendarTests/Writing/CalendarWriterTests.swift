import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import ICalendar

@Suite struct `Writing calendars` {
  private func written(_ lines: String...) throws -> String {
    let text =
      (["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:a"] + lines + ["END:VEVENT", "END:VCALENDAR"])
      .joined(separator: "\r\n")
    let reading = try read(text)
    return writeCalendar(
      reading.series, zones: CustomZones(reading.customZones), custom: reading.customZones)
  }

  @Test func `an empty calendar has its head alone`() {
    #expect(
      writeCalendar([], zones: FixedZones.shared)
        == "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Datebook//Datebook 1//EN\r\nEND:VCALENDAR\r\n"
    )
  }

  @Test func `each TZID has its VTIMEZONE, under the name that the event has`() throws {
    let text = try written(
      "DTSTART;TZID=W. Europe Standard Time:20240705T100000",
      "DTEND;TZID=Asia/Tokyo:20240705T200000", "RDATE;TZID=Asia/Tokyo:20240706T200000")
    #expect(text.contains("TZID:W. Europe Standard Time\r\n"))
    #expect(text.firstRange(of: "TZID:Asia/Tokyo\r\n") != nil)
    #expect(text.split(separator: "BEGIN:VTIMEZONE").count == 3)
  }

  @Test func `days, UTC and zones without rules need no VTIMEZONE`() throws {
    #expect(try !written("DTSTART;VALUE=DATE:20240705").contains("VTIMEZONE"))
    #expect(try !written("DTSTART:20240705T100000Z").contains("VTIMEZONE"))
    #expect(try !written("DTSTART;TZID=Nowhere:20240705T100000").contains("VTIMEZONE"))
  }

  @Test func `a series without end gets rules without end`() throws {
    let text = try written("DTSTART;TZID=Europe/Berlin:20240705T100000", "RRULE:FREQ=DAILY")
    #expect(text.contains("RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\n"))
  }

  @Test func `an event without text is written anew`() throws {
    let event = Event(uid: EventUID("n"), start: .date(try CivilDate(text: "20240105")))
    let series = EventSeries(calendar: CalendarID("tests"), master: event)
    #expect(
      writeCalendar([series], zones: FixedZones.shared).contains(
        "BEGIN:VEVENT\r\nUID:n\r\nDTSTAMP:19700101T000000Z\r\nDTSTART;VALUE=DATE:20240105\r\nEND:VEVENT"
      ))
  }

  @Test func `a calendar of one has its name and colour, for all who look for them`() {
    let head = CalendarWriter.Head(
      name: "Work, and rest", color: EventColor(red: 0x3b, green: 0x82, blue: 0xf6))
    let text = String(
      decoding: ICalendarTests.written([], zones: FixedZones.shared, head: head), as: UTF8.self)
    #expect(
      text.contains(
        "NAME:Work\\, and rest\r\nX-WR-CALNAME:Work\\, and rest\r\nCOLOR:royalblue\r\n"
          + "X-APPLE-CALENDAR-COLOR:#3B82F6\r\n"), "\(text)")
  }

  // As Outlook writes its working hours.
  @Test func `a TZID among the properties of a calendar has its VTIMEZONE`() throws {
    let head = CalendarWriter.Head(
      name: "Work", color: EventColor(red: 0x3b, green: 0x82, blue: 0xf6),
      properties: [
        "X-MS-OLK-WKHRSTART;TZID=\"W. Europe Standard Time\":080000",
        "X-MS-OLK-WKHREND;TZID=Asia/Tokyo:170000",
      ])
    func text(_ event: String...) throws -> String {
      let lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:a"] + event
      let reading = try read((lines + ["END:VEVENT", "END:VCALENDAR"]).joined(separator: "\r\n"))
      return String(
        decoding: ICalendarTests.written(
          reading.series, zones: FixedZones.shared, head: head), as: UTF8.self)
    }
    func zones(of text: String) -> [String] {
      ["W. Europe Standard Time", "Asia/Tokyo"].filter {
        text.contains("\r\nTZID:\($0)\r\n")
      }
    }
    let alone = try text("DTSTART:20240705T100000Z")
    #expect(zones(of: alone) == ["W. Europe Standard Time", "Asia/Tokyo"])
    // A time of day without a day is of the rules that hold on.
    #expect(alone.contains("RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\n"), "\(alone)")
    // What events need of a zone is enough.
    let withEvent = try text("DTSTART;TZID=W. Europe Standard Time:20240705T100000")
    #expect(zones(of: withEvent) == ["W. Europe Standard Time", "Asia/Tokyo"])
    #expect(withEvent.contains("DTSTART:20240101T000000\r\n"))
  }

  @Test func `an event without DTSTAMP is given its last change for one`() throws {
    #expect(
      try written("DTSTART:20240705T100000Z", "LAST-MODIFIED:20240101T120000Z").contains(
        "BEGIN:VEVENT\r\nDTSTAMP:20240101T120000Z\r\nUID:a\r\n"))
    #expect(
      try written("DTSTART:20240705T100000Z", "dtstamp:20230101T120000Z").contains(
        "\r\ndtstamp:20230101T120000Z\r\n"))
  }

  @Test func `a TZID is found behind a fold, and not in a text`() throws {
    let long = String(repeating: "x", count: 60)
    let text = try written(
      "DTSTART;X-LONG=\(long);TZID=Europe/Berlin:20240705T100000",
      "DESCRIPTION;X=1:;TZID=Asia/Tokyo:no zone", "SUMMARY:;TZID=America/New_York:")
    #expect(text.contains("TZID:Europe/Berlin\r\n"))
    #expect(!text.contains("TZID:Asia/Tokyo"))
    #expect(!text.contains("TZID:America/New_York"))
  }

  @Test func `a VTIMEZONE says no more than is needed`() throws {
    let text = try written(
      "DTSTART;TZID=Europe/Berlin:20240705T100000", "DTEND;TZID=Europe/Berlin:20240705T110000")
    // Berlin's rule of since 1996, from the year of the event.
    #expect(text.contains("DTSTART:20240101T000000\r\n"))
    #expect(text.split(separator: "BEGIN:DAYLIGHT").count == 2)
    #expect(text.split(separator: "BEGIN:STANDARD").count == 3)
  }

  @Test func `a zone that came with a file leaves as it came`() throws {
    let zone = """
      BEGIN:VTIMEZONE\r\nTZID:Office\r\nX-KEPT:yes\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r
      TZOFFSETFROM:+0530\r\nTZOFFSETTO:+0530\r\nEND:STANDARD\r\nEND:VTIMEZONE\r

      """
    let reading = try read(
      "BEGIN:VCALENDAR\r\n\(zone)BEGIN:VEVENT\r\nUID:a\r\nDTSTART;TZID=Office:20240705T100000\r\n"
        + "END:VEVENT\r\nEND:VCALENDAR\r\n")
    let zones = CustomZones(reading.customZones)
    #expect(
      writeCalendar(reading.series, zones: zones, custom: reading.customZones).contains(zone))
  }

  @Test func `one that was not noted brings its zone along`() throws {
    var writer = CalendarWriter(zones: FixedZones.shared)
    var output: [UInt8] = []
    writer.begin(nil, to: &output)
    var text = "BEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20240101T000000Z\r\n"
    text += "DTSTART;TZID=Asia/Tokyo:20240705T100000\r\nEND:VEVENT\r\n"
    let start = try Timestamp(text: "2024-07-05T01:00:00Z")
    for _ in 0..<2 {
      text.withUTF8 {
        writer.add($0, lyingUnnoted: TimeSpan(start: start, end: start), to: &output)
      }
    }
    writer.end(to: &output)
    let file = String(decoding: output, as: UTF8.self)
    #expect(file.split(separator: "BEGIN:VTIMEZONE").count == 2)
    let (zone, event) = (file.firstRange(of: "TZID:Asia/Tokyo"), file.firstRange(of: "UID:a"))
    #expect(try #require(zone).lowerBound < #require(event).lowerBound)
  }

  // It has no DTSTAMP, so that its lines are looked at; 100,000 are the limit of an import.
  @Test func `a component past the limits of an import is written all the same`() throws {
    let lines = (1...100_001).map { "X-A:\($0)\r\n" }.joined()
    var event = Event(uid: EventUID("n"), start: .date(try CivilDate(text: "20240105")))
    event.component =
      "BEGIN:VEVENT\r\nUID:n\r\nDTSTART;VALUE=DATE:20240105\r\n\(lines)END:VEVENT\r\n"
    let series = EventSeries(calendar: CalendarID("tests"), master: event)
    let text = writeCalendar([series], zones: FixedZones.shared)
    #expect(text.contains("DTSTAMP:19700101T000000Z\r\n"))
    #expect(text.contains("X-A:100001\r\n"))
    #expect(renamedComponent(event.component, uid: "m", renamed: [:]).contains("\r\nUID:m\r\n"))
    event.summary = "New"
    #expect(writeComponent(event).contains("X-A:100001\r\nSUMMARY:New\r\n"))
  }
}
