import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import ICalendar

@Suite struct `Events of one UID` {
  private func event(_ uid: String, _ start: String, _ lines: String...) -> String {
    "BEGIN:VEVENT\r\nUID:\(uid)\r\nDTSTART\(start)\r\n"
      + lines.map { $0 + "\r\n" }.joined() + "END:VEVENT\r\n"
  }

  private func read(_ events: String...) throws -> CalendarReading {
    try readCalendar(text(events), calendar: CalendarID("tests"), zones: FixedZones.shared)
  }

  private func text(_ events: [String]) -> [UInt8] {
    Array(("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + events.joined() + "END:VCALENDAR\r\n").utf8)
  }

  private func names(_ reading: CalendarReading) -> [String] {
    reading.series.map { "\($0.uid) \($0.components[0].summary)" }
  }

  private func problems(_ reading: CalendarReading) -> [String] {
    reading.problems.map { "\($0.line) \($0.uid) \($0.word)" }
  }

  @Test func `those of a timetable are all kept, under the same UIDs each time`() throws {
    let timetable = [
      event("c", ":20261201T080000Z", "SUMMARY:Physics"),
      event("c", ";VALUE=DATE:20261202", "SUMMARY:Physics"),
      event("c", ";TZID=Europe/Berlin:20261203T090000", "SUMMARY:Physics"),
      event("c", ";TZID=Europe/Berlin:20261203T090000", "SUMMARY:Sports"),
      event("c", ":20261203T090000", "SUMMARY:Sports"),
      event("c", ":20261203T090000", "SUMMARY:Sports"),
    ]
    let reading = try read(timetable.joined())
    #expect(
      names(reading) == [
        "c Physics", "c-20261202 Physics", "c-20261203T090000 Physics",
        "c-20261203T090000-0619e3102f839c25 Sports", "c-20261203T090000-7db678cfa54a8482 Sports",
      ])
    for one in reading.series {
      #expect(one.master?.component.contains("UID:\(one.uid)\r\n") == true)
    }
    // The last is the same as the one before.
    #expect(problems(reading) == ["8 c duplicate-uid"])
    #expect(reading.problems[0].text.contains("\"c-20261202\""))
    #expect(reading.skipped == 0)
    #expect(names(try read(timetable.joined())) == names(reading))
  }

  @Test func `of two that begin alike and are called otherwise none is lost`() throws {
    let reading = try read(
      event("c", ":20261201T080000Z", "SUMMARY:Physics"),
      event("c", ":20261201T080000Z", "SUMMARY:Sports"))
    #expect(names(reading) == ["c Physics", "c-20261201T080000Z Sports"])
  }

  /// What is in the two, and the line of the one that is left out.
  @Test(arguments: [
    (["SEQUENCE:1"], ["SEQUENCE:2"], 3, "further on; that version has a higher SEQUENCE"),
    (["SEQUENCE:2"], ["SEQUENCE:1"], 9, "further up; that version has a higher SEQUENCE"),
    (
      ["DTSTAMP:20260101T000000Z"], ["DTSTAMP:20260102T000000Z"], 3,
      "further on; that version has a later DTSTAMP"
    ),
    (
      ["LAST-MODIFIED:20260102T000000Z"], ["LAST-MODIFIED:20260101T000000Z"], 9,
      "further up; that version has a later LAST-MODIFIED"
    ),
    (
      ["LAST-MODIFIED:20260102T000000Z", "DTSTAMP:20260103T000000Z"],
      ["LAST-MODIFIED:20260101T000000Z", "DTSTAMP:20260104T000000Z"], 10,
      "further up; that version has a later LAST-MODIFIED"
    ),
    (
      ["LAST-MODIFIED:20260102T000000Z"], ["DTSTAMP:20260103T000000Z"], 3,
      "further on; that version has a later DTSTAMP"
    ),
  ])
  func `the newer version counts, and the one that is left out is told`(
    first: [String], second: [String], line: Int, reason: String
  ) throws {
    func event(_ start: String, _ lines: [String]) -> String {
      "BEGIN:VEVENT\r\nUID:c\r\nDTSTART:\(start)\r\n"
        + lines.map { $0 + "\r\n" }.joined() + "END:VEVENT\r\n"
    }
    let reading = try read(
      event("20261201T080000Z", first + ["SUMMARY:Old"]),
      event("20261202T080000Z", second + ["SUMMARY:New"]))
    #expect(names(reading) == [line == 3 ? "c New" : "c Old"])
    #expect(problems(reading) == ["\(line) c duplicate-uid"])
    #expect(reading.problems[0].text.hasSuffix(reason), "\(reading.problems[0].text)")
    #expect(reading.problems[0].severity == .tolerated)
    #expect(reading.problems[0].summary == (line == 3 ? "Old" : "New"))
    #expect(reading.problems[0].otherLine == (line == 3 ? 8 + first.count : 3))
  }

  @Test func `of two VCALENDARs the later one counts, and a timetable of each stays whole`() throws
  {
    func read(_ calendars: [String]...) throws -> CalendarReading {
      try readCalendar(
        calendars.flatMap(text), calendar: CalendarID("tests"), zones: FixedZones.shared)
    }
    let (old, new) = (
      event("c", ":20261201T080000Z", "SUMMARY:Tea"),
      event("c", ":20261202T080000Z", "SUMMARY:Tea")
    )
    let reading = try read([old], [new])
    #expect(reading.series.map { $0.master?.component } == [new])
    #expect(problems(reading) == ["3 c duplicate-uid"])
    #expect(
      reading.problems[0].text.contains("further on; both are as new, and the last one is used"))
    #expect(names(try read([old, new], [old, new])) == ["c Tea", "c-20261202T080000Z Tea"])
    #expect(names(try read([old, new], [new, old])) == ["c Tea", "c-20261202T080000Z Tea"])
  }

  @Test(arguments: [
    ("SEQUENCE:2", "SEQUENCE:1", "further up; that version has a higher SEQUENCE"),
    ("SEQUENCE:1", "SEQUENCE:2", "further on; that version has a higher SEQUENCE"),
    ("SEQUENCE:1", "SEQUENCE:1", "further on; both are as new, and the last one is used"),
  ])
  func `of two versions of one occurrence the newer counts, and the other is told`(
    first: String, second: String, reason: String
  ) throws {
    func exception(_ version: String, _ summary: String) -> String {
      event("c", ":20261202T100000Z", "RECURRENCE-ID:20261202T080000Z", version, summary)
    }
    let series = event("c", ":20261201T080000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Daily")
    let (one, other) = (exception(first, "SUMMARY:One"), exception(second, "SUMMARY:Other"))
    let isFirst = reason.contains("further up")
    for (text, line) in [([series, one, other], 9), ([one, other, series], 3)] {
      let reading = try read(text.joined())
      #expect(
        reading.series.map { $0.overrides.map(\.summary) } == [[isFirst ? "One" : "Other"]])
      #expect(problems(reading) == ["\(isFirst ? line + 7 : line) c duplicate-uid"])
      #expect(reading.problems[0].summary == (isFirst ? "Other" : "One"))
      #expect(reading.problems[0].otherLine == (isFirst ? line : line + 7))
      #expect(
        reading.problems[0].text
          == "VEVENT: left out: the file has another of this UID and RECURRENCE-ID \(reason)")
      #expect(reading.problems[0].severity == .tolerated)
      #expect(reading.skipped == 0)
    }
    // The same once more is no loss.
    #expect(problems(try read(series, one, one)) == [])
  }

  @Test func `of two as new that begin and are called alike the later one counts, and it is told`()
    throws
  {
    let reading = try read(
      event("c", ":20261201T080000Z", "SUMMARY:Tea", "LOCATION:Here"),
      event("c", ":20261201T080000Z", "SUMMARY:Tea", "LOCATION:There"))
    #expect(reading.series.map { $0.master?.location } == ["There"])
    #expect(problems(reading) == ["3 c duplicate-uid"])
  }

  @Test func `nothing is told of what is there twice but for DTSTAMP`() throws {
    let reading = try read(
      event("c", ":20261201T080000Z", "DTSTAMP:20260101T000000Z", "SUMMARY:Tea"),
      event("c", ":20261201T080000Z", "DTSTAMP:20260102T000000Z", "SUMMARY:Tea"))
    #expect(names(reading) == ["c Tea"])
    #expect(reading.problems == [])
  }

  @Test func `exceptions stay with the first, and to-dos without a date are told apart, too`()
    throws
  {
    let series = event("c", ":20261201T080000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Daily")
    let exception = event(
      "c", ":20261202T100000Z", "RECURRENCE-ID:20261202T080000Z", "SUMMARY:Later")
    let reading = try read(series, event("c", ":20261220T080000Z", "SUMMARY:Other"), exception)
    #expect(names(reading) == ["c Daily", "c-20261220T080000Z Other"])
    #expect(reading.series.map(\.overrides.count) == [1, 0])
    let toDos = ["Milk", "Bread"].map { "BEGIN:VTODO\r\nUID:t\r\nSUMMARY:\($0)\r\nEND:VTODO\r\n" }
    #expect(names(try read(toDos.joined())) == ["t Milk", "t-undated Bread"])
  }

  @Test func `a stream gives the same where they stand far from each other`() throws {
    var events = (0..<300).map { event("u\($0)", ":20261121T090000Z", "SUMMARY:\($0)") }
    let exception = "RECURRENCE-ID:20261121T090000Z"
    events[6] = event("u6", ":20261121T100000Z", exception, "SUMMARY:6", "SEQUENCE:1")
    events[7] = event("u7", ":20261121T100000Z", exception, "SUMMARY:7")
    events.append(event("u3", ":20261122T090000Z", "SUMMARY:other"))
    events.append(event("u4", ":20261121T090000Z", "SUMMARY:4"))
    events.append(event("u5", ":20261122T090000Z", "SEQUENCE:2", "SUMMARY:newer"))
    events.append(event("u6", ":20261121T100000Z", exception, "SUMMARY:older"))
    events.append(event("u7", ":20261121T100000Z", exception, "SUMMARY:newer", "SEQUENCE:1"))
    events.append(event("u3", ":20261122T090000Z", "SUMMARY:other", "LOCATION:There"))
    let whole = try read(events.joined())
    var stream = try CalendarStream(
      text(events), calendar: CalendarID("tests"), zones: FixedZones.shared)
    var series: [EventSeries] = []
    while true {
      let some = stream.next(50)
      if some.isEmpty { break }
      series += some
    }
    let rest = try stream.rest()
    #expect(rest.series.map(\.uid.text) == ["u4", "u5", "u7"])
    #expect(series.map(\.uid) == whole.series.map(\.uid))
    // What the older one was called is not known any more where it was handed over.
    #expect(rest.problems.map(\.description) == whole.problems.map(\.description))
    #expect(rest.problems.map(\.otherLine) == whole.problems.map(\.otherLine))
    #expect(whole.problems.map(\.uid) == ["u3", "u5", "u6", "u7", "u3-20261122T090000Z"])
  }
}
