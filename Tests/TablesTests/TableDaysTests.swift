import CalendarModel
import CivilTime
import ICalendar
import TestSupport
import Testing

@testable import Tables

@Suite struct `Days in tables` {
  /// Returns the first days of a table with these starts, and what was said of its rows.
  private func days(_ starts: [String]) throws -> (days: [String], problems: [String]) {
    let rows = starts.enumerated().map { "u\($0),Tea,\($1)\n" }
    var reader = EventTableReader(
      Array(("uid,summary,start\n" + rows.joined()).utf8),
      calendars: TableCalendars(usual: CalendarID("personal")), zones: FixedZones.shared,
      now: Timestamp(seconds: 1_900_000_000))
    while try reader.readSome(100) {}
    var stream = try reader.events()
    var series: [EventSeries] = []
    while !stream.isAtEnd { series += stream.next(100) }
    let rest = try stream.rest()
    return (
      series.compactMap { $0.master?.start.reading.date.description },
      rest.problems.map { "\($0)" }
    )
  }

  @Test(arguments: ["-", "/", "."])
  func `one day that allows but one order settles it for all`(mark: String) throws {
    func written(_ days: [String]) -> [String] {
      days.map { $0.split(separator: "/").joined(separator: mark) }
    }
    #expect(
      try days(written(["3/12/2026", "21/12/2026", "04/05/2027"])).days
        == ["2026-12-03", "2026-12-21", "2027-05-04"])
    #expect(
      try days(written(["3/12/2026", "12/21/2026", "04/05/2027"])).days
        == ["2026-03-12", "2026-12-21", "2027-04-05"])
  }

  @Test func `a day with another mark settles it, too`() throws {
    #expect(try days(["3-12-2026", "21/12/2026"]).days == ["2026-12-03", "2026-12-21"])
  }

  @Test func `a day with dots has the day first, whatever the others have`() throws {
    let mixed = try days(["3.12.2026", "12/21/2026", "4/5/2027"])
    #expect(mixed.days == ["2026-12-03", "2026-12-21", "2027-04-05"])
    #expect(mixed.problems.contains { $0.contains("\"4/5/2027\" is read with the month first") })
  }

  @Test func `where nothing settles it, only a day with dots is read`() throws {
    #expect(try days(["3.12.2026", "4.5.2027"]).days == ["2026-12-03", "2027-05-04"])
    let either = try days(["3-12-2026", "4/5/2027"])
    #expect(either.days.isEmpty)
    #expect(either.problems.contains { $0.contains("the day or the month first") })
  }

  @Test func `days in two orders are not read, but those with dots`() throws {
    let both = try days(["21-12-2026", "12-21-2026", "3.12.2026"])
    #expect(both.days == ["2026-12-03"])
    for (value, other) in [("21-12-2026", "12-21-2026"), ("12-21-2026", "21-12-2026")] {
      #expect(
        both.problems.contains { $0.contains("\"\(value)\" and \"\(other)\" are not written") })
    }
  }

  @Test func `a day that begins with the year needs no other`() throws {
    #expect(
      try days(["2026/12/3", "2026.12.03", "2026-12-03"]).days
        == Array(repeating: "2026-12-03", count: 3))
  }

  @Test(arguments: ["21-13-2026", "31-2-2026", "21-12/2026", "21-12-26", "1-21-12-2026"])
  func `what is no day is refused`(text: String) throws {
    #expect(try days([text]).days.isEmpty)
  }
}
