import CalendarBus
import CalendarModel
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

extension AgentUnderTest {
  /// Imports a text: added, updated, skipped, failed; and the words of the problems.
  fileprivate func take(
    _ text: String, mode: String = ""
  ) throws -> (counts: [Int64], problems: [String]) {
    let (counts, problems) = try importing(text, mode: mode)
    return (
      counts,
      problems.map { "\($0["problem"]?.asString ?? ""): \($0["text"]?.asString ?? "")" }
    )
  }

  /// Start and end of what happens in a span, in seconds.
  fileprivate func spans(from: String, to: String) throws -> [[Int64]] {
    let answer = try call(
      Contract.calendar, "GetOccurrences", [.string(from), .string(to), .row([])])
    return (answer[0].asArray ?? []).map {
      [$0["start"]?.asInteger ?? -1, $0["end"]?.asInteger ?? -1]
    }
  }
}

@Suite struct `What a table keeps` {
  @Test func `an end in the hour that autumn has twice is the one that it was`() throws {
    let (agent, other) = (try AgentUnderTest(), try AgentUnderTest())
    for end in ["DTEND:20261025T013000Z", "DURATION:PT1H30M"] {
      _ = try agent.take(
        calendar(
          component("late-\(end.utf8.count)", "DTSTART;TZID=Europe/Berlin:20261025T020000", end)))
    }
    let table = try agent.exportedText(as: "csv")
    #expect(table.contains(",2026-10-25 02:30:00+01:00,"), "\(table)")
    #expect(try other.take(table).counts == [2, 0, 0, 0])
    #expect(
      try other.spans(from: "2026-10-25", to: "1d") == agent.spans(from: "2026-10-25", to: "1d"))
    #expect(try other.exportedText(as: "csv") == table)
    #expect(try agent.take(table).counts == [0, 0, 2, 0])
  }

  @Test func `a table that does not say of which kind what is there is makes no event of it`()
    throws
  {
    let agent = try AgentUnderTest()
    _ = try agent.take(
      calendar(
        toDo("do", "DTSTART:20261203T100000Z", "DUE:20261204T100000Z", "SUMMARY:Rent"),
        component("tea", "DTSTART:20261203T100000Z", "SUMMARY:Tea")))
    let before = try agent.exportedText()
    let told = try agent.take(
      "uid,start,summary\ndo,2026-12-03 11:00,Rent\ntea,2026-12-03 10:00,Tea\n")
    #expect(told.counts == [0, 0, 1, 1])
    #expect(told.problems.count == 1 && told.problems[0].contains("is of the kind"), "\(told)")
    #expect(try agent.exportedText() == before)
  }

  @Test func `a zone that came with a file stays what it is`() throws {
    let agent = try AgentUnderTest()
    let zone =
      "BEGIN:VTIMEZONE\r\nTZID:My Zone\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
      + "TZOFFSETFROM:+0130\r\nTZOFFSETTO:+0130\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    let text = calendar(
      zone,
      component(
        "far", "DTSTART;TZID=My Zone:20270701T100000", "DURATION:PT1H",
        "RRULE:FREQ=MONTHLY;COUNT=3", "SUMMARY:Review"),
      component(
        "far", "RECURRENCE-ID;TZID=My Zone:20270801T100000",
        "DTSTART;TZID=My Zone:20270801T150000", "DURATION:PT1H", "SUMMARY:Moved"))
    #expect(try agent.take(text).counts == [1, 0, 0, 0])
    let (ics, table) = (try agent.exportedText(as: "ics"), try agent.exportedText(as: "csv"))
    #expect(try agent.take(table).counts == [0, 0, 1, 0])
    #expect(try agent.take(table.replacing("Moved", with: "Late")).counts == [0, 1, 0, 0])
    #expect(
      try agent.exportedText(as: "ics").replacing("SUMMARY:Late", with: "SUMMARY:Moved") == ics)
  }

  @Test
  func `a time in such a zone is read elsewhere as the same instant, and what repeats is refused`()
    throws
  {
    let (agent, other) = (try AgentUnderTest(), try AgentUnderTest())
    let zone =
      "BEGIN:VTIMEZONE\r\nTZID:My Zone\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
      + "TZOFFSETFROM:+0545\r\nTZOFFSETTO:+0545\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    _ = try agent.take(
      calendar(
        zone, component("a", "DTSTART;TZID=My Zone:20261203T100000", "DURATION:P1DT1H"),
        component(
          "b", "DTSTART;TZID=My Zone:20261205T100000", "DTEND;TZID=Europe/Berlin:20261205T060000"),
        component("c", "DTSTART;TZID=My Zone:20261206T100000", "RRULE:FREQ=DAILY;COUNT=2")))
    let table = try agent.exportedText(as: "csv")
    for part in [
      ",2026-12-03 04:15:00,2026-12-04 05:15:00,false,UTC,",
      ",2026-12-05 04:15:00,2026-12-05 05:00:00,false,UTC,", ",2026-12-06 10:00:00,",
    ] {
      #expect(table.contains(part), "\(table)")
    }
    let outcome = try other.take(table)
    #expect(outcome.counts == [2, 0, 0, 1])
    #expect(
      outcome.problems.filter { $0.hasPrefix("bad-cell") }
        == ["bad-cell: time-zone: the zone \"My Zone\" is unknown"])
    let (from, to) = ("2026-12-01", "2026-12-06")
    #expect(try other.spans(from: from, to: to) == agent.spans(from: from, to: to))
    #expect(try agent.take(table).counts == [0, 0, 3, 0])
  }

  @Test func `dates that are excluded and added stay so`() throws {
    let (agent, other) = (try AgentUnderTest(), try AgentUnderTest())
    _ = try agent.take(
      calendar(
        component(
          "yoga", "DTSTART;TZID=Europe/Berlin:20261101T100000", "RRULE:FREQ=WEEKLY;COUNT=4",
          "EXDATE;TZID=Europe/Berlin:20261108T100000,20261115T100000",
          "RDATE:20261118T170000Z", "X-KEPT:1"),
        component(
          "days", "DTSTART;VALUE=DATE:20261201", "RRULE:FREQ=DAILY;COUNT=3",
          "EXDATE;VALUE=DATE:20261202")))
    let table = try agent.exportedText(as: "csv")
    #expect(
      table.contains("\"2026-11-08 10:00:00\n2026-11-15 10:00:00\",2026-11-18 18:00:00\r\n"),
      "\(table)")
    #expect(try other.take(table).counts == [2, 0, 0, 0])
    let (from, to) = ("2026-11-01", "2026-12-31")
    #expect(try other.spans(from: from, to: to) == agent.spans(from: from, to: to))
    #expect(try other.exportedText(as: "csv") == table)
    #expect(try agent.take(table).counts == [0, 0, 2, 0])
    // Another cell is another date, and nothing else is.
    let edited = table.replacing("2026-11-15 10:00:00\"", with: "2026-11-22 10:00:00\"")
    #expect(try agent.take(edited).counts == [0, 1, 1, 0])
    let text = try agent.exportedText(as: "ics")
    #expect(text.contains("X-KEPT:1") && text.contains("20261122T100000"))
    #expect(!text.contains("20261115T100000"))
  }

  @Test(arguments: ["csv", "ics"])
  func `a uid with commas is known again, escaped or not`(format: String) throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(
      calendar(
        component("a,b;c", "DTSTART:20261121T140000Z", "SUMMARY:One"),
        component("d\\,e\\;f", "DTSTART:20261121T150000Z", "SUMMARY:Two")))
    let text = try agent.exportedText(as: format)
    #expect(try agent.take(text).counts == [0, 0, 2, 0], "\(text)")
    #expect(
      try agent.take(calendar(component("a\\,b\\;c", "DTSTART:20261121T140000Z", "SUMMARY:New")))
        .counts[0] == 0)
  }

  @Test func `rows without uid are told in one line`() throws {
    let agent = try AgentUnderTest()
    let table = "summary,start\nA,2026-11-21\nB,2026-11-21\nC,2026-11-22\n"
    let outcome = try agent.take(table)
    #expect(outcome.counts == [3, 0, 0, 0])
    #expect(outcome.problems.count == 1)
    #expect(outcome.problems.first?.hasPrefix("missing-uid: 3 rows have no uid") == true)
    #expect(try agent.take(table).counts == [0, 0, 3, 0])
  }

  @Test func `copies of a table are new, with their changed occurrences`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(
      calendar(
        component("yoga", "DTSTART:20261101T100000Z", "RRULE:FREQ=WEEKLY;COUNT=3", "SUMMARY:Y"),
        component(
          "yoga", "RECURRENCE-ID:20261108T100000Z", "DTSTART:20261108T120000Z", "SUMMARY:Z")))
    #expect(
      try agent.take(try agent.exportedText(as: "csv"), mode: "copy").counts == [1, 0, 0, 0])
    #expect(try agent.spans(from: "2026-11-01", to: "2026-11-30").count == 6)
  }
}

@Suite struct `A rule that ends with a day` {
  @Test func `it ends with the last second of that day, in UTC, and is told`() throws {
    let agent = try AgentUnderTest()
    let text = calendar(
      component(
        "late", "DTSTART;TZID=Europe/Berlin:20261121T233000",
        "RRULE:FREQ=DAILY;UNTIL=20261123;INTERVAL=1"),
      component("float", "DTSTART:20261121T100000", "RRULE:FREQ=DAILY;UNTIL=20261122"),
      component("days", "DTSTART;VALUE=DATE:20261121", "RRULE:FREQ=DAILY;UNTIL=20261122"))
    let outcome = try agent.take(text)
    #expect(outcome.counts == [3, 0, 0, 0])
    #expect(outcome.problems.contains { $0.contains("UNTIL") }, "\(outcome.problems)")
    #expect(try agent.spans(from: "2026-11-21", to: "10d").count == 3 + 2 + 2)
    let exported = try agent.exportedText(as: "ics")
    #expect(exported.contains("UNTIL=20261123T225959Z"), "\(exported)")
    #expect(exported.contains("UNTIL=20261122T235959\r\n"))
    #expect(exported.contains("UNTIL=20261122\r\n"))
    #expect(try agent.take(text).counts == [0, 0, 3, 0])
    #expect(try agent.take(exported).counts == [0, 0, 3, 0])
  }

  @Test func `the same of one that was made here`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("summary", .string("Gym")), ("start", .string("2026-11-21 18:00")),
      ("rrule", .string("FREQ=DAILY;UNTIL=20261123")))
    let exported = try agent.exportedText(as: "ics")
    #expect(exported.contains("UNTIL=20261123T225959Z"), "\(exported)")
    #expect(try agent.take(exported).counts == [0, 0, 1, 0])
    #expect(try agent.spans(from: "2026-11-21", to: "10d").count == 3)
  }
}
