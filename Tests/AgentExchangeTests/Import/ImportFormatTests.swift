import CalendarBus
import CalendarModel
import CivilTime
import DBus
import TestSupport
import Tables
import Testing

@testable import AgentSupport
@testable import CalendarService

/// An event with much that a table has no column for.
private let meeting = component(
  "meeting", "DTSTART;TZID=Europe/Berlin:20261121T140000",
  "DTEND;TZID=Europe/Berlin:20261121T150000", "SUMMARY:Meeting", "X-KEPT:yes",
  "RRULE:FREQ=WEEKLY;COUNT=4", "SEQUENCE:3", "ATTENDEE:mailto:ana@example.org", "BEGIN:VALARM",
  "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT5M", "END:VALARM")
private let moved = component(
  "meeting", "RECURRENCE-ID;TZID=Europe/Berlin:20261128T140000",
  "DTSTART;TZID=Europe/Berlin:20261128T160000", "SUMMARY:Later meeting", "SEQUENCE:3",
  "RELATED-TO:trip")
private let trip = component(
  "trip", "DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261227", "SUMMARY:=Trip",
  "CATEGORIES:a,b", "RELATED-TO;RELTYPE=SIBLING:meeting", "RELATED-TO:nobody")

@Suite struct `Formats of an import` {
  @Test(arguments: ["ics", "csv"])
  func `what was exported is known again, and is as it was in another calendar`(
    format: String
  ) throws {
    let agent = try AgentUnderTest()
    _ = try agent.importTelling(calendar(meeting, moved, trip))
    let text = try agent.exportedText(as: format)
    #expect(try agent.importTelling(text).counts == [0, 0, 2, 0])
    try agent.createCalendar("Other")
    let outcome = try agent.importTelling(text, into: "other")
    #expect(outcome.counts == [2, 0, 0, 0])
    // The column "calendar" says otherwise.
    #expect(
      outcome.problems.map { $0.contains("calendar-ignored") } == (format == "csv" ? [true] : []))
    // It names the calendar that it is of; the caller's word counts.
    let again = try agent.exportedText(of: "other", as: format)
    if format == "csv" {
      #expect(again.replacing("Other,", with: "Personal,") == text)
    } else {
      let calendars = try (agent.exportedText(), agent.exportedText(of: "other"))
      #expect(
        unfoldedLines("", of: calendars.1).dropFirst(8)
          == unfoldedLines("", of: calendars.0).dropFirst(8))
    }
  }

  @Test func `a format that does not fit, or that there is not, is refused`() throws {
    #expect(try ImportFormat.named("") == nil)
    #expect(try ImportFormat.named("csv") == .csv)
    let error = try #require(throws: CallError.self) { _ = try ImportFormat.named("cvs") }
    #expect(error.message.contains("did you mean \"csv\"?"))
    #expect(throws: CallError.self) { try ImportFormat.named("json") }
    let agent = try AgentUnderTest()
    for text in ["[{\"uid\":\"a\",\"start\":1,\"end\":2}]", " {}"] {
      let refused = try #require(throws: DBusError.self) { _ = try agent.importTelling(text) }
      #expect(
        refused.message.contains(
          "this is JSON; only iCalendar, vCalendar 1.0 and CSV can be imported"),
        "\(refused)")
    }
  }

  @Test(arguments: [
    ("\n [\"vcalendar\"", ImportFormat.ics), ("{}", .ics), ("\u{FEFF}[", .ics),
    ("summary,start\n", .csv), ("\u{FEFF}\"Start\";\"Summary\"\r\n", .csv),
    ("start\tsummary", .csv), (",,\r\n\"\",,\r\nstart,summary", .csv), ("BEGIN:VCALENDAR", .ics),
    ("", .ics), ("a summary", .ics),
  ])
  func `a text says itself what it is`(text: String, format: ImportFormat) {
    #expect(ImportFormat(sniffing: Array(text.utf8)) == format)
  }
}

@Suite struct `Import of a table` {
  @Test func `a few columns are enough, in any order and between semicolons`() throws {
    let agent = try AgentUnderTest()
    let outcome = try agent.importTelling(
      "\u{FEFF}Start;Summary;Note\n2026-11-21 09:30;\"Tea; \"\"hot\"\"\";x\n\n2026-11-21;'=Fair;\n")
    #expect(outcome.counts == [2, 0, 0, 0])
    #expect(
      outcome.problems.filter { !$0.contains("missing-uid") } == [
        "1:18 unknown-column: the column \"note\" is ignored"
      ])
    #expect(try agent.summaries(from: "today").sorted() == ["=Fair", "Tea; \"hot\""])
  }

  @Test(arguments: [
    "\nstart;summary\n2026-11-21;Fair\n", "\u{FEFF}\r\n  \r\nstart,summary\r\n2026-11-21,Fair\r\n",
    ",,\n\n\"\",,\nsummary,url,start\n\n,,\nFair,,2026-11-21\n",
  ])
  func `empty rows before the names of the columns, and after, are passed by`(text: String) throws {
    let agent = try AgentUnderTest()
    #expect(try agent.importTelling(text).counts == [1, 0, 0, 0])
    #expect(try agent.summaries(from: "today") == ["Fair"])
  }

  @Test func `a cell that cannot be read costs its row, and is told with line and column`() throws {
    let agent = try AgentUnderTest()
    let outcome = try agent.importTelling(
      """
      uid,start,summary,time-zone,status,rrule,url,kind
      a,tomorrow,A,,,,,
      b,2026-11-21 09:30:00,"two
      lines",Nowhere/At_all,,,,
      c,2026-11-21,C,,maybe,,,
      d,2026-11-21,D,,,FREQ=SOMETIMES,,
      e,2026-11-21,E,,,,"a
      b",
      f,2026-11-21,F,,,,,wedding
      g,2026-11-21,G,,tentative,FREQ=DAILY;COUNT=2,,event

      """)
    #expect(outcome.counts == [1, 0, 0, 6])
    let places = [
      "2:3 bad-cell: start", "4:8 bad-cell: time-zone", "5:17 bad-cell: status",
      "6:18 ", "7:19 bad-cell: url", "9:20 bad-cell: kind",
    ]
    #expect(outcome.problems.count == places.count)
    for (problem, place) in zip(outcome.problems, places) {
      #expect(problem.hasPrefix(place), "\(problem)")
    }
    #expect(try agent.summaries(from: "today") == ["G"])
  }

  @Test func `merging changes the fields of its columns, and keeps what it has no column for`()
    throws
  {
    let agent = try AgentUnderTest()
    _ = try agent.importTelling(calendar(meeting, moved, trip))
    let table = try agent.exportedText(as: "csv").replacing("Later meeting", with: "Latest meeting")
    #expect(try agent.importTelling(table).counts == [0, 1, 1, 0])
    let text = try agent.exportedText()
    #expect(
      unfoldedLines("SUMMARY", of: text).sorted() == [
        "SUMMARY:=Trip", "SUMMARY:Latest meeting", "SUMMARY:Meeting",
      ])
    for line in [
      "X-KEPT:yes", "ATTENDEE:mailto:ana@example.org", "TRIGGER:-PT5M", "RELATED-TO:trip",
    ] {
      #expect(text.contains(line + "\r\n"), "\(line)")
    }
    // A row of its own gives an occurrence of its own; a column that is not there changes nothing.
    let row =
      "uid,recurrence-id,start,end,time-zone,summary\nmeeting,20261205T130000Z,"
      + "2026-12-05 18:00:00,2026-12-05 19:00:00,Europe/Berlin,Evening\n"
    #expect(try agent.importTelling(row).counts == [0, 1, 0, 0])
    #expect(unfoldedLines("SUMMARY", of: try agent.exportedText()).count == 4)
    #expect(try agent.summaries(from: "2026-12-05") == ["Evening"])
  }

  @Test func `a start without a zone and an end is on the event's clock, and keeps its length`()
    throws
  {
    let agent = try AgentUnderTest()
    let zoned = component(
      "zoned", "DTSTART;TZID=America/New_York:20261121T140000",
      "DTEND;TZID=America/New_York:20261121T153000", "SUMMARY:Zoned")
    let lasting = component(
      "lasting", "DTSTART:20261121T140000Z", "DURATION:PT2H", "SUMMARY:Lasting")
    _ = try agent.importTelling(calendar(zoned, lasting, trip))
    let table =
      "uid,summary,start\nzoned,Zoned,2026-11-22 10:00\nlasting,Lasting,2026-11-22 08:00\n"
      + "trip,'=Trip,2026-12-25\n"
    #expect(try agent.importTelling(table).counts == [0, 3, 0, 0])
    #expect(try agent.importTelling(table).counts == [0, 0, 3, 0])
    let text = try agent.exportedText()
    for line in [
      "DTSTART;TZID=America/New_York:20261122T100000",
      "DTEND;TZID=America/New_York:20261122T113000", "DTSTART:20261122T080000Z", "DURATION:PT2H",
      "DTSTART;VALUE=DATE:20261225", "DTEND;VALUE=DATE:20261228",
    ] {
      #expect(text.contains(line + "\r\n"), "\(line)")
    }
    // A column "end" is taken at its word, and one for the zone, too.
    let more =
      "uid,summary,start,end,time-zone\nzoned,Zoned,2026-11-22 11:00,2026-11-22 11:30,Europe/Berlin\n"
    #expect(try agent.importTelling(more).counts == [0, 1, 0, 0])
    let later = try agent.exportedText()
    #expect(later.contains("DTSTART;TZID=Europe/Berlin:20261122T110000\r\n"))
    #expect(later.contains("DTEND;TZID=Europe/Berlin:20261122T113000\r\n"))
  }

  @Test func `another start of a series takes its exceptions and changed occurrences along`() throws
  {
    let agent = try AgentUnderTest()
    let series = component(
      "series", "DTSTART;TZID=Europe/Berlin:20261123T140000",
      "DTEND;TZID=Europe/Berlin:20261123T150000", "SUMMARY:Series", "RRULE:FREQ=DAILY;COUNT=5",
      "EXDATE;TZID=Europe/Berlin:20261124T140000")
    let special = component(
      "series", "RECURRENCE-ID;TZID=Europe/Berlin:20261125T140000",
      "DTSTART;TZID=Europe/Berlin:20261125T140000", "DTEND;TZID=Europe/Berlin:20261125T150000",
      "SUMMARY:Special")
    _ = try agent.importTelling(calendar(series, special))
    #expect(
      try agent.importTelling("uid,summary,start\nseries,Series,2026-11-23 16:00\n").counts == [
        0, 1, 0, 0,
      ])
    let text = try agent.exportedText()
    for line in [
      "EXDATE;TZID=Europe/Berlin:20261124T160000",
      "RECURRENCE-ID;TZID=Europe/Berlin:20261125T160000",
      "DTSTART;TZID=Europe/Berlin:20261125T160000", "DTEND;TZID=Europe/Berlin:20261125T170000",
    ] {
      #expect(text.contains(line + "\r\n"), "\(line)")
    }
    #expect(
      try agent.summaries(from: "2026-11-23", to: "2026-11-29")
        == ["Series", "Special", "Series", "Series"])
    // What cannot be is refused, and told with the event.
    let outcome = try agent.importTelling(
      "uid,summary,start,rrule\nseries,Series,2026-11-23 16:00,FREQ=DAILY;UNTIL=20261101\n")
    #expect(outcome.counts == [0, 0, 0, 1])
    #expect(outcome.problems.contains { $0.hasPrefix("0:0 bad-edit") }, "\(outcome.problems)")
  }

  @Test func `a to-do keeps its due date where a table has but its start`() throws {
    let agent = try AgentUnderTest()
    let toDo =
      "BEGIN:VTODO\r\nUID:todo\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Rent\r\n"
      + "DUE;TZID=Europe/Berlin:20261130T120000\r\nEND:VTODO\r\n"
    _ = try agent.importTelling(calendar(toDo))
    let table = "uid,kind,summary,start\ntodo,to-do,Rent,2026-11-28 09:00\n"
    #expect(try agent.importTelling(table).counts == [0, 1, 0, 0])
    let text = try agent.exportedText()
    #expect(text.contains("DTSTART;TZID=Europe/Berlin:20261128T090000\r\n"))
    #expect(text.contains("DUE;TZID=Europe/Berlin:20261130T120000\r\n"))
  }

  @Test func `a row with more cells than the header is a failure, and empty ones are none`() throws
  {
    let agent = try AgentUnderTest()
    let outcome = try agent.importTelling(
      "summary;start;end;rrule\nA;2026-11-21;;FREQ=WEEKLY;COUNT=4\nB;2026-11-21;;;; \n"
        + "C;2026-11-21;;\"FREQ=WEEKLY;COUNT=4\"\n")
    #expect(outcome.counts == [2, 0, 0, 1])
    let told = outcome.problems.filter { $0.contains("bad-row") }
    #expect(told.count == 1, "\(outcome.problems)")
    #expect(
      told.first?.hasPrefix("2:1 bad-row: the line has 5 fields, the header 4") == true, "\(told)")
  }

  @Test func `what is no table is refused with its place`() throws {
    for (text, words) in [
      ("summary,start\n\"a,2026-11-21\n", ["line 2, column 1", "never closed"])
    ] {
      let agent = try AgentUnderTest()
      let error = try #require(throws: DBusError.self) { _ = try agent.importTelling(text) }
      #expect(error.name.text.hasSuffix(".ParseFailed"))
      for word in words { #expect(error.message.contains(word), "\(error)") }
    }
    var reader = EventTableReader(
      Array("a,b\n1,2\n".utf8), calendars: TableCalendars(usual: .init("x")),
      zones: FixedZones.shared, now: Timestamp(seconds: 0))
    #expect(throws: (any Error).self) { _ = try reader.readSome(1) }
  }
}

@Suite struct `Rows of a table` {
  @Test func `are stamped with the moment of the import, and known again without a uid`() throws {
    let agent = try AgentUnderTest()
    let table = "summary,start\nTea,2026-12-01 10:00\n"
    #expect(try agent.importTelling(table).counts == [1, 0, 0, 0])
    #expect(unfoldedLines("DTSTAMP", of: try agent.exportedText()) == ["DTSTAMP:20261121T080000Z"])
    try agent.advance(to: "2026-11-21T08:30:00Z")
    for mode in ["merge", "replace", "skip-existing"] {
      #expect(try agent.importTelling(table, mode: mode).counts == [0, 0, 1, 0])
    }
  }

  @Test func `without a title are told once, and what replace takes away is told`() throws {
    let agent = try AgentUnderTest()
    let told = try agent.importTelling("uid,summary,start\na,,2026-12-01\nb,,2026-12-02\n").problems
    #expect(told.count { $0.contains(" no-title: ") } == 1, "\(told)")
    _ = try agent.importTelling(calendar(trip))
    let table = "uid,summary,start\ntrip,Voyage,2026-12-24\n"
    #expect(try agent.importTelling(table, mode: "merge").problems == [])
    let replaced = try agent.importTelling(table.replacing("Voyage", with: "Trip"), mode: "replace")
    #expect(replaced.counts == [0, 1, 0, 0])
    #expect(replaced.problems.count { $0.contains(" table-replaces: ") } == 1, "\(replaced)")
  }
}

@Suite struct `Import of copies` {
  @Test func `all is new under new names, which keep together and know each other`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.importTelling(calendar(meeting, moved, trip))
    try agent.createCalendar("Other")
    for _ in 0..<2 {
      #expect(
        try agent.importTelling(calendar(meeting, moved, trip), into: "other", mode: "copy").counts
          == [2, 0, 0, 0])
    }
    let text = try agent.exportedText(of: "other")
    let uids = unfoldedLines("UID:", of: text).map { String($0.dropFirst(4)) }
    #expect(uids.count == 6 && Set(uids).count == 4)
    #expect(!uids.contains("meeting") && !uids.contains("trip"))
    #expect(unfoldedLines("RECURRENCE-ID", of: text).count == 2)
    let related = unfoldedLines("RELATED-TO", of: text).compactMap {
      $0.split(separator: ":").last.map(String.init)
    }
    #expect(related.filter { uids.contains($0) }.count == 4)
    #expect(related.filter { $0 == "nobody" }.count == 2)
    #expect(text.contains("X-KEPT:yes"))
    // The first ones are as they were, and one step takes a whole import back.
    #expect(try agent.importTelling(calendar(meeting, moved, trip)).counts == [0, 0, 2, 0])
    _ = try agent.call(Contract.events, "Undo")
    #expect(unfoldedLines("UID:", of: try agent.exportedText(of: "other")).count == 3)
  }

  @Test func `days may have dots, or slashes where the table has but one order for them`() throws {
    let agent = try AgentUnderTest()
    let dots = try agent.importTelling(
      """
      summary;start;end
      A;28.11.2026;
      B;1.12.2026 9:30;1.12.2026 10:00:30

      """)
    #expect(dots.counts == [2, 0, 0, 0], "\(dots.problems)")
    // That one day cannot have the month first says it for the other, which could.
    let slashes = try agent.importTelling("summary,start\nC,02/12/2026 08:00\nD,28/11/2026\n")
    #expect(slashes.counts == [2, 0, 0, 0], "\(slashes.problems)")
    let american = try agent.importTelling("summary,start,end\nE,12/3/2026,12/13/2026\n")
    #expect(american.counts == [1, 0, 0, 0], "\(american.problems)")
    let rows = try agent.exportedText(as: "csv").split(separator: "\r\n").dropFirst()
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(
      rows.map { "\($0[8]) \($0[4])" }.sorted() == [
        "A 2026-11-28", "B 2026-12-01 09:30:00", "C 2026-12-02 08:00:00", "D 2026-11-28",
        "E 2026-12-03",
      ])
  }

  @Test(arguments: [
    ("summary,start\nx,02/12/2026\n", "could have the day or the month first"),
    ("summary,start\nx,28/11/2026\ny,11/28/2026\n", "not written in the same order"),
    ("summary,start\nx,31/31/2026\n", "neither number can be the month"),
    ("summary,start\nx,30.2.2026\n", "neither a day"),
    ("summary,start\nx,28.11.26\n", "neither a day"),
    ("summary,start\nx,28.11.2026 25:00\n", "neither a day"),
  ])
  func `a day that could be another is refused`(text: String, words: String) throws {
    let outcome = try AgentUnderTest().importTelling(text)
    #expect(outcome.counts[0] == 0 && outcome.counts[3] > 0)
    #expect(outcome.problems.contains { $0.contains(words) }, "\(outcome.problems)")
  }
}
