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
    return writeCalendar(reading.series, zones: CustomZones(reading.customZones))
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
}
