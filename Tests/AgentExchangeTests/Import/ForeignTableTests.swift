import CalendarBus
import CalendarModel
import DBus
import ICalendar
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import Tables

extension AgentUnderTest {
  /// Imports a text: added, updated, skipped, failed; and the problems but for missing uids.
  fileprivate func take(_ text: String) throws -> (counts: [Int64], problems: [String]) {
    let (counts, problems) = try importing(text)
    return (
      counts,
      problems.map { "\($0["problem"]?.asString ?? ""): \($0["text"]?.asString ?? "")" }
        .filter { !$0.hasPrefix("missing-uid") }
    )
  }

  /// The rows of the table that an export gives, without the names of the columns: summary, start,
  /// end, busy, class and categories.
  fileprivate func rows() throws -> [String] {
    let table =
      try call(Contract.transfer, "ExportText", [.string("csv"), .string(""), .string("")])[0]
      .asString ?? ""
    var text = TableText(Array(table.utf8))
    var rows: [String] = []
    while let row = try text.next() {
      rows.append([8, 4, 5, 13, 14, 15].map { row.cells[$0] }.joined(separator: "|"))
    }
    return Array(rows.dropFirst())
  }
}

/// As Outlook writes it.
private let outlook =
  "\"Subject\",\"Start Date\",\"Start Time\",\"End Date\",\"End Time\",\"All day event\",\"Reminder on/off\","
  + "\"Meeting Organizer\",\"Categories\",\"Description\",\"Location\",\"Private\",\"Show time as\"\r\n"

@Suite struct `Tables of other programs` {
  @Test func `a cell that is no time is refused however long it is, and however it ends`() throws {
    let agent = try AgentUnderTest()
    let cell = String(repeating: "AM", count: 200_000)
    let outcome = try agent.take("summary,start\nX,2026-11-21 \(cell)\nY,2026-11-21 9:00 AM AM\n")
    #expect(outcome.counts == [0, 0, 0, 2])
  }

  @Test func `of many columns that nobody knows some are named`() throws {
    let agent = try AgentUnderTest()
    let names = (0..<3000).map { "c\($0)" }.joined(separator: ",")
    let outcome = try agent.take("summary,start,ab,\(names)\nX,2026-11-21\n")
    #expect(outcome.counts == [1, 0, 0, 0])
    #expect(outcome.problems.count == 1)
    #expect(outcome.problems[0].contains("\"c8\" and 2991 more"))
  }

  @Test func `a NUL of a file does not go over the bus`() {
    let row = Row(
      problem: .init(
        line: 1, column: 1, uid: "a\0", word: "bad-cell", text: "\0b", severity: .refused))
    #expect(row.text(.uid) == "a\u{FFFD}" && row.text(.problemText) == "\u{FFFD}b")
  }

  @Test func `times in columns of their own count beside a column for the start`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take("summary,start,start time,end time\nX,2026-11-21,09:00,10:00\n")
    #expect(try agent.rows().map { $0.prefix(41) } == ["X|2026-11-21 09:00:00|2026-11-21 10:00:00"])
  }

  @Test func `Outlook's columns are read, with AM and PM and whole days`() throws {
    let agent = try AgentUnderTest()
    let table =
      outlook
      + "\"Team\",\"11/30/2026\",\"9:00:00 AM\",\"11/30/2026\",\"12:30:00 PM\",\"False\",\"True\",\"Ana\","
      + "\"Blue; Work\",\"Bring\r\nnotes\",\"Room 1\",\"True\",\"2\"\r\n"
      + "\"Fair\",\"12/1/2026\",\"12:00:00 AM\",\"12/3/2026\",\"12:00:00 AM\",\"True\",\"False\",,,,,"
      + "\"False\",\"3\"\r\n"
    let outcome = try agent.take(table)
    #expect(outcome.counts == [2, 0, 0, 0])
    #expect(
      try agent.rows() == [
        "Team|2026-11-30 09:00:00|2026-11-30 12:30:00|true|private|Blue, Work",
        "Fair|2026-12-01|2026-12-03|false|public|",
      ])
    #expect(
      outcome.problems == [
        "no-reminder-time: 1 row has a reminder without a time: it gets the calendar's reminders",
        "unknown-column: the column \"meeting organizer\" is ignored",
        "day-order: \"12/1/2026\" is read with the month first, as other days of the table must be",
      ])
    // The same again is what is there.
    #expect(try agent.take(table).counts == [0, 0, 2, 0])
  }

  /// The reminders of an event, as Get has them, and its status.
  private func reminders(_ agent: AgentUnderTest) throws -> [String] {
    let rows = try agent.call(Contract.events, "List", [.row([])])[0].asArray ?? []
    return try rows.map { row in
      let event = try agent.call(
        Contract.events, "Get", [.string(row["uid"]?.asString ?? ""), .string("")])[0]
      let reminders = event["reminders"]?.asStrings ?? ["-"]
      let status = event["status"]?.asString ?? ""
      return ([event["summary"]?.asString ?? ""] + reminders + [status]).joined(separator: " ")
    }
  }

  @Test func `Outlook's reminders and tentative times are taken over`() throws {
    let agent = try AgentUnderTest()
    let head =
      "Subject,Start Date,Start Time,End Date,End Time,All day event,Reminder on/off,Reminder Date,"
      + "Reminder Time,Show time as\r\n"
    let table =
      head + "A,11/30/2026,9:00:00 AM,11/30/2026,10:00:00 AM,False,True,11/30/2026,8:45:00 AM,1\r\n"
      + "B,11/30/2026,9:00:00 AM,11/30/2026,10:00:00 AM,False,True,11/28/2026,9:00:00 AM,2\r\n"
      + "C,12/24/2026,12:00:00 AM,12/25/2026,12:00:00 AM,True,True,12/23/2026,6:00:00 PM,3\r\n"
      + "D,11/30/2026,9:00:00 AM,11/30/2026,10:00:00 AM,False,False,11/30/2026,8:45:00 AM,4\r\n"
    let outcome = try agent.take(table)
    #expect(outcome.counts == [4, 0, 0, 0])
    #expect(outcome.problems.isEmpty, "\(outcome.problems)")
    let expected = ["A PT15M tentative", "B P2D confirmed", "C PT6H confirmed", "D none confirmed"]
    #expect(try reminders(agent) == expected)
    #expect(try agent.take(table).counts == [0, 0, 4, 0])
    let bad = try agent.take(
      head + "E,11/30/2026,9:00:00 AM,11/30/2026,10:00:00 AM,False,True,11/30/2026,soon,2\r\n")
    #expect(bad.counts == [0, 0, 0, 1])
    #expect(
      bad.problems == ["bad-cell: reminder-time: \"soon\" is not a time like 09:30"])
  }

  /// The columns of Outlook that say when, whether it rings, and how busy.
  private let ringing =
    "Subject,Start Date,Start Time,End Date,End Time,All day event,Reminder on/off,Reminder Date,"
    + "Reminder Time,Show time as\r\n"

  @Test func `a row is known again when it rings no more in Outlook, or is tentative no more`()
    throws
  {
    let agent = try AgentUnderTest()
    let times = "11/30/2026,9:00:00 AM,11/30/2026,10:00:00 AM,False"
    let bare = "Subject,Start Date,Start Time,End Date,End Time,All day event\r\nA,\(times)\r\n"
    #expect(try agent.take(bare).counts == [1, 0, 0, 0])
    // What was imported before such columns were read is known again, too.
    #expect(try agent.exportedText().contains("UID:datebook-f3a6c4a4d803b00e8fcef4417828fb47\r\n"))
    for rest in ["True,11/30/2026,8:45:00 AM,1", "True,11/30/2026,8:30:00 AM,2", "False,,,2"] {
      #expect(try agent.take("\(ringing)A,\(times),\(rest)\r\n").counts == [0, 0, 1, 0], "\(rest)")
    }
  }

  @Test func `an event that was cancelled here stays so when its table comes again`() throws {
    let agent = try AgentUnderTest()
    let table =
      "UID,\(ringing)a,A,11/30/2026,9:00:00 AM,11/30/2026,10:00:00 AM,False,False,,,2\r\n"
      + "b,B,11/30/2026,9:00:00 AM,11/30/2026,10:00:00 AM,False,False,,,1\r\n"
    _ = try agent.take(table)
    for uid in ["a", "b"] {
      _ = try agent.call(
        Contract.events, "Update",
        [.string(uid), .string(""), .string(""), .row([("status", .string("cancelled"))])])
    }
    #expect(try agent.take(table).counts == [0, 0, 2, 0])
    // How busy one is, is taken.
    #expect(try agent.take(table.replacing(",2\r\n", with: ",3\r\n")).counts == [0, 1, 1, 0])
    #expect(try reminders(agent) == ["A none cancelled", "B none cancelled"])
  }

  @Test func `the reminder of whole days counts from midnight, on the clock`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(
      ringing
        + "A,12/24/2026,9:00:00 AM,12/24/2026,10:00:00 AM,True,True,12/24/2026,8:45:00 AM,2\r\n"
        + "B,12/24/2026,12:00:00 AM,12/25/2026,12:00:00 AM,True,True,12/22/2026,6:00:00 PM,2\r\n"
        + "C,12/24/2026,9:00:00 AM,12/24/2026,10:00:00 AM,False,True,12/24/2026,8:45:00 AM,2\r\n")
    let lines = try agent.exportedText().split(separator: "\r\n")
    #expect(
      lines.filter { $0.hasPrefix("TRIGGER") } == [
        "TRIGGER;X-DATEBOOK-CLOCK=TRUE:PT8H45M", "TRIGGER;X-DATEBOOK-CLOCK=TRUE:-P1DT6H",
        "TRIGGER:-PT15M",
      ])
  }

  @Test func `Outlook's German columns are read, in Windows-1252 too`() throws {
    let agent = try AgentUnderTest()
    let table =
      "\"Betreff\",\"Beginnt am\",\"Beginnt um\",\"Endet am\",\"Endet um\",\"Ganztägiges Ereignis\","
      + "\"Erinnerung Ein/Aus\",\"Erinnerung am\",\"Erinnerung um\",\"Beschreibung\",\"Kategorien\",\"Ort\","
      + "\"Privat\",\"Zeitspanne zeigen als\"\r\n"
      + "\"Sitzung\",\"30.11.2026\",\"09:00:00\",\"30.11.2026\",\"10:00:00\",\"Aus\",\"Ein\","
      + "\"30.11.2026\",\"08:30:00\",\"Text\",\"Arbeit\",\"Köln\",\"Ein\",\"1\"\r\n"
      + "\"Urlaub\",\"24.12.2026\",\"00:00:00\",\"27.12.2026\",\"00:00:00\",\"Ein\",\"Aus\",,,,,,\"Aus\","
      + "\"3\"\r\n"
    let latin = table.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    let path = agent.files.file("outlook.csv")
    try agent.files.write(latin, to: "outlook.csv")
    let file = try Platform.FileDescriptor.opening(path)
    let answer = try agent.call(
      Contract.transfer, "Import",
      [
        .fileDescriptor(try DBus.FileDescriptor(duplicating: file.number)), .string(""),
        .string(""), .string(""), .row([]),
      ])
    #expect(importCounts(answer[0]) == [2, 0, 0, 0])
    #expect(
      try agent.rows() == [
        "Sitzung|2026-11-30 09:00:00|2026-11-30 10:00:00|true|private|Arbeit",
        "Urlaub|2026-12-24|2026-12-27|false|public|",
      ])
    #expect(try reminders(agent) == ["Sitzung PT30M tentative", "Urlaub none confirmed"])
    #expect(try agent.take(table).counts == [0, 0, 2, 0])
  }

  @Test
  func `Google's columns are read: whole days end on their End Date, and a time may be left out`()
    throws
  {
    let agent = try AgentUnderTest()
    let outcome = try agent.take(
      """
      Subject,Start Date,Start Time,End Date,End Time,All Day Event
      Exam,30/05/2026,10:00 AM,30/05/2026,1:00 PM,False
      Trip,01.06.2026,,03.06.2026,,True
      Day,2026-06-04,,,,
      Call,2026-06-05,11:15 PM,,11:45 pm,
      Tea,2026-06-06,4 PM,,,

      """)
    #expect(outcome.counts == [5, 0, 0, 0])
    #expect(outcome.problems.isEmpty)
    #expect(
      try agent.rows().map { $0.split(separator: "|").prefix(3).joined(separator: "|") } == [
        "Exam|2026-05-30 10:00:00|2026-05-30 13:00:00", "Trip|2026-06-01|2026-06-04",
        "Day|2026-06-04|2026-06-05", "Call|2026-06-05 23:15:00|2026-06-05 23:45:00",
        "Tea|2026-06-06 16:00:00|2026-06-06 17:00:00",
      ])
  }

  @Test func `a day that could be read in both orders is refused where none of the others says`()
    throws
  {
    let agent = try AgentUnderTest()
    let outcome = try agent.take(
      "Subject,Start Date,Start Time\nA,03/04/2026,9:00 AM\nB,2026-04-03,13:00 AM\n")
    #expect(outcome.counts == [0, 0, 0, 2])
    #expect(outcome.problems[0].contains("could have the day or the month first"))
    #expect(outcome.problems[1].contains("\"2026-04-03 13:00 AM\""), "\(outcome.problems)")
  }
}

@Suite struct `Tables of spreadsheets` {
  @Test func `a German one is read: semicolons, days with dots, WAHR and FALSCH`() throws {
    let agent = try AgentUnderTest()
    let outcome = try agent.take(
      "summary;start;end;busy\nKaffee;30.11.2026 09:00;30.11.2026 10:00;FALSCH\n"
        + "Frei;24.12.2026;27.12.2026;WAHR\n")
    #expect(outcome.counts == [2, 0, 0, 0] && outcome.problems.isEmpty)
    #expect(
      try agent.rows() == [
        "Kaffee|2026-11-30 09:00:00|2026-11-30 10:00:00|false|public|",
        "Frei|2026-12-24|2026-12-27|true|public|",
      ])
  }

  @Test(arguments: [
    ("VRAI", true), ("Faux", false), ("verdadero", true), ("FALSO", false), ("VERO", true),
    ("1", true),
    ("0", false), ("yes", true), ("No", false), ("FAŁSZ", false),
  ])
  func `true and false are known in other languages`(word: String, truth: Bool) {
    #expect(TableWords.truth(word) == truth)
  }

  @Test func `another word says what to write`() throws {
    let outcome = try AgentUnderTest().take("summary,start,busy\nA,2026-11-30,often\n")
    #expect(outcome.counts == [0, 0, 0, 1])
    #expect(
      outcome.problems == [
        "bad-cell: busy: \"often\" is neither true nor false: write true or false"
      ])
  }

  @Test func `an event without an end takes an hour, and one without a time a day`() throws {
    let agent = try AgentUnderTest()
    let table =
      "uid,summary,start,end\na,A,2026-11-30 09:00,\nb,B,2026-12-01,\nc,C,2026-12-02 09:00,2026-12-02 09:00\n"
    #expect(try agent.take(table).counts == [3, 0, 0, 0])
    #expect(
      try agent.rows().map { $0.split(separator: "|").prefix(3).joined(separator: "|") } == [
        "A|2026-11-30 09:00:00|2026-11-30 10:00:00", "B|2026-12-01|2026-12-02",
        "C|2026-12-02 09:00:00|2026-12-02 09:00:00",
      ])
    #expect(try agent.take(table).counts == [0, 0, 3, 0])
    // Without the column the events that are there keep theirs.
    #expect(try agent.take("uid,summary,start\nc,C,2026-12-02 09:00\n").counts == [0, 0, 1, 0])
  }
}
