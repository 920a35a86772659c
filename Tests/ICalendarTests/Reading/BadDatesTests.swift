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

  @Test func `one value of several says nothing and is told, and is kept with the event`() throws {
    let reading = try read(text("EXDATE:20240106T090000Z,20240230T090000Z,20240108T090000Z"))
    let event = try #require(reading.series.first?.master)
    #expect(event.recurrence.excluded.map(\.reading.date.day) == [6, 8])
    #expect(reading.skipped == 0)
    #expect(reading.problems.count == 1)
    let problem = try #require(reading.problems.first)
    #expect(problem.severity == .tolerated && problem.line == 7 && problem.uid == "a")
    #expect(problem.text.contains("20240230"), "\(problem)")
    let line = "EXDATE:20240106T090000Z,20240230T090000Z,20240108T090000Z\r\n"
    #expect(event.component.contains(line))
    // Also where something else is changed.
    var changed = event
    changed.summary = "Changed"
    #expect(writeComponent(changed, zones: FixedZones.shared).contains(line))
  }

  @Test(arguments: [
    "EXDATE:never", "RDATE;VALUE=PERIOD:20240109T090000Z/",
    "RDATE;VALUE=PERIOD:20240109T090000Z/20240109T080000Z",
    "RDATE;TZID=Europe/Berlin;VALUE=PERIOD:20240109T090000/20240109T080000", "RDATE:20241301",
  ])
  func `a line that has no other stays`(line: String) throws {
    let reading = try read(text(line))
    let event = try #require(reading.series.first?.master)
    #expect(event.recurrence.excluded.isEmpty && event.recurrence.added.isEmpty)
    #expect(reading.skipped == 0 && reading.problems.count == 1)
    #expect(event.component.contains("\r\n\(line)\r\n"))
    #expect(writeComponent(event, zones: FixedZones.shared) == event.component)
    // What comes back from an export is the same again, and told again.
    let again = try read(calendar(of: event.component))
    #expect(again.series.first?.master?.component == event.component)
    #expect(again.problems.map(\.word) == reading.problems.map(\.word))
  }

  @Test func `there may be as many of them as of others`() throws {
    let line = "EXDATE:" + repeatElement("never", count: 5000).joined(separator: ",")
    #expect(try read(text(line, line)).skipped == 0)
    let reading = try read(text(line, line, "EXDATE:20240106T090000Z"))
    #expect(reading.skipped == 1)
    #expect(reading.problems.last { $0.severity == .refused }?.word == "too-many-dates")
  }

  private func calendar(of component: String) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(component)END:VCALENDAR\r\n"
  }
}

@Suite struct `Values that say nothing` {
  private let kept = "it is ignored, but kept for an export"

  private struct Told: Equatable {
    let line: Int
    let word: String
    let text: String
  }

  private func told(_ name: String, _ lines: String...) throws -> (event: Event, told: [Told]) {
    let text =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:\(name)", "UID:a", "DTSTART:20240105T090000Z"]
      + lines
      + ["END:\(name)", "END:VCALENDAR"]
    let reading = try read(text.joined(separator: "\r\n") + "\r\n")
    let event = try #require(reading.series.first?.components.first)
    for line in lines { #expect(event.component.contains("\r\n\(line)\r\n")) }
    #expect(reading.problems.allSatisfy { $0.severity == .tolerated && $0.uid == "a" })
    return (event, reading.problems.map { Told(line: $0.line, word: $0.word, text: $0.text) })
  }

  @Test(arguments: [
    ("SEQUENCE", "-3", "VEVENT"), ("SEQUENCE", "20240105090000", "VEVENT"),
    ("SEQUENCE", "one", "VTODO"), ("PRIORITY", "99", "VEVENT"), ("PRIORITY", "high", "VTODO"),
    ("PERCENT-COMPLETE", "101", "VTODO"), ("PERCENT-COMPLETE", "much", "VEVENT"),
  ])
  func `a number that is none or out of its range is told and kept`(
    name: String, value: String, kind: String
  ) throws {
    let (event, told) = try self.told(kind, "\(name):\(value)")
    #expect(
      told == [
        Told(
          line: 6, word: "bad-value",
          text: "\(name): \"\(value)\" is not a valid number; \(kept)")
      ])
    #expect(event.sequence == 0)
    #expect(event.toDo?.priority ?? 0 == 0 && event.toDo?.percentComplete ?? 0 == 0)
  }

  // Source: RFC 5545 section 3.8.1.11.
  @Test(arguments: [
    ("VEVENT", "BUSY"), ("VEVENT", "DRAFT"), ("VTODO", "TENTATIVE"), ("VJOURNAL", "CONFIRMED"),
  ])
  func `a STATUS that its component cannot have is told and kept`(
    kind: String, status: String
  ) throws {
    let (event, told) = try self.told(kind, "STATUS:\(status)")
    #expect(
      told == [
        Told(
          line: 6, word: "bad-value",
          text: "STATUS: \"\(status)\" is not a status of a \(kind); \(kept)")
      ])
    #expect(event.status == .confirmed && event.toDo?.status ?? .needsAction == .needsAction)
  }

  @Test(
    arguments: [
      ("VEVENT", ["STATUS: tentative", "SEQUENCE:2147483647", "PRIORITY:9"]),
      ("VTODO", ["STATUS:IN-PROCESS", "PERCENT-COMPLETE:100", "PRIORITY:0"]),
      ("VJOURNAL", ["STATUS:FINAL"]),
    ] as [(String, [String])])
  func `those that say something are not told`(kind: String, lines: [String]) throws {
    for line in lines { #expect(try told(kind, line).told == []) }
  }
}
