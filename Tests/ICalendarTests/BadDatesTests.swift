import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import ICalendar

@Suite struct `Dates that cannot be read` {
  private static let head = ["UID:a", "DTSTART:20240105T090000Z", "RRULE:FREQ=DAILY;COUNT=9"]

  private func text(_ lines: String...) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT"] + Self.head + lines
      + ["END:VEVENT", "END:VCALENDAR"]).joined(separator: "\r\n") + "\r\n"
  }

  @Test func `one value of several is left out and told, and the event is kept`() throws {
    let reading = try read(text("EXDATE:20240106T090000Z,20240230T090000Z,20240108T090000Z"))
    let event = try #require(reading.series.first?.master)
    #expect(event.recurrence.excluded.map(\.reading.date.day) == [6, 8])
    #expect(reading.skipped == 0)
    #expect(reading.problems.count == 1)
    let problem = try #require(reading.problems.first)
    #expect(problem.severity == .tolerated && problem.line == 7 && problem.uid == "a")
    #expect(problem.text.contains("20240230"), "\(problem)")
    // What is kept says what was read.
    #expect(event.component.contains("EXDATE:20240106T090000Z,20240108T090000Z\r\n"))
    #expect(!event.component.contains("20240230"))
  }

  @Test(arguments: ["EXDATE:never", "RDATE;VALUE=PERIOD:20240109T090000Z/", "RDATE:20241301"])
  func `a line of which nothing is left goes`(line: String) throws {
    let reading = try read(text(line))
    let event = try #require(reading.series.first?.master)
    #expect(event.recurrence.excluded.isEmpty && event.recurrence.added.isEmpty)
    #expect(reading.skipped == 0 && reading.problems.count == 1)
    #expect(!event.component.contains("DATE:2024") || !line.hasPrefix("RDATE"))
    #expect(!event.component.contains("EXDATE"))
    #expect(try read(calendar(of: event.component)).problems == [])
  }

  private func calendar(of component: String) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(component)END:VCALENDAR\r\n"
  }
}
