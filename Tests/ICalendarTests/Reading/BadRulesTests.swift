import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import ICalendar

@Suite struct `Rules that cannot be read` {
  private func read(_ lines: String...) throws -> CalendarReading {
    let text =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:a", "DTSTART:20240105T090000Z"]
      + lines + ["END:VEVENT", "END:VCALENDAR"]
    return try readCalendar(
      Array((text.joined(separator: "\r\n") + "\r\n").utf8), calendar: CalendarID("tests"),
      zones: FixedZones.shared)
  }

  @Test(arguments: [
    "RRULE:FREQ=FORTNIGHTLY", "RRULE:FREQ=DAILY;UNTIL=99999999", "RRULE:MP6 1+ MO #5 D1 #5",
    "RRULE;X-A=b:every now and then",
  ])
  func `leave their event to be shown once, and are kept with it`(line: String) throws {
    let reading = try read(line, "SUMMARY:Tea")
    #expect(reading.skipped == 0)
    let event = try #require(reading.series.first?.master)
    #expect(!event.recurrence.isRecurring)
    #expect(reading.problems.map(\.word) == ["bad-rrule"])
    let problem = try #require(reading.problems.first)
    #expect(problem.severity == .tolerated && problem.line == 6)
    let value = try #require(line.split(separator: ":", maxSplits: 1).last)
    #expect(problem.text.hasPrefix("RRULE: \"\(value)\": "), "\(problem.text)")
    #expect(problem.text.contains("shown once"), "\(problem.text)")
    #expect(writeComponent(event, zones: FixedZones.shared) == event.component)
    // Also where something else is changed.
    var changed = event
    changed.summary = "Coffee"
    changed.start = .utc(try Timestamp(text: "2024-01-06T09:00:00Z"))
    #expect(writeComponent(changed, zones: FixedZones.shared).contains("\r\n\(line)\r\n"))
    // Another rule takes its place.
    changed.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=2")]
    let text = writeComponent(changed, zones: FixedZones.shared)
    #expect(text.split(separator: "RRULE").count == 2)
    #expect(text.contains("\r\nRRULE:FREQ=DAILY;COUNT=2\r\n"))
  }

  @Test func `leave those that can be read`() throws {
    let reading = try read("RRULE:FREQ=FORTNIGHTLY", "RRULE:FREQ=DAILY;COUNT=3")
    #expect(reading.series.first?.master?.recurrence.rules.map(\.text) == ["FREQ=DAILY;COUNT=3"])
  }

  @Test func `refuse their event where they say what is left out of it`() throws {
    let reading = try read("RRULE:FREQ=DAILY;COUNT=3", "EXRULE:FREQ=FORTNIGHTLY")
    #expect(reading.skipped == 1 && reading.series.isEmpty)
    #expect(reading.problems.map(\.severity) == [.refused])
  }
}
