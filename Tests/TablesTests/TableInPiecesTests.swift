import CalendarModel
import CivilTime
import ICalendar
import TestSupport
import Testing

@testable import Tables

@Suite struct `A table that is read in pieces` {
  /// Rows of few uids in any order, with changed occurrences, cells that cannot be read, and what breaks rows.
  private func randomTable(_ random: inout SeededGenerator) -> [UInt8] {
    func one(_ texts: String...) -> String { texts.randomElement(using: &random) ?? "" }
    var text = "uid,recurrence-id,calendar,start,rrule,summary,exdate\n"
    for _ in 0..<Int.random(in: 1...150, using: &random) {
      text +=
        [
          one("", "u\(Int.random(in: 0..<90, using: &random))"), one("", "", "2026-11-21 09:00:00"),
          one("", "Work", "Nowhere"),
          one("2026-11-21 09:00:00", "2026-11-22", "11/22/2026", "soon", "22.11.2026"),
          one("", "FREQ=DAILY;COUNT=3", "FREQ=SOON"),
          one("Tea", "\"Tea, \n\"\"green\"\"\"", "T\u{e9}"),
          one("", "2026-11-22 09:00:00", "never"),
        ].joined(separator: ",") + one("\n", "\r\n", "\n\n", ",more\n")
    }
    // Now and then a quote that nobody closes.
    return Array((text + (Int.random(in: 0..<20, using: &random) == 0 ? "\"" : "")).utf8)
  }

  private func read(
    _ text: [UInt8], _ count: () -> Int
  ) throws -> (series: [EventSeries], rest: CalendarReading) {
    let calendars = ["Personal", "Work"].map {
      CalendarInfo(id: CalendarID($0.lowercased()), name: $0, color: EventColor.palette[0])
    }
    var reader = EventTableReader(
      text,
      calendars: TableCalendars(
        usual: CalendarID("personal"), isGiven: false, calendars: calendars),
      zones: FixedZones.shared, now: Timestamp(seconds: 1_900_000_000))
    while try reader.readSome(count()) {}
    var stream = try reader.events()
    var series: [EventSeries] = []
    while !stream.isAtEnd { series += stream.next(count()) }
    let rest = try stream.rest()
    for late in rest.series {
      let place = try #require(
        series.firstIndex { $0.uid == late.uid && $0.calendar == late.calendar })
      series[place] = series[place].joined(by: late)
    }
    return (series, rest)
  }

  @Test func `it comes to the same as at once`() throws {
    var refused = 0
    for seed in 0..<UInt64(rounds(30, long: 150)) {
      var random = SeededGenerator(seed: seed)
      let text = randomTable(&random)
      let whole = Result { try read(text) { 1_000_000 } }
      let inPieces = Result { try read(text) { .random(in: 1...9, using: &random) } }
      switch (whole, inPieces) {
      case (.success(let whole), .success(let inPieces)):
        #expect(
          inPieces.series.map(\.calendar) == whole.series.map(\.calendar), "seed \(seed)")
        #expect(
          inPieces.series.map(\.components) == whole.series.map(\.components), "seed \(seed)")
        #expect(inPieces.rest.problems == whole.rest.problems, "seed \(seed)")
        #expect(inPieces.rest.skipped == whole.rest.skipped, "seed \(seed)")
      case (.failure(let whole), .failure(let inPieces)):
        #expect("\(whole)" == "\(inPieces)", "seed \(seed)")
        refused += 1
      default: Issue.record("seed \(seed): \(whole) and in pieces \(inPieces)")
      }
    }
    #expect(refused > 0)
  }
}
