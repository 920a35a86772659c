import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import ICalendar

/// The VCALENDARs of one text are as files that are read one after the other, such as the backups of two months.
@Suite struct `Exceptions that a newer version of their series has not` {
  private func event(_ stamp: String, _ lines: String...) -> String {
    (["BEGIN:VEVENT", "UID:a", "LAST-MODIFIED:\(stamp)T000000Z"] + lines + ["END:VEVENT", ""])
      .joined(separator: "\r\n")
  }

  private func series(_ stamp: String, _ summary: String) -> String {
    event(
      stamp, "DTSTART:20261201T180000Z", "RRULE:FREQ=WEEKLY;COUNT=5", "SUMMARY:\(summary)")
  }

  private func exception(_ stamp: String, _ summary: String = "moved") -> String {
    event(
      stamp, "RECURRENCE-ID:20261208T180000Z", "DTSTART:20261208T170000Z", "SUMMARY:\(summary)")
  }

  private func calendar(_ events: String...) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + events.joined() + "END:VCALENDAR\r\n"
  }

  /// So many series that have nothing to do with it: what comes behind them is far behind.
  private func others(_ count: Int) -> String {
    (0..<count).map {
      "BEGIN:VEVENT\r\nUID:other\($0)\r\nDTSTART:20261201T180000Z\r\nEND:VEVENT\r\n"
    }.joined()
  }

  /// The titles of the series, read at once; in parts it is the same.
  private func titles(_ text: String) throws -> [String] {
    let text = Array(text.utf8)
    let reading = try readCalendar(text, calendar: CalendarID("tests"), zones: FixedZones.shared)
    let series = try #require(reading.series.first { $0.uid.text == "a" })
    var known: [Int: LateProperties] = [:]
    while true {
      var stream = try CalendarStream(
        text, calendar: CalendarID("tests"), zones: FixedZones.shared, known: known)
      var all: [EventSeries] = []
      while !stream.isAtEnd { all += stream.next(20) }
      let rest = try stream.rest()
      for late in rest.series {
        let place = try #require(all.firstIndex { $0.uid == late.uid })
        all[place] = all[place].joined(by: late)
      }
      if stream.late.isEmpty {
        #expect(all.map(\.components) == reading.series.map(\.components))
        // Titles of what stood long before are not known any more.
        #expect(rest.problems.map(\.line) == reading.problems.map(\.line))
        #expect(rest.problems.map(\.text) == reading.problems.map(\.text))
        break
      }
      #expect(known != stream.late)
      known = stream.late
    }
    return series.components.map(\.summary)
  }

  @Test(arguments: [0, 300], [true, false])
  func `go, and it is told, whichever version stands first`(between: Int, isOldFirst: Bool) throws {
    let (old, new) = (
      calendar(series("20261101", "old"), exception("20261101")),
      calendar(series("20261110", "new"))
    )
    let text = (isOldFirst ? old : new) + calendar(others(between)) + (isOldFirst ? new : old)
    #expect(try titles(text) == ["new"])
    let reading = try readCalendar(
      Array(text.utf8), calendar: CalendarID("tests"), zones: FixedZones.shared)
    #expect(reading.problems.map(\.word) == ["duplicate-uid", "duplicate-uid"])
    #expect(reading.problems.contains { $0.text.contains("no such override") })
    #expect(reading.skipped == 0)
  }

  @Test(arguments: [0, 300])
  func `stay where the newer version has them as well, also as they were`(between: Int) throws {
    for (old, new) in [("20261101", "20261101"), ("20261101", "20261105")] {
      let first = calendar(series("20261101", "old"), exception(old, old))
      let second = calendar(series("20261110", "new"), exception(new, new))
      let middle = calendar(others(between))
      #expect(try titles(first + middle + second) == ["new", new])
      #expect(try titles(second + middle + first) == ["new", new])
    }
  }

  @Test
  func `stay where they were changed after the series, or come without another version of it`()
    throws
  {
    let new = calendar(series("20261110", "new"))
    #expect(
      try titles(calendar(series("20261101", "old"), exception("20261120")) + new)
        == ["new", "moved"])
    #expect(try titles(calendar(exception("20261101")) + new) == ["new", "moved"])
    // In one VCALENDAR an exception may well be older than its series.
    #expect(
      try titles(calendar(series("20261110", "new"), exception("20261101"))) == ["new", "moved"])
    // Nobody knows which of two versions is the newer one.
    #expect(
      try titles(
        calendar(series("20261110", "A"), exception("20261101"))
          + calendar(series("20261110", "B"))) == ["B", "moved"])
  }

  /// A request may bring a series without its exceptions.
  @Test func `stay where the newer version is not the whole of it`() throws {
    let new = calendar("METHOD:REQUEST\r\n", series("20261110", "new"))
    #expect(
      try titles(calendar(series("20261101", "old"), exception("20261101")) + new)
        == ["new", "moved"])
  }

  @Test func `stay where what seemed the newer one is an answer, as its end says`() throws {
    let answer = calendar(series("20261110", "answer"), "METHOD:REPLY\r\n")
    #expect(
      try titles(calendar(series("20261101", "old"), exception("20261101")) + answer)
        == ["old", "moved"])
  }

  @Test func `a feed that only says when it was made is no newer version`() throws {
    let feed = calendar(
      "METHOD:PUBLISH\r\n",
      series("20261110", "feed").replacing("LAST-MODIFIED", with: "DTSTAMP"))
    let own = calendar(series("20261101", "own"), exception("20261101"))
    #expect(try titles(own + feed) == ["own", "moved"])
    #expect(try titles(feed + own) == ["own", "moved"])
  }

  @Test func `of three versions those of the first two go`() throws {
    let text =
      calendar(series("20261101", "A"), exception("20261101", "of A"))
      + calendar(series("20261103", "B"), exception("20261102", "of B"))
      + calendar(series("20261110", "C"))
    #expect(try titles(text) == ["C"])
  }
}
