import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarModel

@Suite struct `Days on which a series is crowded` {
  private let context = ZoneContext.fixed("Europe/Berlin")

  /// The rows of a span "from/to" (instants) of Berlin: "COUNT SPAN", the identifier with those that are one.
  private func rows(
    _ all: [EventSeries], _ span: String = "20261121T230000Z/20261122T230000Z", limit: Int = .max,
    rule: CrowdedDays? = nil
  ) throws -> [String] {
    let ends = try span.split(separator: "/").map { try Timestamp(text: $0) }
    var found = EarliestOccurrences(
      in: TimeSpan(start: ends[0], end: ends[1]), limit: limit,
      days: rule ?? CrowdedDays(in: context.local))
    for series in all {
      found.add(try #require(try PlacedSeries(series, context: context)), budget: nil) { _ in true }
    }
    return found.sorted().map {
      let span = "\($0.span.start.basicText)/\($0.span.end.basicText)"
      return $0.count == 1 ? $0.drawn : "\($0.count) \(span)"
    }
  }

  private func series(
    _ start: String, _ rule: String, _ length: String = "", overrides: [Event] = []
  ) throws -> EventSeries {
    EventSeries(try Event(start, length, rule: rule), overrides: overrides)
  }

  @Test func `96 are so many rows, and 97 are one`() throws {
    let quarters = try series("20260101T000000 Europe/Berlin", "FREQ=MINUTELY;INTERVAL=15")
    #expect(try rows([quarters]).count == 96)
    let more = try series(
      "20260101T000000 Europe/Berlin", "FREQ=MINUTELY;INTERVAL=15",
      overrides: [try Event("20261122T120500Z", instead: "20261120T120000Z")])
    #expect(try rows([more]) == ["97 20261121T230000Z/20261122T224500Z"])
  }

  @Test func `a row lasts from the first start of its day to the last end`() throws {
    let tick = try series(
      "20260101T000000 Europe/Berlin", "FREQ=MINUTELY;INTERVAL=2;BYHOUR=9,10,11,12", "PT5M")
    #expect(try rows([tick]) == ["120 20261122T080000Z/20261122T120300Z"])
    // In whatever part of the day one looks.
    #expect(
      try rows([tick], "20261122T110000Z/20261122T110001Z")
        == ["120 20261122T080000Z/20261122T120300Z"])
    #expect(try rows([tick], "20261122T130000Z/20261122T140000Z").isEmpty)
  }

  @Test func `what runs past midnight is of the day on which it began`() throws {
    let tick = try series("20260101T000000 Europe/Berlin", "FREQ=MINUTELY", "PT1H")
    #expect(
      try rows([tick]) == [
        "1440 20261120T230000Z/20261121T235900Z", "1440 20261121T230000Z/20261122T235900Z",
      ])
    // But not past the day after.
    let pile = try series("20261121T090000Z", "FREQ=MINUTELY", "P30D")
    #expect(
      try rows([pile]) == [
        "840 20261121T090000Z/20261122T230000Z", "1440 20261121T230000Z/20261123T230000Z",
      ])
  }

  @Test func `the few of a dense rule are shown as long as they last`() throws {
    let trips = try series("20261121T090000Z", "FREQ=MINUTELY;COUNT=3", "P5D")
    #expect(try rows([trips], "20261123T230000Z/20261124T230000Z").count == 3)
    #expect(try rows([trips], "20261126T090100Z/20261126T230000Z").count == 1)
    #expect(try rows([trips], "20261126T090200Z/20261126T230000Z").isEmpty)
  }

  @Test func `days of 23 and of 25 hours have what begins on them`() throws {
    let tick = try series("20260101T000000 Europe/Berlin", "FREQ=MINUTELY;INTERVAL=5")
    #expect(
      try rows([tick], "20260328T230000Z/20260329T220000Z")
        == ["276 20260328T230000Z/20260329T215500Z"])
    let whole = "20261024T220000Z/20261025T230000Z"
    #expect(
      try rows([tick], whole) == ["\(tick.drawn(whole).count) 20261024T220000Z/20261025T225500Z"])
  }

  @Test func `more than one a minute has no number, and its last end`() throws {
    let tick = try series("20260101T000000 Europe/Berlin", "FREQ=SECONDLY", "PT1S")
    let hour = try series("20260101T000000 Europe/Berlin", "FREQ=SECONDLY;BYHOUR=9")
    let rule = CrowdedDays(in: context.local)
    #expect(
      try rows([tick, hour], rule: rule) == [
        "0 20261121T230000Z/20261122T230000Z", "0 20261122T080000Z/20261122T085959Z",
      ])
    // A search by halves each day.
    #expect(rule.steps < 200)
  }

  @Test func `so many years are not walked through`() throws {
    let rule = CrowdedDays(in: context.local)
    let tick = try series("20260101T000000Z", "FREQ=SECONDLY")
    #expect(try rows([tick], "20261122T000000Z/99990101T000000Z", limit: 3, rule: rule).count == 3)
    #expect(rule.steps < 100)
  }

  @Test func `the few of a day on which such a rule begins or ends are counted`() throws {
    let few = try series("20261122T100000Z", "FREQ=SECONDLY;UNTIL=20261122T100029Z")
    #expect(try rows([few]).count == 30)
    let more = try series("20261122T100000Z", "FREQ=SECONDLY;UNTIL=20261122T101959Z")
    #expect(try rows([more]) == ["1200 20261122T100000Z/20261122T101959Z"])
    let late = try series("20261122T225931Z", "FREQ=SECONDLY")
    #expect(try rows([late]).count == 29)
  }

  @Test func `few are listed, however far they are from one another`() throws {
    let slow = "FREQ=SECONDLY;INTERVAL=30"
    #expect(try rows([series("20261122T100000Z", "\(slow);COUNT=60")]).count == 60)
    #expect(try rows([series("20261122T100000Z", "\(slow);COUNT=96")]).count == 96)
    #expect(
      try rows([series("20261122T100000Z", "\(slow);COUNT=97")])
        == ["0 20261122T100000Z/20261122T104800Z"])
    // The start is not in the hour of the rule.
    let apart = try series("20261122T085000Z", "\(slow);BYHOUR=9;COUNT=80")
    #expect(try rows([apart]).count == 80)
    let early = try Event("20261122T080000Z", instead: "20261122T100005Z")
    let moved = try series("20261122T100000Z", "FREQ=SECONDLY;COUNT=30", overrides: [early])
    #expect(try rows([moved]).count == 30)
  }

  @Test func `few are listed when the budget for counting is spent`() throws {
    let tick = try series(
      "20260101T000000 Europe/Berlin", "FREQ=MINUTELY;INTERVAL=10;BYHOUR=9,10,11,12,13,14,15,16")
    #expect(try rows([tick], rule: CrowdedDays(in: context.local, steps: 0)).count == 48)
  }

  @Test func `a row that is not counted ends with the longest of the last`() throws {
    let short = try Event("20261122T085959Z", instead: "20261120T080000Z")
    let tick = try series("20261120T080000Z", "FREQ=SECONDLY;BYHOUR=8", "PT1H", overrides: [short])
    #expect(try rows([tick]) == ["0 20261122T080000Z/20261122T095959Z"])
  }

  @Test func `exceptions on a day that such a rule leaves free are as many rows`() throws {
    let moved = try (0..<3).map {
      try Event("20261122T1\($0)0000Z", instead: "20261120T10000\($0)Z")
    }
    let friday = try series("20261120T100000Z", "FREQ=SECONDLY;BYDAY=FR", overrides: moved)
    #expect(try rows([friday]).count == 3)
  }

  @Test func `a spent budget counts no more, and shows every day`() throws {
    let rule = CrowdedDays(in: context.local, steps: 5000)
    let all = try (0..<50).map { number in
      var event = try Event("20260101T000000 Europe/Berlin", rule: "FREQ=MINUTELY")
      event.uid = EventUID("\(number)")
      return EventSeries(event)
    }
    let found = try rows(all, rule: rule)
    #expect(found.count == 50)
    #expect(found.count { $0.hasPrefix("1440 ") } == 2)
    #expect(found.count { $0.hasPrefix("0 ") } == 48)
    #expect(rule.steps < 20_000)
  }

  @Test func `other series and other days stay as they are`() throws {
    let evening = try series("20261121T220000Z", "FREQ=MINUTELY;UNTIL=20261122T235000Z")
    let dinner = EventSeries(try Event("20261122T180000Z", "PT1H"))
    // An hour of the day before and of the day after, by themselves.
    let found = try rows([evening, dinner], "20261121T220000Z/20261123T230000Z")
    #expect(found.count == 60 + 1 + 1 + 51)
    #expect(
      found.filter { !$0.contains("20261121T22") && !$0.contains("20261122T23") } == [
        "1440 20261121T230000Z/20261122T225900Z", "20261122T180000Z/20261122T190000Z",
      ])
  }

  /// An event at 06:00 UTC and, by RDATEs, at each of the next 99 minutes.
  private func hundredDates() throws -> Event {
    var event = try Event("20261122T060000Z", "PT1M")
    let start = try Timestamp(text: "20261122T060000Z")
    event.recurrence.added = (1..<100).map {
      AddedDate(start: .utc(start.adding(seconds: $0 * 60)))
    }
    return event
  }

  @Test func `a day is one row for a short list, too`() throws {
    let singles = try (1...3).map { EventSeries(try Event("20261122T06\($0)000Z")) }
    #expect(
      try rows(singles + [EventSeries(try hundredDates())], limit: 3) == [
        "100 20261122T060000Z/20261122T074000Z", "20261122T061000Z/20261122T061000Z",
        "20261122T062000Z/20261122T062000Z",
      ])
  }

  @Test func `dates and exceptions crowd a day as rules do`() throws {
    var event = try hundredDates()
    let start = try Timestamp(text: "20261122T060000Z")
    event.recurrence.added.append(AddedDate(start: .utc(start.adding(seconds: 86_400))))
    #expect(
      try rows([EventSeries(event)], "20261121T230000Z/20261123T230000Z") == [
        "100 20261122T060000Z/20261122T074000Z",
        "20261123T060000Z 20261123T060000Z/20261123T060100Z",
      ])
    // A hundred days of a year, each moved to one.
    let moved = try (0..<100).map { day in
      let date = try CivilDate(text: "2026-01-01").adding(days: day)!.basicText
      let minute = "\(100 + day % 60)".suffix(2)
      return try Event("20261122T0\(6 + day / 60)\(minute)00Z", instead: "\(date)T090000Z")
    }
    let daily = try series("20260101T090000Z", "FREQ=DAILY", overrides: moved)
    #expect(try rows([daily]) == ["101 20261122T060000Z/20261122T090000Z"])
  }

  @Test func `what was cancelled of it is not counted, and hides nothing`() throws {
    var cancelled = try Event("20261121T230000Z", instead: "20261121T230000Z")
    cancelled.status = .cancelled
    let tick = try series(
      "20260101T000000 Europe/Berlin", "FREQ=MINUTELY;INTERVAL=10", overrides: [cancelled])
    let rule = CrowdedDays(in: context.local)
    let span = TimeSpan(
      start: try Timestamp(text: "20261121T230000Z"), end: try Timestamp(text: "20261122T230000Z"))
    var found = EarliestOccurrences(in: span, limit: .max, days: rule)
    found.add(try #require(try PlacedSeries(tick, context: context)), budget: nil) { _ in true }
    let rows = found.sorted()
    #expect(rows.map(\.count) == [143])
    #expect(rows.first?.status == .confirmed)
    #expect(rows.first?.start == (try CivilDateTime(text: "20261122T001000")))
  }

  @Test(arguments: [
    // Half an hour, and three.
    (
      "FREQ=SECONDLY;BYHOUR=0;BYMINUTE=\((0..<30).map(String.init).joined(separator: ","))",
      ["0 20261121T233000Z/20261122T225959Z", "0 20261122T233000Z/20261123T225959Z"]
    ),
    (
      "FREQ=SECONDLY;BYHOUR=0,1,2",
      ["0 20261122T020000Z/20261122T225959Z", "0 20261123T020000Z/20261123T225959Z"]
    ),
    // The Sunday, and the Saturday before it.
    ("FREQ=SECONDLY;BYDAY=SA,SU", ["0 20261122T230000Z/20261123T225959Z"]),
  ])
  func `an EXRULE leaves a row of the rest of each day`(
    exclusion: String, expected: [String]
  ) throws {
    var event = try Event("20260101T000000 Europe/Berlin", rule: "FREQ=SECONDLY")
    event.recurrence.exclusionRules = [try RecurrenceRule(text: exclusion)]
    #expect(try rows([EventSeries(event)], "20261121T230000Z/20261123T230000Z") == expected)
  }

  @Test func `what an EXRULE takes away costs a bounded walk a day`() throws {
    var event = try Event("20260101T000000Z", rule: "FREQ=SECONDLY")
    event.recurrence.exclusionRules = [
      try RecurrenceRule(
        text: "FREQ=MINUTELY;BYSECOND=\((0..<60).map(String.init).joined(separator: ","))")
    ]
    let rule = CrowdedDays(in: context.local)
    #expect(try rows([EventSeries(event)], rule: rule).isEmpty)
    #expect(rule.steps < 4000)
  }
}
